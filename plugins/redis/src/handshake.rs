//! Connecting: TLS, log-in, choice of the database, and a first answer.

use crate::command::Commands;
use crate::connection::Connection;
use crate::failure::{code, from_server};
use crate::link::Link;
use crate::reply::Reply;
use crate::settings::RedisSettings;
use ycsb_plugin_api::Failure;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_common::Endpoint;

/// Connects to a server and waits until it answers.
///
/// # Errors
/// SERVICE_UNAVAILABLE, TIMEOUT, FORBIDDEN (log-in, certificates) or OVERLOADED (still loading).
pub(crate) async fn connect(settings: &RedisSettings, endpoint: &Endpoint) -> Result<Connection, Failure> {
    let link = Link::connect(endpoint, settings.timeout, settings.tls.as_ref()).await?;
    let mut connection = Connection::over(link);
    log_in(settings, endpoint, &mut connection).await?;
    choose_database(settings, endpoint, &mut connection).await?;
    Ok(connection)
}

/// The first command: AUTH, or a PING where there is no password.
async fn log_in(
    settings: &RedisSettings,
    endpoint: &Endpoint,
    connection: &mut Connection,
) -> Result<(), Failure> {
    let mut commands = Commands::default();
    match (&settings.username, &settings.password) {
        (Some(username), Some(password)) => commands.start("AUTH", 2).word(username).word(password),
        (None, Some(password)) => commands.start("AUTH", 1).word(password),
        (_, None) => commands.start("PING", 0),
    };
    connection.send(commands.bytes(), commands.len()).await?;
    let answer = connection.receive().await.map_err(|failure| match failure.status() {
        status::SERVICE_UNAVAILABLE if settings.tls.is_none() => {
            failure.context("no answer to the first command; if the server speaks TLS set redis.tls=true")
        }
        _ => failure,
    })?;
    match answer {
        Reply::Error(error) if settings.password.is_some() => Err(refused_login(settings, endpoint, error)),
        Reply::Error(error) if code(error) == "NOAUTH" => {
            Err(Failure::forbidden(format!("{endpoint} asks for a password; set redis.password")))
        }
        Reply::Error(error) => Err(from_server(error).context(endpoint)),
        _ => Ok(()),
    }
}

/// The last command: a server that is still loading answers no other before.
async fn choose_database(
    settings: &RedisSettings,
    endpoint: &Endpoint,
    connection: &mut Connection,
) -> Result<(), Failure> {
    if settings.database == 0 && settings.password.is_none() {
        return Ok(());
    }
    let mut commands = Commands::default();
    commands.start("SELECT", 1).integer(settings.database);
    commands.start("PING", 0);
    connection.send(commands.bytes(), commands.len()).await?;
    let mut answer = Ok(());
    if let Reply::Error(error) = connection.receive().await?
        && settings.database != 0
    {
        answer = Err(from_server(error).context(format!("{endpoint}: redis.db={}", settings.database)));
    }
    if let Reply::Error(error) = connection.receive().await? {
        answer = answer.and(Err(from_server(error).context(endpoint)));
    }
    answer
}

/// Old servers repeat the arguments of a command that they refuse, so their text is not passed on.
#[cold]
fn refused_login(settings: &RedisSettings, endpoint: &Endpoint, error: &[u8]) -> Failure {
    let text = String::from_utf8_lossy(error);
    let failure = from_server(error);
    if failure.status() == status::OVERLOADED {
        return failure.context(endpoint);
    }
    if text.contains("without any password") || text.contains("no password is set") {
        return Failure::forbidden(format!("{endpoint} asks for no password; remove redis.password"));
    }
    let who = match &settings.username {
        Some(username) => format!("user {username:?} (redis.username) or its"),
        None => "the".to_owned(),
    };
    Failure::forbidden(format!("{endpoint} refused {who} password (redis.password): {}", code(error)))
}
