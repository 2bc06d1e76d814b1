//! Status lines.

/// One status line. The parts of a composite type may stand on lines of their own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatusLine {
    pub(crate) label: String,
    pub(crate) timestamp: String,
    pub(crate) elapsed_s: u64,
    pub(crate) operations: u64,
    pub(crate) current: Option<f64>,
    /// `3 second`, without its final blank.
    pub(crate) estimate: Option<String>,
    /// Form and name of each summary, in order.
    pub(crate) summaries: Vec<(SummaryForm, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SummaryForm {
    Hdr,
    Average,
    Raw,
}

/// All status lines of what a run wrote to standard error; other lines are passed over.
pub(crate) fn lines(text: &str) -> Result<Vec<StatusLine>, String> {
    let mut joined: Vec<String> = Vec::new();
    for text in text.split('\n') {
        let continues = text.starts_with("[Bucket") || text.starts_with("Raw") && text.contains(" count: ");
        match joined.last_mut() {
            Some(last) if continues => *last = format!("{last}\n{text}"),
            _ => joined.push(text.to_owned()),
        }
    }
    joined
        .iter()
        .filter(|text| text.contains(" sec: ") && text.contains(" operations; "))
        .map(|text| line(text))
        .collect()
}

/// One status line.
pub(crate) fn line(text: &str) -> Result<StatusLine, String> {
    let wrong = |what: &str| format!("status line without {what}: {text}");
    let (head, rest) = text.split_once(" sec: ").ok_or_else(|| wrong("seconds"))?;
    let (stamp, elapsed) = head.rsplit_once(' ').ok_or_else(|| wrong("elapsed time"))?;
    let split = stamp.len().checked_sub("YYYY-MM-DD HH:MM:SS:mmm".len()).ok_or_else(|| wrong("time"))?;
    let (label, timestamp) = stamp.split_at_checked(split).ok_or_else(|| wrong("time"))?;
    let pattern: String =
        timestamp.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    if pattern != "0000-00-00 00:00:00:000" {
        return Err(wrong("time"));
    }
    let (operations, mut rest) = rest.split_once(" operations; ").ok_or_else(|| wrong("operations"))?;
    let mut current = None;
    if let Some((rate, after)) = rest.split_once(" current ops/sec; ") {
        current = Some(rate_of(rate).ok_or_else(|| wrong("rate"))?);
        rest = after;
    }
    let mut estimate = None;
    if let Some(after) = rest.strip_prefix("est completion in ") {
        let (remaining, after) = estimate_of(after);
        if remaining.is_empty() {
            return Err(wrong("estimate"));
        }
        estimate = Some(remaining);
        rest = after;
    }
    Ok(StatusLine {
        label: label.to_owned(),
        timestamp: timestamp.to_owned(),
        elapsed_s: elapsed.parse().map_err(|_| wrong("elapsed time"))?,
        operations: operations.parse().map_err(|_| wrong("operations"))?,
        current,
        estimate,
        summaries: summaries(rest).ok_or_else(|| wrong("summaries"))?,
    })
}

/// At most two decimals, no exponent.
fn rate_of(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "∞" => Some(f64::INFINITY),
        _ => {
            let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
            let spelt = text.bytes().all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
            (spelt && fraction.len() <= 2 && !fraction.ends_with('0')).then(|| text.parse().ok())?
        }
    }
}

/// Leading pairs of a number and a unit of time, each followed by a blank, and what follows.
fn estimate_of(text: &str) -> (String, &str) {
    let mut rest = text;
    let mut pieces = Vec::new();
    while let Some((number, after)) = rest.split_once(' ') {
        let Some((unit, after)) = after.split_once(' ') else { break };
        let singular = unit.trim_end_matches('s');
        if number.parse::<u64>().is_err() || !["day", "hour", "minute", "second"].contains(&singular) {
            break;
        }
        pieces.push(format!("{number} {unit}"));
        rest = after;
    }
    (pieces.join(" "), rest)
}

fn summaries(text: &str) -> Option<Vec<(SummaryForm, String)>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches([' ', '\n']);
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (inside, after) = after.split_once(']')?;
            found.push(bracketed(inside)?);
            rest = after;
        } else {
            let (name, after) = rest.split_once(" count: ")?;
            let (count, after) = after.split_once(", average latency(us): ")?;
            let (average, after) = after.split_once(' ').unwrap_or((after, ""));
            let decimals = average.split_once('.').map(|(_, decimals)| decimals.len());
            if count.parse::<u64>().is_err() || decimals != Some(2) {
                return None;
            }
            found.push((SummaryForm::Raw, name.to_owned()));
            rest = after;
        }
        rest = rest.trim_start_matches([' ', '\n']);
    }
    Some(found)
}

fn bracketed(inside: &str) -> Option<(SummaryForm, String)> {
    if let Some((name, average)) = inside.split_once(" AverageLatency(us)=") {
        return rate_of(average).map(|_| (SummaryForm::Average, name.to_owned()));
    }
    let (name, figures) = inside.split_once(": ")?;
    let labels = ["Count", "Max", "Min", "Avg", "50", "90", "99", "99.9", "99.99"];
    let mut figures = figures.split(", ");
    for label in labels {
        let (found, value) = figures.next()?.split_once('=')?;
        if found != label || rate_of(value).is_none() || (label != "Avg" && value.parse::<u64>().is_err()) {
            return None;
        }
    }
    figures.next().is_none().then(|| (SummaryForm::Hdr, name.to_owned()))
}
