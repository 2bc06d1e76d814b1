//! A reader of YCSB's text reports and status lines, written from their description and from nothing else.
//!
//! It is as strict as that description: a line out of place, a number in another spelling or a count that does
//! not add up is an error.
#![allow(dead_code, reason = "each test binary uses its part")]

pub(crate) mod status;

/// A figure. Whole numbers have no point, doubles always have one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure {
    Integer(i128),
    Double(f64),
}

/// `[METRIC], MEASUREMENT, VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) metric: String,
    pub(crate) measurement: String,
    pub(crate) figure: Figure,
}

/// Which form a measurement has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Hdr,
    Histogram,
    TimeSeries,
    Raw,
}

/// The lines of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measurement {
    pub(crate) name: String,
    pub(crate) form: Form,
    pub(crate) operations: u64,
    pub(crate) average: Option<f64>,
    pub(crate) min: Option<i128>,
    pub(crate) max: Option<i128>,
    pub(crate) percentiles: Vec<(String, i128)>,
    pub(crate) returns: Vec<(String, u64)>,
    /// Buckets or units of time: label and count or average.
    pub(crate) rows: Vec<(String, f64)>,
}

impl Measurement {
    pub(crate) fn returned(&self, status: &str) -> u64 {
        self.returns.iter().filter(|(name, _)| name == status).map(|(_, count)| count).sum()
    }
}

/// Raw samples of one measurement: milliseconds since 1970 and microseconds.
pub(crate) type RawList = (String, Vec<(i64, u64)>);

/// A whole report.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) raw: Vec<RawList>,
    pub(crate) runtime_ms: i128,
    pub(crate) throughput_per_sec: f64,
    /// Names of garbage collectors.
    pub(crate) collectors: Vec<String>,
    /// Whether the figures of the host process are there.
    pub(crate) process: bool,
    pub(crate) measurements: Vec<Measurement>,
}

impl Report {
    pub(crate) fn measurement(&self, name: &str) -> Option<&Measurement> {
        self.measurements.iter().find(|measurement| measurement.name == name)
    }

    /// The measurements with all numbers made zero: names, forms, labels, statuses, in order. How many units
    /// of time there are depends on the clock: any number of rows becomes one.
    pub(crate) fn shape(&self) -> Vec<Measurement> {
        let wiped = |found: &Measurement| Measurement {
            name: found.name.clone(),
            form: found.form,
            operations: 0,
            average: None,
            min: None,
            max: None,
            percentiles: found.percentiles.iter().map(|(label, _)| (label.clone(), 0)).collect(),
            returns: found.returns.iter().map(|(status, _)| (status.clone(), 0)).collect(),
            rows: found.rows.first().map(|_| (String::new(), 0.0)).into_iter().collect(),
        };
        self.measurements.iter().map(wiped).collect()
    }
}

pub(crate) fn figure(text: &str) -> Result<Figure, String> {
    let wrong = || format!("no figure: {text}");
    match text {
        "NaN" => return Ok(Figure::Double(f64::NAN)),
        "Infinity" => return Ok(Figure::Double(f64::INFINITY)),
        "-Infinity" => return Ok(Figure::Double(f64::NEG_INFINITY)),
        _ => {}
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if all_digits(digits) {
        return text.parse().map(Figure::Integer).map_err(|_| wrong());
    }
    let (mantissa, exponent) = match digits.split_once('E') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').ok_or_else(wrong)?;
    let value: f64 = text.parse().map_err(|_| wrong())?;
    let plain_range = value == 0.0 || (1e-3..1e7).contains(&value.abs());
    let exponent_fits = match exponent {
        Some(exponent) => whole.len() == 1 && all_digits(exponent.strip_prefix('-').unwrap_or(exponent)),
        None => true,
    };
    let spelt =
        all_digits(whole) && all_digits(fraction) && exponent_fits && plain_range == exponent.is_none();
    if spelt { Ok(Figure::Double(value)) } else { Err(wrong()) }
}

pub(crate) fn entry(line: &str) -> Result<Entry, String> {
    let rest = line.strip_prefix('[').ok_or_else(|| format!("no entry: {line}"))?;
    let (metric, rest) = rest.split_once("], ").ok_or_else(|| format!("no metric: {line}"))?;
    let (measurement, value) = rest.rsplit_once(", ").ok_or_else(|| format!("no value: {line}"))?;
    Ok(Entry { metric: metric.to_owned(), measurement: measurement.to_owned(), figure: figure(value)? })
}

/// The entries that are still to be read.
struct Lines<'a> {
    entries: &'a [Entry],
}

impl Lines<'_> {
    fn peek(&self) -> Option<(&str, &str)> {
        self.entries.first().map(|entry| (entry.metric.as_str(), entry.measurement.as_str()))
    }

    fn take(&mut self, metric: &str, measurement: &str) -> Result<Figure, String> {
        match self.entries.split_first() {
            Some((entry, rest)) if entry.metric == metric && entry.measurement == measurement => {
                self.entries = rest;
                Ok(entry.figure)
            }
            other => {
                Err(format!("expected [{metric}], {measurement}; found {:?}", other.map(|(entry, _)| entry)))
            }
        }
    }

    fn integer(&mut self, metric: &str, measurement: &str) -> Result<i128, String> {
        match self.take(metric, measurement)? {
            Figure::Integer(value) => Ok(value),
            Figure::Double(value) => Err(format!("[{metric}], {measurement}: {value} is no whole number")),
        }
    }

    fn double(&mut self, metric: &str, measurement: &str) -> Result<f64, String> {
        match self.take(metric, measurement)? {
            Figure::Double(value) => Ok(value),
            Figure::Integer(value) => Err(format!("[{metric}], {measurement}: {value} is no double")),
        }
    }

    /// The next entry of a metric whose measurement `fits`.
    fn next_if(&mut self, metric: &str, fits: impl Fn(&str) -> bool) -> Option<(String, Figure)> {
        let (found, measurement) = self.peek()?;
        if found != metric || !fits(measurement) {
            return None;
        }
        let measurement = measurement.to_owned();
        let figure = self.entries[0].figure;
        self.entries = &self.entries[1..];
        Some((measurement, figure))
    }
}

/// Reads everything that a run wrote to standard output.
pub(crate) fn report(text: &str) -> Result<Report, String> {
    let mut raw: Vec<RawList> = Vec::new();
    let mut entries = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(" latency raw data: op, timestamp(ms), latency(us)") {
            raw.push((name.to_owned(), Vec::new()));
        } else if line.starts_with('[') && line.contains("], ") {
            entries.push(entry(line)?);
        } else if let Some((name, samples)) = raw.last_mut().filter(|_| entries.is_empty()) {
            samples.push(raw_sample(line, name)?);
        } else if status::line(line).is_err() {
            return Err(format!("neither report, raw data nor status: {line}"));
        }
    }
    let mut lines = Lines { entries: &entries };
    let runtime_ms = lines.integer("OVERALL", "RunTime(ms)")?;
    let throughput_per_sec = lines.double("OVERALL", "Throughput(ops/sec)")?;
    let mut collectors = Vec::new();
    while let Some(name) =
        lines.peek().and_then(|(metric, _)| metric.strip_prefix("TOTAL_GCS_")).map(str::to_owned)
    {
        lines.integer(&format!("TOTAL_GCS_{name}"), "Count")?;
        lines.integer(&format!("TOTAL_GC_TIME_{name}"), "Time(ms)")?;
        lines.double(&format!("TOTAL_GC_TIME_%_{name}"), "Time(%)")?;
        collectors.push(name);
    }
    lines.integer("TOTAL_GCs", "Count")?;
    lines.integer("TOTAL_GC_TIME", "Time(ms)")?;
    lines.double("TOTAL_GC_TIME_%", "Time(%)")?;
    let process = lines.peek() == Some(("MAX_MEM_USED", "MBs"));
    if process {
        for (figure, unit) in [("MEM_USED", "MBs"), ("THREADS", "Count")] {
            let most = lines.integer(&format!("MAX_{figure}"), unit)?;
            let least = lines.integer(&format!("MIN_{figure}"), unit)?;
            check(least <= most, || format!("MIN_{figure} above MAX_{figure}"))?;
        }
        lines.double("MAX_SYS_LOAD_AVG", "Load")?;
        lines.double("MIN_SYS_LOAD_AVG", "Load")?;
    }
    let mut measurements = Vec::new();
    while let Some((name, _)) = lines.peek().map(|(name, first)| (name.to_owned(), first.to_owned())) {
        measurements.push(measurement(&name, &mut lines)?);
    }
    Ok(Report { raw, runtime_ms, throughput_per_sec, collectors, process, measurements })
}

fn check(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

fn raw_sample(line: &str, name: &str) -> Result<(i64, u64), String> {
    let wrong = || format!("no raw sample of {name}: {line}");
    let [found, time, latency] = line.split(',').collect::<Vec<_>>()[..] else { return Err(wrong()) };
    check(found == name, wrong)?;
    Ok((time.parse().map_err(|_| wrong())?, latency.parse().map_err(|_| wrong())?))
}

fn measurement(name: &str, lines: &mut Lines<'_>) -> Result<Measurement, String> {
    if lines.peek() == Some((name, "Total Operations")) {
        return raw_measurement(name, lines);
    }
    let operations = lines.integer(name, "Operations")? as u64;
    let average = lines.double(name, "AverageLatency(us)")?;
    let variance = lines.next_if(name, |measurement| measurement == "LatencyVariance(us)");
    let min = lines.integer(name, "MinLatency(us)")?;
    let max = lines.integer(name, "MaxLatency(us)")?;
    check(min <= max, || format!("[{name}]: MinLatency {min} above MaxLatency {max}"))?;
    let mut percentiles = Vec::new();
    while let Some((label, figure)) = lines.next_if(name, |label| label.ends_with("PercentileLatency(us)")) {
        percentiles.push((percentile_label(&label)?, whole(figure)?));
    }
    let returns = returns(name, lines)?;
    let mut rows = Vec::new();
    let mut counted_whole = None;
    while let Some((label, figure)) =
        lines.next_if(name, |label| label.trim_start_matches('>').parse::<u64>().is_ok())
    {
        let (value, is_whole) = match figure {
            Figure::Integer(value) => (value as f64, true),
            Figure::Double(value) => (value, false),
        };
        check(*counted_whole.get_or_insert(is_whole) == is_whole, || {
            format!("[{name}], {label}: mixed numbers")
        })?;
        rows.push((label, value));
    }
    let form = match (&variance, percentiles.is_empty()) {
        (Some((_, Figure::Double(_))), _) => Form::Histogram,
        (None, false) => Form::Hdr,
        (None, true) => Form::TimeSeries,
        (Some(_), _) => return Err(format!("[{name}]: LatencyVariance is no double")),
    };
    let counts: f64 = rows.iter().map(|(_, count)| count).sum();
    let expects_whole = form == Form::Histogram;
    check(rows.is_empty() || counted_whole == Some(expects_whole), || {
        format!("[{name}]: rows in the wrong numbers")
    })?;
    if form == Form::TimeSeries {
        check(!rows.is_empty(), || format!("[{name}]: no unit of time"))?;
    } else {
        check(rows.is_empty() || counts == operations as f64, || format!("[{name}]: buckets hold {counts}"))?;
    }
    Ok(Measurement {
        name: name.to_owned(),
        form,
        operations,
        average: Some(average),
        min: Some(min),
        max: Some(max),
        percentiles,
        returns,
        rows,
    })
}

fn raw_measurement(name: &str, lines: &mut Lines<'_>) -> Result<Measurement, String> {
    let operations = lines.integer(name, "Total Operations")? as u64;
    let mut measurement = Measurement {
        name: name.to_owned(),
        form: Form::Raw,
        operations,
        average: None,
        min: None,
        max: None,
        percentiles: Vec::new(),
        returns: Vec::new(),
        rows: Vec::new(),
    };
    let below = "Below is a summary of latency in microseconds:";
    if lines.next_if(name, |label| label == below).is_some() {
        measurement.average = Some(lines.double(name, "Average")?);
        measurement.min = Some(lines.integer(name, "Min")?);
        measurement.max = Some(lines.integer(name, "Max")?);
        for label in ["p1", "p5", "p50", "p90", "p95", "p99", "p99.9", "p99.99"] {
            measurement.percentiles.push((label.to_owned(), lines.integer(name, label)?));
        }
        let ascending = measurement.percentiles.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        check(ascending, || format!("[{name}]: percentiles fall"))?;
    }
    measurement.returns = returns(name, lines)?;
    Ok(measurement)
}

fn returns(name: &str, lines: &mut Lines<'_>) -> Result<Vec<(String, u64)>, String> {
    let mut returns = Vec::new();
    while let Some((label, figure)) = lines.next_if(name, |label| label.starts_with("Return=")) {
        returns.push((label["Return=".len()..].to_owned(), whole(figure)? as u64));
    }
    Ok(returns)
}

fn whole(figure: Figure) -> Result<i128, String> {
    match figure {
        Figure::Integer(value) => Ok(value),
        Figure::Double(value) => Err(format!("{value} is no whole number")),
    }
}

/// The number of `95th` or `99.9` in front of `PercentileLatency(us)`.
fn percentile_label(label: &str) -> Result<String, String> {
    let label = label.trim_end_matches("PercentileLatency(us)");
    let digits = label.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let suffix = &label[digits.len()..];
    let last = digits.parse::<u64>().map(|number| match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    });
    let right = match last {
        Ok(expected) => suffix == expected,
        Err(_) => suffix.is_empty() && matches!(figure(digits), Ok(Figure::Double(_))),
    };
    check(right, || format!("no percentile: {label}"))?;
    Ok(digits.to_owned())
}
