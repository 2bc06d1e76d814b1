//! Dates for people: local time, by the `TZ` variable or the machine's setting.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970, UTC, now.
pub fn epoch_ms_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Writes dates in one time zone.
#[derive(Clone, Debug)]
pub struct LocalTime {
    zone: TimeZone,
}

impl LocalTime {
    /// The zone of the user: `TZ`, else the machine's; UTC if neither is known.
    pub fn of_system() -> Self {
        LocalTime { zone: TimeZone::try_system().unwrap_or(TimeZone::UTC) }
    }

    /// UTC.
    pub fn utc() -> Self {
        LocalTime { zone: TimeZone::UTC }
    }

    /// `2026-11-30 07:32:21:497`: the form of YCSB's status lines, with a colon before the milliseconds.
    pub fn status_text(&self, epoch_ms: i64) -> String {
        format!("{}:{:03}", self.formatted("%Y-%m-%d %H:%M:%S", epoch_ms), epoch_ms.rem_euclid(1000))
    }

    /// `Mon Nov 30 07:29:19 UTC 2026`: the form of Java's `Date`.
    pub fn java_date_text(&self, epoch_ms: i64) -> String {
        self.formatted("%a %b %d %H:%M:%S %Z %Y", epoch_ms)
    }

    fn formatted(&self, format: &str, epoch_ms: i64) -> String {
        let moment = Timestamp::from_millisecond(epoch_ms).unwrap_or(Timestamp::UNIX_EPOCH);
        moment.to_zoned(self.zone.clone()).strftime(format).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_form_of_ycsb_and_java() {
        let utc = LocalTime::utc();
        assert_eq!(utc.status_text(1_796_023_941_007), "2026-11-30 07:32:21:007");
        assert_eq!(utc.java_date_text(1_796_023_759_702), "Mon Nov 30 07:29:19 UTC 2026");
    }

    #[test]
    fn a_zone_shifts_the_hours() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let local = LocalTime { zone };
        assert_eq!(local.status_text(1_796_023_941_007), "2026-11-30 08:32:21:007");
        assert_eq!(local.java_date_text(1_796_023_759_702), "Mon Nov 30 08:29:19 CET 2026");
    }
}
