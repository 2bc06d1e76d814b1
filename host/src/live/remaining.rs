//! How long a run still takes, in YCSB's words.

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// `1 day 2 hours `, `59 minutes `, `9 second `: a blank after each part.
///
/// Minutes are left out beside days, seconds beside anything. Seconds are plural from two digits on, all
/// other units from two on: scripts match these texts.
pub fn remaining_text(seconds: u64) -> String {
    let (days, hours, minutes) = (seconds / DAY, seconds % DAY / HOUR, seconds % HOUR / MINUTE);
    let mut text = String::new();
    for (number, unit, shown) in
        [(days, "day", days > 0), (hours, "hour", hours > 0), (minutes, "minute", minutes > 0 && days == 0)]
    {
        if shown {
            text += &format!("{number} {unit}{} ", if number == 1 { "" } else { "s" });
        }
    }
    if text.is_empty() {
        text = format!("{seconds} second{} ", if seconds < 10 { "" } else { "s" });
    }
    text
}

/// Seconds until `remaining` operations are done at the rate of the run so far.
///
/// A rate of 0 gives the largest signed number, no operation in no time 0: what Java's arithmetic gives.
pub fn remaining_seconds(remaining: u64, done: u64, elapsed_ms: u64) -> u64 {
    let rate_per_sec = 1000.0 * (done as f64 / elapsed_ms as f64);
    let seconds = (remaining as f64 / rate_per_sec).ceil();
    if seconds.is_nan() { 0 } else { (seconds as u64).min(i64::MAX as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_remaining_formatter_csv() {
        for line in include_str!("../../tests/golden/remaining_formatter.csv").lines().skip(1) {
            let (seconds, text) = line.split_once(',').unwrap();
            assert_eq!(format!("[{}]", remaining_text(seconds.parse().unwrap())), text);
        }
    }

    #[test]
    fn seconds_are_rounded_up_and_extremes_are_javas() {
        assert_eq!(remaining_seconds(368, 132, 1_000), 3);
        assert_eq!(remaining_seconds(200, 100, 1_000), 2);
        assert_eq!(remaining_seconds(5, 0, 0), 0);
        assert_eq!(remaining_seconds(5, 3, 0), 0);
        assert_eq!(remaining_text(remaining_seconds(5, 0, 1_000)), "106751991167300 days 15 hours ");
    }
}
