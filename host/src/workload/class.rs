//! The workloads that can be named, by YCSB's class names of all releases and by short names.

use super::constant_occupancy::{self, constant_occupancy};
use super::core::{self, CoreWorkload};
use super::timeseries::{self, TimeSeriesWorkload};
use super::{Phase, Workload};
use crate::config::{ConfigError, Declaration, Given, Settings, nearest, refuse};
use std::sync::Arc;
use std::time::SystemTime;

/// The workload class.
pub const WORKLOAD: Declaration = Declaration::text("workload")
    .required()
    .help("Workload: core, timeseries, constantoccupancy, or YCSB's class name of one.");

/// A workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkloadClass {
    /// CoreWorkload.
    Core,
    /// TimeSeriesWorkload.
    TimeSeries,
    /// ConstantOccupancyWorkload.
    ConstantOccupancy,
}

/// Packages of YCSB's workloads, of today and up to 0.16.
const PACKAGES: [&str; 2] = ["site.ycsb.workloads.", "com.yahoo.ycsb.workloads."];

impl WorkloadClass {
    /// All of them.
    pub const ALL: &[WorkloadClass] =
        &[WorkloadClass::Core, WorkloadClass::TimeSeries, WorkloadClass::ConstantOccupancy];

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            WorkloadClass::Core => "core",
            WorkloadClass::TimeSeries => "timeseries",
            WorkloadClass::ConstantOccupancy => "constantoccupancy",
        }
    }

    /// Class name without its package.
    pub fn class(self) -> &'static str {
        match self {
            WorkloadClass::Core => "CoreWorkload",
            WorkloadClass::TimeSeries => "TimeSeriesWorkload",
            WorkloadClass::ConstantOccupancy => "ConstantOccupancyWorkload",
        }
    }

    /// Every property that the workload reads.
    pub fn declarations(self) -> &'static [Declaration] {
        match self {
            WorkloadClass::Core => core::DECLARATIONS,
            WorkloadClass::ConstantOccupancy => constant_occupancy::DECLARATIONS,
            WorkloadClass::TimeSeries => timeseries::properties::DECLARATIONS,
        }
    }

    /// The workload, made from settings for so many clients in this process. One that works out counts puts
    /// them into the settings.
    ///
    /// # Errors
    /// Settings that the workload refuses.
    pub fn make(
        self,
        settings: &mut Settings,
        phase: Phase,
        clients: usize,
    ) -> Result<Arc<dyn Workload>, ConfigError> {
        match self {
            WorkloadClass::Core => Ok(Arc::new(CoreWorkload::from_settings(settings, phase)?)),
            WorkloadClass::ConstantOccupancy => Ok(Arc::new(constant_occupancy(settings, phase)?)),
            WorkloadClass::TimeSeries => {
                let now = SystemTime::now();
                Ok(Arc::new(TimeSeriesWorkload::from_settings(settings, phase, clients, now)?))
            }
        }
    }

    /// The workload that a value of `workload` names.
    ///
    /// # Errors
    /// A workload that does not exist, or RestWorkload, for which there is no binding.
    pub fn of(given: &Given) -> Result<WorkloadClass, ConfigError> {
        let typed = given.value.trim();
        let class = PACKAGES.iter().find_map(|package| typed.strip_prefix(package)).unwrap_or(typed);
        let named = |known: &WorkloadClass| known.class() == class || known.name() == typed;
        if let Some(known) = Self::ALL.iter().copied().find(named) {
            return Ok(known);
        }
        if class == "RestWorkload" {
            let reason = "is not available, because there is no REST binding yet; \
                          use CoreWorkload with one of the bindings";
            return Err(refuse(&WORKLOAD, given, reason));
        }
        let near = nearest(class, Self::ALL.iter().flat_map(|known| [known.class(), known.name()]));
        let hint = near.first().map(|near| format!(" (did you mean \"{near}\"?)")).unwrap_or_default();
        let all: Vec<&str> = Self::ALL.iter().map(|known| known.class()).collect();
        Err(refuse(&WORKLOAD, given, &format!("is no workload{hint}; there are {}", all.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Origin;

    fn of(value: &str) -> Result<WorkloadClass, ConfigError> {
        let origin = Origin::File { path: "w".to_owned(), line: 1 };
        WorkloadClass::of(&Given { spelling: "workload".to_owned(), value: value.to_owned(), origin })
    }

    #[test]
    fn class_names_of_all_releases_and_short_names_are_known() {
        for known in WorkloadClass::ALL {
            for name in [
                format!("site.ycsb.workloads.{}", known.class()),
                format!("com.yahoo.ycsb.workloads.{} ", known.class()),
                known.class().to_owned(),
                known.name().to_owned(),
            ] {
                assert_eq!(of(&name), Ok(*known), "{name}");
            }
        }
    }

    #[test]
    fn other_names_are_refused_with_the_nearest() {
        let refusal = |name: &str| of(name).expect_err(name).0;
        assert!(refusal("site.ycsb.workloads.RestWorkload").contains("no REST binding"));
        assert!(refusal("site.ycsb.workloads.CoreWorklaod").contains("did you mean \"CoreWorkload\"?"));
        assert!(refusal("no.such.Workload").starts_with("w:1: workload=\"no.such.Workload\" is no workload"));
    }
}
