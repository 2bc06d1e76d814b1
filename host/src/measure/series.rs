//! The names under which samples are kept.

/// A series of samples: an operation, a part of one, or a figure of the host process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Series {
    /// Read one record.
    Read,
    /// Read records in order.
    Scan,
    /// Change fields of a record.
    Update,
    /// Write a whole record; with batches, one sample per row.
    Insert,
    /// Remove a record.
    Delete,
    /// Both halves of a read-modify-write together, recorded whether they succeeded or not.
    ReadModifyWrite,
    /// One sample per batch of inserts.
    InsertBatch,
    /// The end of a session.
    Cleanup,
    /// The comparison of returned values with the expected ones.
    Verify,
    /// Time of a scan divided by the rows that it returned.
    ScanLatencyPerRecord,
    /// Live threads of the process (`measurement.trackjvm`).
    ThreadCount,
    /// Memory in use, MiB (`measurement.trackjvm`).
    UsedMemMb,
    /// Load average of the machine, truncated (`measurement.trackjvm`).
    SysLoadAvg,
    /// Garbage collections since the last sample: always 0 (`measurement.trackjvm`).
    Gcs,
    /// Milliseconds of garbage collection since the last sample: always 0 (`measurement.trackjvm`).
    GcsTime,
}

impl Series {
    /// All, in the order of their numbers.
    pub const ALL: [Series; 15] = [
        Series::Read,
        Series::Scan,
        Series::Update,
        Series::Insert,
        Series::Delete,
        Series::ReadModifyWrite,
        Series::InsertBatch,
        Series::Cleanup,
        Series::Verify,
        Series::ScanLatencyPerRecord,
        Series::ThreadCount,
        Series::UsedMemMb,
        Series::SysLoadAvg,
        Series::Gcs,
        Series::GcsTime,
    ];

    /// The name in every report.
    pub const fn name(self) -> &'static str {
        match self {
            Series::Read => "READ",
            Series::Scan => "SCAN",
            Series::Update => "UPDATE",
            Series::Insert => "INSERT",
            Series::Delete => "DELETE",
            Series::ReadModifyWrite => "READ-MODIFY-WRITE",
            Series::InsertBatch => "INSERT-BATCH",
            Series::Cleanup => "CLEANUP",
            Series::Verify => "VERIFY",
            Series::ScanLatencyPerRecord => "SCAN-LATENCY-PER-RECORD",
            Series::ThreadCount => "THREAD_COUNT",
            Series::UsedMemMb => "USED_MEM_MB",
            Series::SysLoadAvg => "SYS_LOAD_AVG",
            Series::Gcs => "GCS",
            Series::GcsTime => "GCS_TIME",
        }
    }

    /// The series with this name.
    pub fn named(name: &str) -> Option<Series> {
        Series::ALL.into_iter().find(|series| series.name() == name)
    }

    /// Position in [`Series::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether a binding was called: such series have response times, return codes, and failures apart.
    pub const fn is_operation(self) -> bool {
        matches!(
            self,
            Series::Read
                | Series::Scan
                | Series::Update
                | Series::Insert
                | Series::Delete
                | Series::InsertBatch
        )
    }

    /// Whether reports hold `Return=` lines for it.
    pub const fn counts_returns(self) -> bool {
        self.is_operation() || matches!(self, Series::Verify)
    }

    /// Whether samples exist as service times only, so that `measurement.interval=intended` drops them.
    pub const fn service_only(self) -> bool {
        matches!(
            self,
            Series::Verify
                | Series::ScanLatencyPerRecord
                | Series::ThreadCount
                | Series::UsedMemMb
                | Series::SysLoadAvg
                | Series::Gcs
                | Series::GcsTime
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_has_its_own_number_and_name() {
        for (position, series) in Series::ALL.into_iter().enumerate() {
            assert_eq!(series.index(), position);
            assert_eq!(Series::named(series.name()), Some(series));
        }
        assert_eq!(Series::named("READ-FAILED"), None);
    }
}
