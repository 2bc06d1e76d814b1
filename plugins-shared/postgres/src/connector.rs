//! A database that sessions connect to.

use crate::login::Login;
use crate::{Session, Target};
use std::sync::Arc;
use ycsb_plugin_api::{Deadline, Failure};

/// A database that sessions connect to. Certificates and keys are read once.
#[derive(Clone)]
pub struct Connector(Arc<Login>);

impl Connector {
    /// Reads what the target names.
    ///
    /// # Errors
    /// BAD_REQUEST for options that contradict each other and for files that cannot be used.
    pub fn to(target: Target) -> Result<Connector, Failure> {
        Login::of(target).map(|login| Connector(Arc::new(login)))
    }

    /// The name of the database.
    pub fn database(&self) -> &str {
        self.0.database()
    }

    /// Connects and logs in.
    ///
    /// # Errors
    /// SERVICE_UNAVAILABLE, TIMEOUT or FORBIDDEN, with what is wrong.
    pub fn connect(&self, deadline: Deadline) -> Result<Session, Failure> {
        let (connection, endpoint) = self.0.connect(deadline)?;
        Ok(Session::over(Arc::clone(&self.0), connection, endpoint))
    }
}
