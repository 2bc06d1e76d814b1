//! Names of tables and columns as PostgreSQL takes them from unquoted text.

use std::fmt;

/// Folds a name as the server folds an unquoted one: ASCII letters to lower case.
pub fn folded(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// A name in quotes.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The name of a table or function, perhaps with its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualifiedName {
    schema: Option<String>,
    name: String,
}

impl QualifiedName {
    /// Reads `name` or `schema.name`, folded.
    pub fn of(text: &str) -> QualifiedName {
        match text.split_once('.') {
            Some((schema, name)) => QualifiedName { schema: Some(folded(schema)), name: folded(name) },
            None => QualifiedName { schema: None, name: folded(text) },
        }
    }

    /// Another name in the same schema.
    pub fn beside(&self, name: &str) -> QualifiedName {
        QualifiedName { schema: self.schema.clone(), name: name.to_owned() }
    }
}

/// In quotes, ready for a statement.
impl fmt::Display for QualifiedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.schema {
            Some(schema) => write!(f, "{}.{}", quoted(schema), quoted(&self.name)),
            None => f.write_str(&quoted(&self.name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded_then_quoted() {
        assert_eq!(QualifiedName::of("UserTable").to_string(), "\"usertable\"");
        assert_eq!(QualifiedName::of("Bench.Store").to_string(), "\"bench\".\"store\"");
        assert_eq!(QualifiedName::of("a\"b").to_string(), "\"a\"\"b\"");
        assert_eq!(
            QualifiedName::of("Bench.Store").beside("ycsb_merge").to_string(),
            "\"bench\".\"ycsb_merge\""
        );
        assert_eq!(folded("FÄLD"), "fÄld");
    }
}
