//! The files that a run leaves for later: the result document, and the manifest of what a load put into the table.

use crate::config::{ConfigError, Declaration, refuse};
use crate::plan::RunPlan;
use crate::plan::host_properties::{DATASET_FILE, RESULT_FILE};
use crate::result::{ResultDocument, ResultFileError, check_writable, write_replacing};
use crate::workload::{Dataset, Phase};
use std::path::{Path, PathBuf};

/// Where they are, checked before the run.
pub struct ResultFiles {
    /// The result document.
    pub result: Option<PathBuf>,
    /// The manifest that a load writes.
    dataset: Option<PathBuf>,
    /// What the plan of a run contradicts in the manifest of its load, one sentence each.
    pub remarks: Vec<String>,
}

impl ResultFiles {
    /// Checks that files can be written, and compares the plan of a run with the manifest that it names.
    ///
    /// # Errors
    /// A file that cannot be written; a manifest that cannot be read.
    pub fn new(plan: &RunPlan) -> Result<Self, ConfigError> {
        let result = plan.result_file.as_ref().map(PathBuf::from);
        let mut files = ResultFiles { result, dataset: None, remarks: Vec::new() };
        if let Some(path) = &files.result {
            writable(plan, &RESULT_FILE, path)?;
        }
        let expected = plan.workload.dataset();
        let named = plan.dataset_file.as_ref().map(PathBuf::from);
        match (plan.phase, expected, named) {
            (_, None, None) | (Phase::Run, Some(_), None) => {}
            (_, None, Some(path)) => files.remarks.push(format!(
                "dataset.file={}: the records of this workload have no numbers, so there is no manifest",
                path.display()
            )),
            (Phase::Load, Some(_), Some(path)) => {
                writable(plan, &DATASET_FILE, &path)?;
                files.dataset = Some(path);
            }
            (Phase::Load, Some(_), None) => {
                // Beside a document that is a file; a pipe has nothing beside it.
                let beside = files.result.as_deref().filter(|path| !path.exists() || path.is_file());
                files.dataset = beside.map(|path| path.with_extension("dataset.json"));
            }
            (Phase::Run, Some(planned), Some(path)) => {
                let loaded = read_dataset(plan, &path)?;
                let place = path.display();
                let found = loaded.contradictions(&planned);
                files.remarks.extend(found.into_iter().map(|one| format!("{place}: {one}")));
            }
        }
        Ok(files)
    }

    /// Writes the manifest of a load that has ended.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_dataset(&self, document: &ResultDocument) -> Result<(), ResultFileError> {
        let dataset = document.processes.first().and_then(|process| process.dataset.as_ref());
        match (&self.dataset, dataset) {
            (Some(path), Some(dataset)) => write_replacing(path, dataset),
            _ => Ok(()),
        }
    }
}

fn writable(plan: &RunPlan, declaration: &Declaration, path: &Path) -> Result<(), ConfigError> {
    check_writable(path)
        .map_err(|reason| refused(plan, declaration, path, &format!("cannot be written: {reason}")))
}

fn read_dataset(plan: &RunPlan, path: &Path) -> Result<Dataset, ConfigError> {
    let wrong = |reason: String| {
        refused(
            plan,
            &DATASET_FILE,
            path,
            &format!("is no manifest of a load ({reason}); load with the same -p first"),
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))
}

fn refused(plan: &RunPlan, declaration: &Declaration, path: &Path, reason: &str) -> ConfigError {
    match plan.settings.given(declaration.name) {
        Some(given) => refuse(declaration, given, reason),
        None => ConfigError(format!("{} {reason}", path.display())),
    }
}
