//! How many records a scan asks for.

use super::records::refused;
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Declaration, Settings};
use crate::generator::zipfian::THETA;
use crate::generator::{Uniform, Zipfian};

const LENGTH_RANGE: &str = "1..2147483647";

/// Shortest scan.
pub const MINSCANLENGTH: Declaration = Declaration::integer("minscanlength")
    .default("1")
    .range(LENGTH_RANGE)
    .run_only()
    .help("Records of the shortest scan.");
/// Longest scan.
pub const MAXSCANLENGTH: Declaration = Declaration::integer("maxscanlength")
    .default("1000")
    .range(LENGTH_RANGE)
    .run_only()
    .help("Records of the longest scan.");
/// Distribution of scan lengths.
pub const SCANLENGTHDISTRIBUTION: Declaration =
    Declaration::one_of("scanlengthdistribution", "uniform|zipfian")
        .default("uniform")
        .run_only()
        .help("Distribution of scan lengths; zipfian favours short scans.");

/// Draws scan lengths.
#[derive(Clone, Debug)]
pub enum ScanLengths {
    /// All lengths alike.
    Uniform(Uniform),
    /// Short ones more often.
    Zipfian {
        /// The shortest.
        shortest: u64,
        /// How much is added to it.
        beyond: Zipfian,
    },
}

impl ScanLengths {
    /// Reads bounds and distribution.
    ///
    /// # Errors
    /// A bound out of range, bounds in the wrong order, an unknown distribution.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        Self::between(settings, settings.u64(&MINSCANLENGTH)?)
    }

    /// Reads the upper bound and the distribution.
    ///
    /// # Errors
    /// As [`from_settings`](Self::from_settings).
    pub fn between(settings: &Settings, shortest: u64) -> Result<Self, ConfigError> {
        let longest = settings.u64(&MAXSCANLENGTH)?;
        if shortest > longest {
            let reason = format!("is below the shortest scan, minscanlength={shortest}");
            return Err(refused(settings, &MAXSCANLENGTH, &reason));
        }
        Ok(match settings.one_of(&SCANLENGTHDISTRIBUTION)? {
            "zipfian" => {
                ScanLengths::Zipfian { shortest, beyond: Zipfian::new(longest - shortest + 1, THETA) }
            }
            _ => ScanLengths::Uniform(Uniform::new(shortest as i64, longest as i64)),
        })
    }

    /// Draws a length.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> u64 {
        match self {
            ScanLengths::Uniform(uniform) => uniform.draw(rng) as u64,
            ScanLengths::Zipfian { shortest, beyond } => shortest + beyond.draw(rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::testing::settings;

    #[test]
    fn lengths_keep_within_their_bounds() {
        let mut rng = StreamRng::new(1, 0);
        for distribution in ["uniform", "zipfian"] {
            let given =
                [("minscanlength", "3"), ("maxscanlength", "7"), ("scanlengthdistribution", distribution)];
            let lengths = ScanLengths::from_settings(&settings(&given)).expect("settings");
            let mut counts = [0u32; 8];
            (0..10_000).for_each(|_| counts[lengths.draw(&mut rng) as usize] += 1);
            assert!(counts[..3] == [0; 3] && counts[3..].iter().all(|&count| count > 500), "{counts:?}");
            assert_eq!(counts[3] > 2 * counts[7], distribution == "zipfian");
        }
    }

    #[test]
    fn a_shortest_scan_above_the_longest_is_refused() {
        let given = [("minscanlength", "10"), ("maxscanlength", "7")];
        let refusal = ScanLengths::from_settings(&settings(&given)).expect_err("a refusal").0;
        assert!(
            refusal.contains("maxscanlength=\"7\" is below the shortest scan, minscanlength=10"),
            "{refusal}"
        );
    }
}
