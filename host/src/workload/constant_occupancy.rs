//! YCSB's ConstantOccupancyWorkload: CoreWorkload with counts that follow from a disk size.

use super::record::{FIELDLENGTHDISTRIBUTION, RecordShape};
use super::records::{INSERTCOUNT, OPERATIONCOUNT, RECORDCOUNT, refused};
use super::{CoreWorkload, Phase, core};
use crate::config::{ConfigError, Declaration, Given, Origin, Settings};

/// Bytes to fill.
pub const DISKSIZE: Declaration = Declaration::bytes("disksize")
    .default("100000000")
    .range("1..")
    .help("With ConstantOccupancyWorkload: bytes of the store of which occupancy is filled.");
/// Filled fraction.
pub const OCCUPANCY: Declaration = Declaration::number("occupancy")
    .default("0.9")
    .range("0..")
    .help("With ConstantOccupancyWorkload: fraction of disksize that the records fill.");
/// How often everything is written.
pub const STORAGEAGES: Declaration = Declaration::integer("storageages")
    .default("10")
    .range("0..1000000000")
    .help("With ConstantOccupancyWorkload: operations per record.");

/// Every property that the workload reads: CoreWorkload's and its own.
pub const DECLARATIONS: &[Declaration] = &LIST;

const LIST: [Declaration; core::LIST.len() + 3] = {
    let mut list = [DISKSIZE; core::LIST.len() + 3];
    let mut index = 0;
    while index < core::LIST.len() {
        list[index] = core::LIST[index];
        index += 1;
    }
    list[index] = OCCUPANCY;
    list[index + 1] = STORAGEAGES;
    list
};

const NAME: &str = "ConstantOccupancyWorkload";

/// Makes the workload and puts the counts into the settings, where the rest of the host reads them.
///
/// recordcount and insertcount become the number of records that fill `occupancy` of `disksize`, operationcount that
/// number times `storageages`; values that were given are replaced, with a note.
///
/// # Errors
/// As [`CoreWorkload::from_settings`]; also if not one record fits, or the mean length is not defined.
pub fn constant_occupancy(settings: &mut Settings, phase: Phase) -> Result<CoreWorkload, ConfigError> {
    let shape = RecordShape::from_settings(settings)?;
    let Some(mean) = shape.mean_field_bytes.filter(|mean| *mean > 0.0) else {
        let reason = format!(
            "gives values no mean length above 0, which {NAME} needs: choose constant, uniform or histogram, with lengths above 0"
        );
        return Err(refused(settings, &FIELDLENGTHDISTRIBUTION, &reason));
    };
    let (occupancy, disk_bytes) = (settings.number(&OCCUPANCY)?, settings.bytes(&DISKSIZE)? as f64);
    // Doubles in this order: the counts are YCSB's to the last record.
    let records = (occupancy * (disk_bytes / (mean * shape.field_names.len() as f64))) as u64;
    if records == 0 {
        let reason = format!(
            "is too small: {occupancy} of it does not hold one record of {mean} bytes in each of {} fields",
            shape.field_names.len()
        );
        return Err(refused(settings, &DISKSIZE, &reason));
    }
    let operations = settings.u64(&STORAGEAGES)?.saturating_mul(records);
    let replaced: Vec<String> = [RECORDCOUNT, INSERTCOUNT, OPERATIONCOUNT]
        .iter()
        .zip([records, records, operations])
        .filter_map(|(declaration, count)| {
            let given = Given {
                spelling: declaration.name.to_owned(),
                value: count.to_string(),
                origin: Origin::Derived(NAME.to_owned()),
            };
            settings.set(declaration.name, given)
        })
        .map(|given| format!("{}={} ({})", given.spelling, given.value, given.origin))
        .collect();
    let mut workload = CoreWorkload::from_settings(settings, phase)?;
    if !replaced.is_empty() {
        workload.add_note(format!(
            "{NAME} sets recordcount and insertcount to {records} and operationcount to {operations} instead of {}",
            replaced.join(", ")
        ));
    }
    Ok(workload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Workload;
    use crate::workload::testing::settings;

    #[test]
    fn counts_follow_from_the_disk_size() {
        let mut settings = settings(&[("recordcount", "7")]);
        let workload = constant_occupancy(&mut settings, Phase::Load).expect("a workload");
        // 0.9 * (100,000,000 / (100 * 10))
        assert_eq!((workload.operation_count(), workload.expected_records()), (Some(90_000), Some(90_000)));
        assert_eq!(settings.u64(&OPERATIONCOUNT), Ok(900_000));
        assert_eq!(
            settings.given("recordcount").map(|given| given.origin.to_string()),
            Some(format!("set by {NAME}"))
        );
        assert!(workload.notes().iter().any(|note| note.contains("recordcount=7 (argument")));
    }

    #[test]
    fn lengths_without_a_mean_and_disks_without_room_are_refused() {
        for (given, part) in [
            (vec![("fieldlengthdistribution", "zipfian")], "no mean length"),
            (vec![("disksize", "1000")], "too small"),
            (vec![("insertstart", "5")], "insertcount"),
        ] {
            let refusal = constant_occupancy(&mut settings(&given), Phase::Run).err().expect("a refusal").0;
            assert!(refusal.contains(part), "{refusal}");
        }
    }
}
