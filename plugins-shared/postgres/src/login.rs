//! Connecting: TLS, log-in, and what the server says of itself.

use crate::connection::Connection;
use crate::failure::ServerError;
use crate::{SslMode, Target};
use fallible_iterator::FallibleIterator;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{ChannelBinding, SCRAM_SHA_256, ScramSha256};
use postgres_protocol::message::backend::{AuthenticationSaslBody, Message};
use postgres_protocol::message::frontend;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_common::{Endpoint, Link, Tls};

/// A target, with its files read once.
pub(crate) struct Login {
    pub(crate) target: Target,
    tls: Option<Tls>,
    user: String,
}

impl Login {
    /// # Errors
    /// BAD_REQUEST for options that contradict each other and for files that cannot be used.
    pub(crate) fn of(target: Target) -> Result<Login, Failure> {
        Ok(Login { tls: target.tls()?, user: target.user()?, target })
    }

    /// The name of the database.
    pub(crate) fn database(&self) -> &str {
        self.target.database.as_deref().unwrap_or(&self.user)
    }

    /// Connects to the first server that takes us.
    ///
    /// # Errors
    /// That of the last server.
    pub(crate) fn connect(&self, deadline: Deadline) -> Result<(Connection, Endpoint), Failure> {
        let mut failure = None;
        for endpoint in &self.target.endpoints {
            match self.connect_to(endpoint, deadline) {
                Ok(connection) => return Ok((connection, endpoint.clone())),
                // Another server would refuse the same words.
                Err(refused) if refused.status() == status::FORBIDDEN => return Err(refused),
                Err(other) => failure = Some(other),
            }
        }
        Err(failure.unwrap_or_else(|| Failure::bad_request("no server is given")))
    }

    fn connect_to(&self, endpoint: &Endpoint, deadline: Deadline) -> Result<Connection, Failure> {
        let first = self.attempt(endpoint, self.target.sslmode != SslMode::Allow, deadline);
        match (self.target.sslmode, first) {
            // A server may take only the kind of connection that was not tried first.
            (SslMode::Allow, Err(refused)) if refused.status() == status::FORBIDDEN => {
                self.attempt(endpoint, true, deadline)
            }
            (SslMode::Prefer, Err(refused)) if refused.text().contains("pg_hba.conf") => {
                self.attempt(endpoint, false, deadline)
            }
            (_, answer) => answer,
        }
    }

    fn attempt(
        &self,
        endpoint: &Endpoint,
        with_tls: bool,
        deadline: Deadline,
    ) -> Result<Connection, Failure> {
        let mut link = Link::connect(endpoint, &self.target.limits(true), deadline)?;
        if with_tls && let Some(tls) = &self.tls {
            link = self.ask_for_tls(link, tls, endpoint)?;
        }
        let mut connection = Connection::over(link);
        self.log_in(&mut connection, endpoint)?;
        connection.set_limits(self.target.limits(false));
        Ok(connection)
    }

    /// The server says in one byte whether it goes on in TLS.
    fn ask_for_tls(&self, mut link: Link, tls: &Tls, endpoint: &Endpoint) -> Result<Link, Failure> {
        let mut request = bytes::BytesMut::new();
        frontend::ssl_request(&mut request);
        link.write_all(&request)?;
        let mut answer = [0];
        link.read(&mut answer)?;
        match (answer[0], self.target.sslmode) {
            (b'S', _) => link.start_tls(tls),
            (b'N', SslMode::Prefer) => Ok(link),
            (b'N', _) => Err(Failure::forbidden(format!(
                "{endpoint} does not offer TLS, which sslmode asks for; give sslmode=disable or set up its ssl"
            ))),
            _ => Err(Failure::error(format!(
                "what answers at {endpoint} does not speak PostgreSQL's protocol"
            ))),
        }
    }

    fn log_in(&self, connection: &mut Connection, endpoint: &Endpoint) -> Result<(), Failure> {
        let target = &self.target;
        let mut parameters = vec![
            ("user", self.user.as_str()),
            ("database", self.database()),
            ("client_encoding", "UTF8"),
            ("application_name", target.application_name.as_str()),
        ];
        if let Some(schemas) = &target.search_path {
            parameters.push(("search_path", schemas));
        }
        frontend::startup_message(parameters, &mut connection.out)?;
        connection.flush()?;
        let password = target.credentials.password.as_bytes();
        let mut scram = None;
        loop {
            match connection.receive()? {
                Message::AuthenticationOk | Message::BackendKeyData(_) => {}
                Message::ReadyForQuery(_) => return Ok(()),
                Message::AuthenticationCleartextPassword => {
                    self.need_password(endpoint)?;
                    frontend::password_message(password, &mut connection.out)?;
                    connection.flush()?;
                }
                Message::AuthenticationMd5Password(body) => {
                    self.need_password(endpoint)?;
                    let hash = md5_hash(self.user.as_bytes(), password, body.salt());
                    frontend::password_message(hash.as_bytes(), &mut connection.out)?;
                    connection.flush()?;
                }
                Message::AuthenticationSasl(body) => {
                    self.need_password(endpoint)?;
                    let exchange = scram.insert(begin_scram(&body, password, endpoint)?);
                    frontend::sasl_initial_response(SCRAM_SHA_256, exchange.message(), &mut connection.out)?;
                    connection.flush()?;
                }
                Message::AuthenticationSaslContinue(body) => {
                    let exchange = scram.as_mut().ok_or_else(|| out_of_turn(endpoint))?;
                    exchange.update(body.data()).map_err(|error| not_the_server(endpoint, &error))?;
                    frontend::sasl_response(exchange.message(), &mut connection.out)?;
                    connection.flush()?;
                }
                Message::AuthenticationSaslFinal(body) => {
                    let exchange = scram.as_mut().ok_or_else(|| out_of_turn(endpoint))?;
                    exchange.finish(body.data()).map_err(|error| not_the_server(endpoint, &error))?;
                }
                Message::ErrorResponse(body) => {
                    return Err(ServerError::of(&body).failure().context(endpoint));
                }
                _ => {
                    return Err(Failure::forbidden(format!(
                        "{endpoint} asks for a way of logging in that is not known here; known are trust, password, \
                         md5, scram-sha-256 and cert"
                    )));
                }
            }
        }
    }

    fn need_password(&self, endpoint: &Endpoint) -> Result<(), Failure> {
        match self.target.credentials.password.is_empty() {
            true => Err(Failure::forbidden(format!(
                "{endpoint} asks for the password of user {:?}; set it",
                self.user
            ))),
            false => Ok(()),
        }
    }
}

fn begin_scram(
    body: &AuthenticationSaslBody,
    password: &[u8],
    endpoint: &Endpoint,
) -> Result<ScramSha256, Failure> {
    let known = body.mechanisms().any(|mechanism| Ok(mechanism == SCRAM_SHA_256))?;
    if !known {
        return Err(Failure::forbidden(format!("{endpoint} does not offer SCRAM-SHA-256")));
    }
    Ok(ScramSha256::new(password, ChannelBinding::unsupported()))
}

#[cold]
fn not_the_server(endpoint: &Endpoint, error: &std::io::Error) -> Failure {
    Failure::forbidden(format!("{endpoint} does not know the password itself: {error}"))
}

#[cold]
fn out_of_turn(endpoint: &Endpoint) -> Failure {
    Failure::error(format!("{endpoint} answers out of turn while logging in"))
}
