//! The table as the binding uses it.

use crate::json;
use std::collections::HashSet;
use ycsb_plugin_api::{Failure, Names, Rows, Select};
use ycsb_plugin_postgres::{QualifiedName, Row, folded, quoted};

/// The column with the key.
pub(crate) const KEY: &str = "ycsb_key";
/// The column with the document.
pub(crate) const DOCUMENT: &str = "ycsb_value";

/// How a record becomes a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A text column per field.
    Columns,
    /// One JSONB column, an object of field name to text.
    Jsonb,
}

/// The table, and the fields that records have.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: QualifiedName,
    pub(crate) layout: Layout,
    /// Names of the fields, as the workload spells them.
    pub(crate) fields: Vec<String>,
}

impl Table {
    /// # Errors
    /// BAD_REQUEST if two fields would share a column.
    pub(crate) fn of(name: &str, layout: Layout, fields: Names<'_>) -> Result<Table, Failure> {
        let fields: Vec<String> = fields.iter().map(str::to_owned).collect();
        if layout == Layout::Columns {
            let mut columns = HashSet::from([KEY.to_owned()]);
            if let Some(twice) = fields.iter().find(|field| !columns.insert(folded(field))) {
                return Err(Failure::bad_request(format!(
                    "field {twice:?} folds to column {:?}, which is taken; rename it, or use \
                     postgresql.layout=jsonb",
                    folded(twice)
                )));
            }
        }
        Ok(Table { name: QualifiedName::of(name), layout, fields })
    }
}

impl Table {
    /// How many names of wanted fields at most are parameters of a statement, not part of it.
    #[inline]
    pub(crate) fn name_parameters(&self) -> usize {
        match self.layout {
            Layout::Columns => 0,
            Layout::Jsonb => usize::MAX,
        }
    }

    /// Hands over the fields of a row: what a statement with this selection returns, after the key.
    #[inline]
    pub(crate) fn hand_over(
        &self,
        mut row: Row<'_>,
        select: Select<'_>,
        rows: &mut Rows<'_>,
    ) -> Result<(), Failure> {
        match (self.layout, select.is_all()) {
            (Layout::Jsonb, true) => match row.bytes()?.split_first() {
                Some((1, document)) => json::read(document, |name, value| rows.field(name, value)),
                _ => Err(Failure::error("the server sent JSONB in a format that is not known")),
            },
            (Layout::Columns, true) => {
                for name in &self.fields {
                    hand_over_column(&mut row, name, rows)?;
                }
                Ok(())
            }
            (_, false) => {
                for name in select.iter() {
                    hand_over_column(&mut row, name, rows)?;
                }
                Ok(())
            }
        }
    }
}

/// A NULL is a field that the record does not have.
#[inline]
fn hand_over_column(row: &mut Row<'_>, name: &str, rows: &mut Rows<'_>) -> Result<(), Failure> {
    if let Some(value) = row.column()? {
        rows.field(name, value);
    }
    Ok(())
}

/// A field's column in a statement.
pub(crate) fn column(field: &str) -> String {
    quoted(&folded(field))
}
