//! Prepared statements on a connection that is made anew when it is lost.

use crate::connection::Connection;
use crate::failure::ServerError;
use crate::login::Login;
use crate::{Parameter, Row};
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_common::{Endpoint, persist};

/// How long a lost connection is tried anew where no time-out is set.
const RECONNECT: Duration = Duration::from_secs(10);

/// A statement of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatementId(usize);

/// A connection with its prepared statements. A lost connection is made anew by the next operation, and so are
/// the statements, in the same message as their first use.
pub struct Session {
    login: Arc<Login>,
    statements: Vec<Box<str>>,
    connection: Option<Connection>,
    endpoint: Endpoint,
    /// Statements that have been queued and not answered yet.
    queued: VecDeque<Queued>,
}

/// A statement that has been queued and not answered yet.
#[derive(Clone, Copy)]
struct Queued {
    id: StatementId,
    /// How many rows each of its fetches brings; 0 = all at once.
    fetch: i32,
    /// Whether the server learns the statement by it.
    teaches: bool,
}

/// What becomes of the connection after a failure.
enum Trouble {
    /// It is lost, or in an unknown state.
    Lost(Failure),
    /// The server refused, and is ready for more.
    Refused(Failure),
}

impl Session {
    pub(crate) fn over(login: Arc<Login>, connection: Connection, endpoint: Endpoint) -> Session {
        Session {
            login,
            statements: Vec::new(),
            connection: Some(connection),
            endpoint,
            queued: VecDeque::new(),
        }
    }

    /// The version of the server, as in `15.18`.
    pub fn server_version(&self) -> &str {
        self.connection.as_ref().map_or("", |connection| &connection.server_version)
    }

    /// Where the server is.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Adds a statement. The server learns it when it is first used.
    pub fn add(&mut self, sql: &str) -> StatementId {
        self.statements.push(sql.into());
        StatementId(self.statements.len() - 1)
    }

    /// Runs a statement in one round trip and returns how many rows it changed or returned.
    ///
    /// # Errors
    /// What the server or the connection says, or `on_row`.
    #[inline]
    pub fn run<'p>(
        &mut self,
        id: StatementId,
        parameters: impl IntoIterator<Item = Parameter<'p>>,
        deadline: Deadline,
        on_row: impl FnMut(Row<'_>) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        self.queue(id, parameters, 0, deadline)?;
        self.send()?;
        self.take(on_row)
    }

    /// Queues a statement to be sent with others; each is a transaction of its own. `fetch` is how many rows the
    /// server sends at a time, 0 = all.
    ///
    /// # Errors
    /// BAD_REQUEST for values that fit into no message; otherwise what a connection that has to be made anew
    /// says.
    #[inline]
    pub fn queue<'p>(
        &mut self,
        id: StatementId,
        parameters: impl IntoIterator<Item = Parameter<'p>>,
        fetch: i32,
        deadline: Deadline,
    ) -> Result<(), Failure> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(reconnect(&self.login, deadline)?),
        };
        if self.queued.is_empty() {
            connection.begin(deadline)?;
        }
        let before = connection.out.len();
        match write(connection, id, &self.statements[id.0], parameters, fetch) {
            Ok(teaches) => {
                self.queued.push_back(Queued { id, fetch, teaches });
                Ok(())
            }
            Err(refused) => {
                connection.out.truncate(before);
                Err(refused)
            }
        }
    }

    /// Sends what is queued.
    ///
    /// # Errors
    /// What the connection says.
    #[inline]
    pub fn send(&mut self) -> Result<(), Failure> {
        let Some(connection) = &mut self.connection else { return Err(lost_before()) };
        let sent = connection.flush();
        if sent.is_err() {
            self.drop_connection();
        }
        sent
    }

    /// Takes the answer to the first statement that has been sent and not answered.
    ///
    /// # Errors
    /// What the server or the connection says, or `on_row`.
    #[inline]
    pub fn take(&mut self, on_row: impl FnMut(Row<'_>) -> Result<(), Failure>) -> Result<u64, Failure> {
        let Some(connection) = &mut self.connection else { return Err(lost_before()) };
        let Some(queued) = self.queued.pop_front() else { return Err(lost_before()) };
        match answer(connection, queued, on_row) {
            Ok(count) => {
                if self.queued.is_empty() {
                    connection.settle();
                }
                Ok(count)
            }
            Err(Trouble::Refused(failure)) => Err(failure),
            Err(Trouble::Lost(failure)) => {
                self.drop_connection();
                Err(failure)
            }
        }
    }

    /// Runs statements without parameters, as one transaction, and hands over their rows; columns are text.
    ///
    /// # Errors
    /// What the server or the connection says, or `on_row`.
    pub fn script(
        &mut self,
        sql: &str,
        deadline: Deadline,
        mut on_row: impl FnMut(Row<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(connection) = &mut self.connection else { return Err(lost_before()) };
        connection.begin(deadline)?;
        frontend::query(sql, &mut connection.out)?;
        connection.flush()?;
        let mut answer = Ok(());
        loop {
            match connection.receive()? {
                Message::DataRow(body) => {
                    let taken = on_row(Row::of(&body));
                    answer = answer.and(taken);
                }
                Message::ErrorResponse(body) => answer = Err(ServerError::of(&body).failure()),
                Message::ReadyForQuery(_) => return answer,
                _ => {}
            }
        }
    }

    /// Says goodbye.
    pub fn close(&mut self) {
        if let Some(connection) = self.connection.take() {
            connection.close();
        }
    }

    #[cold]
    fn drop_connection(&mut self) {
        self.connection = None;
        self.queued.clear();
    }
}

/// Connects anew to a server that was lost, for as long as one connection may take.
#[cold]
fn reconnect(login: &Login, deadline: Deadline) -> Result<Connection, Failure> {
    let limit = login.target.connect_timeout.unwrap_or(RECONNECT);
    persist(limit, deadline, &login.target.interrupt, || login.connect(deadline))
        .map(|(connection, _)| connection)
}

/// Parse (if the server does not know the statement), Bind, Execute, and Sync or, where rows come in portions,
/// Flush. Returns whether there was a Parse.
#[inline]
fn write<'p>(
    connection: &mut Connection,
    id: StatementId,
    sql: &str,
    parameters: impl IntoIterator<Item = Parameter<'p>>,
    fetch: i32,
) -> Result<bool, Failure> {
    let mut digits = [0; 20];
    let name = statement_name(id, &mut digits);
    let teaches = !connection.is_prepared(id.0);
    if teaches {
        frontend::parse(name, sql, [], &mut connection.out)?;
    }
    let put = |parameter: Parameter<'_>, out: &mut bytes::BytesMut| {
        parameter.write(out);
        Ok(IsNull::No)
    };
    frontend::bind("", name, [1], parameters, put, [1], &mut connection.out).map_err(|_| {
        Failure::bad_request("the values fit into no message of PostgreSQL's protocol (at most 1 GiB)")
    })?;
    frontend::execute("", fetch, &mut connection.out)?;
    match fetch {
        0 => frontend::sync(&mut connection.out),
        _ => frontend::flush(&mut connection.out),
    }
    if teaches {
        connection.set_prepared(id.0, true);
    }
    Ok(teaches)
}

/// A short name without allocation: `s` and the number.
fn statement_name(id: StatementId, digits: &mut [u8; 20]) -> &str {
    let (mut number, mut at) = (id.0, digits.len());
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 || at == 0 {
            return std::str::from_utf8(&digits[at..]).unwrap_or("0");
        }
    }
}

/// Takes all messages that answer a statement.
#[inline]
fn answer(
    connection: &mut Connection,
    Queued { id, fetch, mut teaches }: Queued,
    mut on_row: impl FnMut(Row<'_>) -> Result<(), Failure>,
) -> Result<u64, Trouble> {
    let mut count = 0;
    let mut refused = None;
    let mut fatal = false;
    loop {
        match connection.receive().map_err(Trouble::Lost)? {
            Message::DataRow(body) => {
                if let Err(failure) = on_row(Row::of(&body)) {
                    refused.get_or_insert(failure);
                }
            }
            Message::CommandComplete(body) => {
                count = body.tag().map_or(0, affected);
                finish_portions(connection, fetch).map_err(Trouble::Lost)?;
            }
            Message::PortalSuspended => {
                let more = frontend::execute("", fetch, &mut connection.out).map_err(Failure::from);
                frontend::flush(&mut connection.out);
                more.and_then(|()| connection.flush()).map_err(Trouble::Lost)?;
            }
            Message::ParseComplete => teaches = false,
            Message::ErrorResponse(body) => {
                let error = ServerError::of(&body);
                // A statement that is gone or has changed is prepared anew on a new connection.
                fatal = error.fatal || matches!(error.sqlstate.as_str(), "26000" | "0A000");
                refused = Some(error.failure());
                if error.fatal {
                    // Nothing follows but the end of the connection.
                    return Err(Trouble::Lost(error.failure()));
                }
                if teaches {
                    connection.set_prepared(id.0, false);
                }
                finish_portions(connection, fetch).map_err(Trouble::Lost)?;
            }
            Message::ReadyForQuery(_) => {
                return match refused {
                    None => Ok(count),
                    Some(failure) if fatal => Err(Trouble::Lost(failure)),
                    Some(failure) => Err(Trouble::Refused(failure)),
                };
            }
            _ => {}
        }
    }
}

/// Where rows came in portions no Sync has been sent yet.
#[inline]
fn finish_portions(connection: &mut Connection, fetch: i32) -> Result<(), Failure> {
    if fetch == 0 {
        return Ok(());
    }
    frontend::sync(&mut connection.out);
    connection.flush()
}

/// The number at the end of `INSERT 0 1`, `UPDATE 1`, `SELECT 10`.
#[inline]
fn affected(tag: &str) -> u64 {
    tag.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cold]
fn lost_before() -> Failure {
    Failure::unavailable("the connection was lost before the answer")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_tag_says_how_many_rows() {
        assert_eq!((affected("INSERT 0 3"), affected("UPDATE 1"), affected("SELECT 10")), (3, 1, 10));
        assert_eq!(affected("BEGIN"), 0);
    }

    #[test]
    fn statements_have_short_names() {
        assert_eq!(statement_name(StatementId(0), &mut [0; 20]), "0");
        assert_eq!(statement_name(StatementId(1_203), &mut [0; 20]), "1203");
        assert_eq!(statement_name(StatementId(usize::MAX), &mut [0; 20]), usize::MAX.to_string());
    }
}
