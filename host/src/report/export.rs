//! Which form a report has and where it goes.

use super::input::ReportInput;
use super::json::{write_json_array, write_json_sequence};
use super::json_document::write_json_document;
use super::lines::report_lines;
use super::raw_lines::write_raw;
use super::text::write_text;
use crate::config::{ConfigError, Settings, nearest, refuse};
use crate::measure::declarations as declared;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exporter {
    /// YCSB's text.
    Text,
    /// YCSB's sequence of JSON objects, by its class name only: no strict parser accepts it.
    JsonSequence,
    /// YCSB's JSON array.
    JsonArray,
    /// Our own JSON document.
    JsonDocument,
}

/// Packages in which YCSB's classes live, today's and that of versions up to 0.16.
const PACKAGES: [&str; 2] = ["site.ycsb.", "com.yahoo.ycsb."];
const SHORT_NAMES: [&str; 3] = ["text", "jsonarray", "json"];

impl Exporter {
    /// The exporter with a short name or a class name of YCSB.
    pub fn named(name: &str) -> Option<Self> {
        let class = PACKAGES.iter().find_map(|package| name.strip_prefix(package));
        match class.map(|class| class.strip_prefix("measurements.exporter.").unwrap_or("")) {
            Some("TextMeasurementsExporter") => Some(Exporter::Text),
            Some("JSONMeasurementsExporter") => Some(Exporter::JsonSequence),
            Some("JSONArrayMeasurementsExporter") => Some(Exporter::JsonArray),
            Some(_) => None,
            None => match name {
                "text" => Some(Exporter::Text),
                "jsonarray" => Some(Exporter::JsonArray),
                "json" => Some(Exporter::JsonDocument),
                _ => None,
            },
        }
    }

    /// Writes a report in this form.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(self, input: &ReportInput<'_>, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Exporter::Text => write_text(&report_lines(input), out),
            Exporter::JsonSequence => write_json_sequence(&report_lines(input), out),
            Exporter::JsonArray => write_json_array(&report_lines(input), out),
            Exporter::JsonDocument => write_json_document(input, out),
        }
    }
}

/// Form and destination of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportPlan {
    /// Form.
    pub exporter: Exporter,
    /// File; none = standard output.
    pub file: Option<PathBuf>,
}

impl ExportPlan {
    /// The plan of these settings.
    ///
    /// # Errors
    /// An exporter that there is not.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let name = settings.text(&declared::EXPORTER)?;
        let name = name.trim();
        let exporter =
            Exporter::named(name).ok_or_else(|| match settings.given(declared::EXPORTER.name) {
                Some(given) => refuse(&declared::EXPORTER, given, &unknown_exporter(name)),
                None => ConfigError(format!("exporter \"{name}\" {}", unknown_exporter(name))),
            })?;
        let file = settings.optional_text(&declared::EXPORT_FILE).filter(|path| !path.is_empty());
        Ok(ExportPlan { exporter, file: file.map(PathBuf::from) })
    }
}

fn unknown_exporter(name: &str) -> String {
    let near = nearest(name, SHORT_NAMES.iter().copied());
    let hint = near.first().map(|near| format!(" (did you mean \"{near}\"?)")).unwrap_or_default();
    format!("is no exporter{hint}: there are text, jsonarray, json, and the class names of YCSB's exporters")
}

/// A destination that could not be written. Where there was another way, the content went there.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The report's file; the report went to standard output.
    #[error("exportfile {}: {source}; the report is on standard output, choose a file that can be written", path.display())]
    ExportFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file of raw samples; they went to standard output.
    #[error(
        "measurement.raw.output_file {}: {source}; the samples are on standard output, choose a file that can be written",
        path.display()
    )]
    RawFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An interval log; what it holds up to now is kept.
    #[error("interval log {}: {source}; it ends there, choose a file that can be written", path.display())]
    HdrLog {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Standard output: the report is lost.
    #[error("standard output: {source}; the report is lost, keep it with -p exportfile=FILE")]
    Stdout {
        /// Why; a reader that went away is `BrokenPipe`.
        source: io::Error,
    },
}

/// Writes raw samples and report to where they were asked for; `stdout` is standard output.
///
/// All raw samples come first, then the whole report. What is returned is everything that could not be written
/// where it was asked for.
pub fn deliver(input: &ReportInput<'_>, export: &ExportPlan, stdout: &mut dyn Write) -> Vec<ReportError> {
    let mut errors = Vec::new();
    let mut to_stdout = |errors: &mut Vec<ReportError>, write: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        let mut buffered = BufWriter::new(&mut *stdout);
        if let Err(source) = write(&mut buffered).and_then(|()| buffered.flush()) {
            // What did not get out must not be tried again when the buffer is dropped.
            drop(buffered.into_parts());
            errors.push(ReportError::Stdout { source });
        }
    };
    let raw = |out: &mut dyn Write| write_raw(&input.blocks(), input.plan, input.clock_zero_epoch_ms, out);
    match &input.plan.raw_file {
        None => to_stdout(&mut errors, &raw),
        Some(path) => {
            if let Err(source) = to_file(path, OpenOptions::new().append(true).create(true), &raw) {
                errors.push(ReportError::RawFile { path: path.clone(), source });
                to_stdout(&mut errors, &raw);
            }
        }
    }
    let report = |out: &mut dyn Write| export.exporter.write(input, out);
    match &export.file {
        None => to_stdout(&mut errors, &report),
        Some(path) => {
            if let Err(source) =
                to_file(path, OpenOptions::new().write(true).create(true).truncate(true), &report)
            {
                errors.push(ReportError::ExportFile { path: path.clone(), source });
                to_stdout(&mut errors, &report);
            }
        }
    }
    errors
}

fn to_file(
    path: &Path,
    how: &OpenOptions,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(how.open(path)?);
    write(&mut out)?;
    out.flush()
}

/// Checks before a run that the files it will write can be written: report, raw samples, interval logs.
///
/// # Errors
/// A file that cannot be opened for writing, with the reason of the operating system.
pub fn check_destinations(settings: &Settings) -> Result<(), ConfigError> {
    let hdr_files = settings.bool(&declared::HDR_FILES)?;
    for (declaration, probe_name) in [
        (&declared::EXPORT_FILE, ""),
        (&declared::RAW_FILE, ""),
        (&declared::HDR_LOG, ""),
        (&declared::HDR_FILE_PREFIX, "READ.hdr"),
    ] {
        let Some(given) = settings.given(declaration.name) else { continue };
        let by_prefix = !probe_name.is_empty();
        if given.value.is_empty() || (by_prefix && !hdr_files) {
            continue;
        }
        let path = PathBuf::from(format!("{}{probe_name}", given.value));
        probe(&path).map_err(|reason| {
            refuse(declaration, given, &format!("cannot be written as {}: {reason}", path.display()))
        })?;
    }
    Ok(())
}

/// Opens a file for writing and leaves everything as it was. A named pipe is not opened: that would wait for its
/// reader.
fn probe(path: &Path) -> io::Result<()> {
    let found = path.metadata();
    if found.as_ref().is_ok_and(|found| found.file_type().is_fifo()) {
        return Ok(());
    }
    let existed = found.is_ok();
    let file: File = OpenOptions::new().append(true).create(true).open(path)?;
    drop(file);
    if existed { Ok(()) } else { std::fs::remove_file(path) }
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
