//! What a run printed, without what differs from run to run: latencies, random values, random choices.

use std::collections::BTreeMap;

/// A report block: all lines of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// As in `READ`.
    pub(crate) name: String,
    /// Labels in order.
    pub(crate) labels: Vec<String>,
    /// Values of `Operations` and of the `Return=` lines.
    pub(crate) counts: BTreeMap<String, u64>,
}

/// The parts of standard output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Transcript {
    /// Lines that belong to no report, without the property blocks of `basic`.
    pub(crate) echo: Vec<String>,
    /// Report blocks in order.
    pub(crate) blocks: Vec<Block>,
}

impl Transcript {
    /// Takes a text report apart. Lines of single garbage collectors are left out.
    pub(crate) fn of(stdout: &str) -> Self {
        let mut transcript = Transcript { echo: Vec::new(), blocks: Vec::new() };
        let mut in_properties = false;
        for line in stdout.lines() {
            let stars = line.starts_with("*****");
            if stars || in_properties {
                in_properties = if stars { !in_properties } else { in_properties };
                continue;
            }
            match report_line(line) {
                Some((name, label, value)) => transcript.add(name, label, value),
                None => transcript.echo.push(line.to_owned()),
            }
        }
        transcript
    }

    /// Takes the objects of the JSON exporter apart.
    pub(crate) fn of_json(text: &str) -> Self {
        let mut transcript = Transcript { echo: Vec::new(), blocks: Vec::new() };
        for object in serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>() {
            let object = object.expect("JSON");
            let member = |name: &str| object[name].as_str().expect(name).to_owned();
            transcript.add(&member("metric"), &member("measurement"), &object["value"].to_string());
        }
        transcript
    }

    fn add(&mut self, name: &str, label: &str, value: &str) {
        if ["TOTAL_GCS_", "TOTAL_GC_TIME_"].iter().any(|collector| name.starts_with(collector))
            && name != "TOTAL_GC_TIME_%"
        {
            return;
        }
        if self.blocks.last().is_none_or(|block| block.name != name) {
            let (labels, counts) = (Vec::new(), BTreeMap::new());
            self.blocks.push(Block { name: name.to_owned(), labels, counts });
        }
        let block = self.blocks.last_mut().expect("a block");
        block.labels.push(label.to_owned());
        if label == "Operations" || label.starts_with("Return=") {
            block.counts.insert(label.to_owned(), value.parse().expect(value));
        }
    }

    /// A count of a block; 0 if there is none.
    pub(crate) fn count(&self, block: &str, label: &str) -> u64 {
        let found = self.blocks.iter().find(|one| one.name == block);
        found.and_then(|one| one.counts.get(label)).copied().unwrap_or(0)
    }

    /// The same transcript with the operations of a random mix put together: what is left has to be equal.
    pub(crate) fn without_mix(mut self, counts_are_random: bool) -> Self {
        for prefix in ["", "Intended-"] {
            let mixed = |block: &Block| {
                ["READ", "UPDATE", "READ-FAILED", "UPDATE-FAILED"]
                    .iter()
                    .any(|name| block.name == format!("{prefix}{name}"))
            };
            let operations =
                self.blocks.iter().filter(|block| mixed(block)).map(|block| block.counts["Operations"]);
            let total: u64 = operations.sum();
            let Some(first) = self.blocks.iter().position(mixed) else { continue };
            let labels = self.blocks[first].labels.iter().filter(|label| !label.starts_with("Return="));
            let labels = labels.cloned().collect();
            self.blocks.retain(|block| !mixed(block));
            let counts = match counts_are_random {
                true => BTreeMap::new(),
                false => BTreeMap::from([("Operations".to_owned(), total)]),
            };
            self.blocks.push(Block { name: format!("{prefix}mix"), labels, counts });
        }
        self
    }
}

fn report_line(line: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = line.strip_prefix('[')?.split_once("], ")?;
    let (label, value) = rest.rsplit_once(", ")?;
    Some((name, label, value))
}

/// An echoed operation without its random parts.
///
/// Values of `value_length` characters become `=`, names are put into order. `random_keys` hides keys and
/// operations of a run that chooses them at random.
pub(crate) fn echoed(line: &str, value_length: usize, random_keys: bool) -> String {
    let Some((head, fields)) = line.split_once(" [ ") else { return line.to_owned() };
    let mut words: Vec<&str> = head.split(' ').collect();
    let writes = matches!(words[0], "INSERT" | "UPDATE");
    if random_keys && words[0] != "INSERT" {
        words[2] = "KEY";
        words.truncate(3);
    }
    let mut names = Vec::new();
    let mut rest = fields;
    while !rest.is_empty() && rest != "]" && !rest.starts_with('<') {
        let end = rest.find(if writes { '=' } else { ' ' }).unwrap_or_else(|| panic!("{line:?}"));
        names.push(&rest[..end]);
        let value = if writes { 1 + value_length } else { 0 };
        let after = rest[end..].char_indices().nth(value + 1).map_or(rest.len(), |(at, _)| end + at);
        rest = &rest[after..];
    }
    names.sort_unstable();
    let fields = match names.as_slice() {
        [] => fields.to_owned(),
        // One of several fields is chosen at random.
        [_] if !writes || words[0] == "UPDATE" => "one field".to_owned(),
        names => names.join(" "),
    };
    format!("{} [ {fields}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn echoed_lines_lose_their_random_parts_only() {
        for (line, shape) in [
            ("INSERT t user1 [ field1== ]= field0=abcd ]", "INSERT t user1 [ field0 field1"),
            ("READ t user7 [ <all fields>]", "READ t KEY [ <all fields>]"),
            ("READ t user7 [ field1 field0 ]", "READ t KEY [ field0 field1"),
            ("SCAN t user7 491 [ <all fields>]", "SCAN t KEY [ <all fields>]"),
            ("UPDATE t user7 [ field3=abcd ]", "UPDATE t KEY [ one field"),
        ] {
            assert_eq!(echoed(line, 4, true), shape);
        }
        assert_eq!(echoed("READ t user7 [ <all fields>]", 4, false), "READ t user7 [ <all fields>]");
    }
}
