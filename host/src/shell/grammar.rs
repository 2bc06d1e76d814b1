//! The words of the shell: YCSB's commands, split at blanks.

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing.
    Empty,
    /// The list of commands.
    Help,
    /// The end.
    Quit,
    /// Read a record: its key, the wanted fields.
    Read(String, Vec<String>),
    /// Read records in order: first key, how many, the wanted fields.
    Scan(String, u64, Vec<String>),
    /// Change fields of a record.
    Update(String, Vec<(String, String)>),
    /// Write a record.
    Insert(String, Vec<(String, String)>),
    /// Remove a record.
    Delete(String),
    /// Show the table, or use another.
    Table(Option<String>),
    /// Not a command, or with the wrong words: what to answer.
    Error(String),
}

/// The commands with their words, for help and completion.
pub(super) const COMMANDS: [(&str, &str, &str); 8] = [
    ("read", "keyname [field1 field2 ...]", "Read a record"),
    ("scan", "keyname scanlength [field1 field2 ...]", "Read records in order, from a key on"),
    ("insert", "keyname name1=value1 [name2=value2 ...]", "Insert a record"),
    ("update", "keyname name1=value1 [name2=value2 ...]", "Change fields of a record"),
    ("delete", "keyname", "Delete a record"),
    ("table", "tablename", "Use another table; without a name, show which is used"),
    ("help", "", "Show this list"),
    ("quit", "", "Leave"),
];

/// Reads a line. Words are split at single blanks, as in YCSB: two blanks make an empty word between them.
pub(super) fn parse(line: &str) -> Line {
    let line = line.trim_end();
    if line.is_empty() {
        return Line::Empty;
    }
    let words: Vec<&str> = line.split(' ').collect();
    let rest = || words[2..].iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match (words[0], words.len()) {
        ("help", 1) => Line::Help,
        ("quit", 1) => Line::Quit,
        ("read", 2..) => Line::Read(words[1].to_owned(), rest()),
        ("scan", 3..) => match words[2].parse() {
            Ok(count) => Line::Scan(
                words[1].to_owned(),
                count,
                words[3..].iter().map(|word| (*word).to_owned()).collect(),
            ),
            Err(_) => syntax("scan"),
        },
        (command @ ("insert" | "update"), 3..) => {
            // The value runs to the end of the word, `=` signs included.
            let pairs = words[2..]
                .iter()
                .map(|word| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
            match (pairs.collect::<Option<Vec<_>>>(), command) {
                (Some(pairs), "insert") => Line::Insert(words[1].to_owned(), pairs),
                (Some(pairs), _) => Line::Update(words[1].to_owned(), pairs),
                (None, command) => syntax(command),
            }
        }
        ("delete", 2) => Line::Delete(words[1].to_owned()),
        ("table", 1) => Line::Table(None),
        ("table", 2) => Line::Table(Some(words[1].to_owned())),
        (word, _) if COMMANDS.iter().any(|(name, form, _)| *name == word && !form.is_empty()) => syntax(word),
        (word, _) => Line::Error(format!("Error: unknown command \"{word}\"")),
    }
}

fn syntax(command: &str) -> Line {
    let form = COMMANDS.iter().find(|(name, _, _)| *name == command).map_or("", |(_, form, _)| form);
    Line::Error(format!("Error: syntax is \"{command} {form}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_in_ycsb() {
        let pairs = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
        };
        for (line, read) in [
            ("", Line::Empty),
            ("   ", Line::Empty),
            ("quit", Line::Quit),
            ("read k1 f1", Line::Read("k1".into(), vec!["f1".into()])),
            ("read  k1", Line::Read(String::new(), vec!["k1".into()])),
            ("scan k1 2", Line::Scan("k1".into(), 2, Vec::new())),
            ("insert k a=1 b=x=y", Line::Insert("k".into(), pairs(&[("a", "1"), ("b", "x=y")]))),
            ("update k a=", Line::Update("k".into(), pairs(&[("a", "")]))),
            ("delete k", Line::Delete("k".into())),
            ("table", Line::Table(None)),
        ] {
            assert_eq!(parse(line), read, "{line:?}");
        }
    }

    #[test]
    fn everything_else_is_answered_with_the_right_form() {
        for (line, answer) in [
            ("table a b", "Error: syntax is \"table tablename\""),
            ("read", "Error: syntax is \"read keyname [field1 field2 ...]\""),
            ("scan k1", "Error: syntax is \"scan keyname scanlength [field1 field2 ...]\""),
            ("scan k1 x", "Error: syntax is \"scan keyname scanlength [field1 field2 ...]\""),
            ("insert k a", "Error: syntax is \"insert keyname name1=value1 [name2=value2 ...]\""),
            ("update k1", "Error: syntax is \"update keyname name1=value1 [name2=value2 ...]\""),
            ("delete", "Error: syntax is \"delete keyname\""),
            ("bogus x", "Error: unknown command \"bogus\""),
            (" read k", "Error: unknown command \"\""),
            ("READ k", "Error: unknown command \"READ\""),
        ] {
            assert_eq!(parse(line), Line::Error(answer.to_owned()), "{line:?}");
        }
    }
}
