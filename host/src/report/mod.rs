//! Layer 8: views of results. YCSB's report in all its forms, our own JSON report, and interval logs.

mod export;
mod forms;
mod hdr_log;
mod hdr_observer;
mod input;
mod json;
mod json_document;
mod lines;
mod raw_lines;
mod saved;
mod text;

pub use export::{ExportPlan, Exporter, ReportError, check_destinations, deliver};
pub use hdr_log::HdrLogs;
pub use hdr_observer::HdrObserver;
pub use input::ReportInput;
pub use json::{write_json_array, write_json_sequence};
pub use json_document::write_json_document;
pub use lines::{Line, Value, block_lines, report_lines};
pub use raw_lines::write_raw;
pub use saved::SavedRun;
pub use text::write_text;
