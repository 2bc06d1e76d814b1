//! What a record consists of: field names, lengths and values.

use super::digest::Digest;
use super::integrity::write_value;
use super::records::refused;
use super::{FieldRange, Request};
use crate::base::rng::StreamRng;
use crate::config::{ConfigError, Declaration, Settings};
use crate::generator::zipfian::THETA;
use crate::generator::{HistogramFile, Payload, Uniform, Zipfian};
use std::path::Path;

/// Number of fields.
pub const FIELDCOUNT: Declaration = Declaration::integer("fieldcount")
    .default("10")
    .range("1..1000000")
    .help("Fields of a record; with TimeSeriesWorkload the number of series keys.");
/// What precedes the number in a field name.
pub const FIELDNAMEPREFIX: Declaration = Declaration::text("fieldnameprefix")
    .default("field")
    .help("What precedes the number, from 0, in the name of a field.");
/// Length of a value, or of the longest.
pub const FIELDLENGTH: Declaration = Declaration::integer("fieldlength")
    .default("100")
    .range("0..2147483647")
    .help("Bytes of a field's value, or of the longest; with TimeSeriesWorkload characters of a series key.");
/// Length of the shortest value.
pub const MINFIELDLENGTH: Declaration = Declaration::integer("minfieldlength")
    .default("1")
    .range("0..2147483647")
    .help("Bytes of the shortest value, where fieldlengthdistribution is uniform or zipfian.");
/// Distribution of lengths.
pub const FIELDLENGTHDISTRIBUTION: Declaration = Declaration::one_of(
    "fieldlengthdistribution",
    "constant|uniform|zipfian|histogram",
)
.default("constant")
.help("Distribution of value lengths; zipfian favours short ones, histogram reads fieldlengthhistogram.");
/// File of lengths.
pub const FIELDLENGTHHISTOGRAM: Declaration = Declaration::file("fieldlengthhistogram")
    .default("hist.txt")
    .help("File of value lengths: BlockSize, a tab, a size, then lines of index, tab, weight.");
/// Whether values can be checked.
pub const DATAINTEGRITY: Declaration = Declaration::bool("dataintegrity").default("false").help(
    "Writes values that follow from key and field, and checks what reads return (VERIFY); for load and run.",
);

/// A record longer than this is taken for a mistake.
const MAX_RECORD_BYTES: u64 = 1 << 32;

/// How long the values of fields are.
#[derive(Clone, Debug)]
pub enum FieldLengths {
    /// Always the same.
    Constant(u64),
    /// All lengths alike.
    Uniform(Uniform),
    /// Short ones more often.
    Zipfian {
        /// The shortest.
        shortest: u64,
        /// How much is added to it.
        beyond: Zipfian,
    },
    /// By weight.
    Histogram(HistogramFile),
}

/// Names, lengths and kind of the values of a record.
#[derive(Clone, Debug)]
pub struct RecordShape {
    /// What precedes the number in a field name.
    pub prefix: String,
    /// Names of the fields.
    pub field_names: Vec<String>,
    /// Lengths of the values.
    pub lengths: FieldLengths,
    /// Distribution and bounds of the lengths, in words.
    pub lengths_text: String,
    /// Bytes of a value on average; `None` where YCSB does not define it (zipfian).
    pub mean_field_bytes: Option<f64>,
    /// Bytes of the longest value.
    pub longest_field_bytes: u64,
    /// Whether values follow from key and field.
    pub deterministic: bool,
}

impl RecordShape {
    /// Reads fields, lengths and kind of the values.
    ///
    /// # Errors
    /// A number out of range, an unknown distribution, an unusable histogram, bounds in the wrong order, values
    /// to check whose length varies, a record that is too long to be meant.
    pub fn from_settings(settings: &Settings) -> Result<Self, ConfigError> {
        let prefix = settings.text(&FIELDNAMEPREFIX)?;
        let count = settings.u64(&FIELDCOUNT)?;
        let longest = settings.u64(&FIELDLENGTH)?;
        let distribution = settings.one_of(&FIELDLENGTHDISTRIBUTION)?;
        let (lengths, mean_field_bytes, bounds) = match distribution {
            "uniform" => {
                let shortest = shortest(settings, longest)?;
                let uniform = Uniform::new(shortest as i64, longest as i64);
                (FieldLengths::Uniform(uniform), Some((shortest + longest) as f64 / 2.0), (shortest, longest))
            }
            "zipfian" => {
                let shortest = shortest(settings, longest)?;
                let beyond = Zipfian::new(longest - shortest + 1, THETA);
                (FieldLengths::Zipfian { shortest, beyond }, None, (shortest, longest))
            }
            "histogram" => {
                let path = settings.text(&FIELDLENGTHHISTOGRAM)?;
                let histogram = HistogramFile::read(Path::new(&path)).map_err(|error| {
                    refused(settings, &FIELDLENGTHHISTOGRAM, &format!("is no use: {error}"))
                })?;
                let (mean, longest) = (histogram.mean(), histogram.longest());
                (FieldLengths::Histogram(histogram), Some(mean), (0, longest))
            }
            _ => (FieldLengths::Constant(longest), Some(longest as f64), (longest, longest)),
        };
        let (shortest, longest) = bounds;
        let lengths_text = match lengths {
            FieldLengths::Constant(length) => format!("constant {length}"),
            _ => format!("{distribution} {shortest}..{longest}"),
        };
        let deterministic = settings.bool(&DATAINTEGRITY)?;
        if deterministic && distribution != "constant" {
            let reason = format!(
                "needs values of constant length: set fieldlengthdistribution=constant instead of {distribution}"
            );
            return Err(refused(settings, &DATAINTEGRITY, &reason));
        }
        if count.saturating_mul(longest) > MAX_RECORD_BYTES {
            let reason = format!("makes records of up to {count} x {longest} bytes, more than 4 GiB");
            return Err(refused(settings, &FIELDCOUNT, &reason));
        }
        let field_names = (0..count).map(|field| format!("{prefix}{field}")).collect();
        Ok(RecordShape {
            prefix,
            field_names,
            lengths,
            lengths_text,
            mean_field_bytes,
            longest_field_bytes: longest,
            deterministic,
        })
    }

    /// Length of every value, if it is constant.
    pub fn constant_length(&self) -> Option<usize> {
        match self.lengths {
            FieldLengths::Constant(length) => Some(length as usize),
            _ => None,
        }
    }

    /// Lays out the values of these fields in a request, one behind the other, and draws their lengths.
    #[inline]
    fn lay_out(
        &self,
        fields: std::ops::Range<usize>,
        rng: &mut StreamRng,
        digest: &mut Digest,
        ranges: &mut Vec<FieldRange>,
    ) -> usize {
        ranges.clear();
        let mut start = 0;
        for field in fields {
            let len = self.lengths.draw(rng) as usize;
            digest.add(len as u64);
            ranges.push(FieldRange { field, start, len });
            start += len;
        }
        start
    }

    /// Writes values for these fields into a request whose key is set, in place of those that it held.
    pub fn write(
        &self,
        fields: std::ops::Range<usize>,
        rng: &mut StreamRng,
        payload: &mut Payload,
        digest: &mut Digest,
        request: &mut Request,
    ) {
        let total = self.lay_out(fields, rng, digest, &mut request.fields);
        if self.deterministic {
            request.values.clear();
            for range in &request.fields {
                write_value(&request.key, &self.field_names[range.field], range.len, &mut request.values);
            }
            return;
        }
        request.values.resize(total, 0);
        for range in &request.fields {
            payload.fill(&mut request.values[range.start..range.start + range.len]);
        }
    }
}

impl FieldLengths {
    /// Draws a length.
    #[inline]
    pub fn draw(&self, rng: &mut StreamRng) -> u64 {
        match self {
            FieldLengths::Constant(length) => *length,
            FieldLengths::Uniform(uniform) => uniform.draw(rng) as u64,
            FieldLengths::Zipfian { shortest, beyond } => shortest + beyond.draw(rng),
            FieldLengths::Histogram(histogram) => histogram.draw(rng),
        }
    }
}

fn shortest(settings: &Settings, longest: u64) -> Result<u64, ConfigError> {
    let shortest = settings.u64(&MINFIELDLENGTH)?;
    if shortest > longest {
        let reason = format!("is above the longest value, fieldlength={longest}");
        return Err(refused(settings, &MINFIELDLENGTH, &reason));
    }
    Ok(shortest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::testing::settings;

    #[test]
    fn fields_lie_one_behind_the_other() {
        let given = [("fieldcount", "4"), ("fieldlengthdistribution", "uniform"), ("fieldlength", "20")];
        let shape = RecordShape::from_settings(&settings(&given)).expect("a shape");
        let (mut rng, mut digest) = (StreamRng::new(1, 0), Digest::default());
        let mut payload = Payload::new(&mut rng);
        let mut request = Request::default();
        shape.write(0..4, &mut rng, &mut payload, &mut digest, &mut request);
        let mut end = 0;
        for (number, range) in request.fields.iter().enumerate() {
            assert_eq!((range.field, range.start), (number, end));
            assert!((1..=20).contains(&range.len));
            end += range.len;
        }
        assert_eq!(request.values.len(), end);
        assert_eq!(shape.field_names, ["field0", "field1", "field2", "field3"]);
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        for (given, part) in [
            (vec![("fieldlengthdistribution", "bogus")], "must be one of"),
            (
                vec![("dataintegrity", "true"), ("fieldlengthdistribution", "uniform")],
                "fieldlengthdistribution=constant",
            ),
            (vec![("fieldlengthdistribution", "uniform"), ("minfieldlength", "101")], "above the longest"),
            (
                vec![("fieldlengthdistribution", "histogram"), ("fieldlengthhistogram", "nosuch.txt")],
                "nosuch.txt",
            ),
            (vec![("fieldcount", "0")], "fieldcount"),
            (vec![("fieldcount", "1000"), ("fieldlength", "2000000000")], "4 GiB"),
        ] {
            let refusal = RecordShape::from_settings(&settings(&given)).expect_err("a refusal").0;
            assert!(refusal.contains(part), "{refusal}");
        }
    }
}
