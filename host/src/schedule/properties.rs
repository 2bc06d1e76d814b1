//! The properties of pacing.

use crate::config::{ConfigError, Declaration, Settings};

/// Operations per second of all clients together.
pub const TARGET: Declaration = Declaration::number("target").default("0").range("0..1000000000").help(
    "Operations per second of all clients together; may be fractional. 0 = as fast as the clients can.",
);

/// Who takes an arrival.
pub const ARRIVAL: Declaration = Declaration::one_of("arrival", "client|shared").default("client").help(
    "client: every client has a timetable of its own. shared: the next due arrival goes to the first free \
     client, so that threadcount limits the operations in flight (open loop).",
);

/// How arrivals are spaced.
pub const ARRIVAL_PROCESS: Declaration =
    Declaration::one_of("arrival.process", "even|poisson").default("even").help(
        "even: arrivals at equal distances. poisson: independent arrivals, exponentially distributed distances.",
    );

/// What happens to operations that could not be sent in time.
pub const THROTTLE_POLICY: Declaration =
    Declaration::one_of("throttle.policy", "catchup|spread|drop").default("catchup").help(
        "After a stall: catchup sends what is overdue back to back, as YCSB does; spread sends it at twice \
         the target rate at most; drop leaves out what is overdue and counts it.",
    );

/// All properties of this module.
pub const DECLARATIONS: &[Declaration] = &[TARGET, ARRIVAL, ARRIVAL_PROCESS, THROTTLE_POLICY];

/// Who takes an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// Every client has a timetable of its own.
    Client,
    /// All clients share one.
    Shared,
}

impl Arrival {
    /// Its word in `arrival`.
    pub fn word(self) -> &'static str {
        match self {
            Arrival::Client => "client",
            Arrival::Shared => "shared",
        }
    }
}

/// How arrivals are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// Equal distances.
    Even,
    /// Exponentially distributed distances.
    Poisson,
}

impl Process {
    /// Its word in `arrival.process`.
    pub fn word(self) -> &'static str {
        match self {
            Process::Even => "even",
            Process::Poisson => "poisson",
        }
    }
}

/// What happens to operations that could not be sent in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Sent back to back.
    CatchUp,
    /// Sent at twice the target rate at most.
    Spread,
    /// Left out.
    Drop,
}

impl Policy {
    /// Its word in `throttle.policy`.
    pub fn word(self) -> &'static str {
        match self {
            Policy::CatchUp => "catchup",
            Policy::Spread => "spread",
            Policy::Drop => "drop",
        }
    }
}

/// The pacing of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    /// Operations per second of all clients together; 0 = a closed loop.
    pub rate_per_sec: f64,
    /// Who takes an arrival.
    pub arrival: Arrival,
    /// How arrivals are spaced.
    pub process: Process,
    /// What happens after a stall.
    pub policy: Policy,
}

impl Pacing {
    /// Reads the pacing.
    ///
    /// # Errors
    /// Values outside of what is declared; `arrival=shared` or `arrival.process=poisson` without a target.
    pub fn from_settings(settings: &Settings) -> Result<Pacing, ConfigError> {
        let pacing = Pacing {
            rate_per_sec: settings.number(&TARGET)?,
            arrival: match settings.one_of(&ARRIVAL)? {
                "shared" => Arrival::Shared,
                _ => Arrival::Client,
            },
            process: match settings.one_of(&ARRIVAL_PROCESS)? {
                "poisson" => Process::Poisson,
                _ => Process::Even,
            },
            policy: match settings.one_of(&THROTTLE_POLICY)? {
                "spread" => Policy::Spread,
                "drop" => Policy::Drop,
                _ => Policy::CatchUp,
            },
        };
        if !pacing.is_paced() {
            for declaration in [ARRIVAL, ARRIVAL_PROCESS, THROTTLE_POLICY] {
                if let Some(given) = settings.given(declaration.name)
                    && Some(given.value.trim()) != declaration.default
                {
                    return Err(ConfigError(format!(
                        "{}: {}={} needs a rate; give -target N",
                        given.origin, given.spelling, given.value
                    )));
                }
            }
        }
        Ok(pacing)
    }

    /// Whether there is a target.
    pub fn is_paced(&self) -> bool {
        self.rate_per_sec > 0.0
    }

    /// Nanoseconds from one arrival to the next, of all clients together.
    pub fn interval_ns(&self) -> f64 {
        1e9 / self.rate_per_sec
    }
}
