//! The table on the server: created if it may be, checked in any case.

use crate::table::{DOCUMENT, KEY, Layout, Table, column};
use ycsb_plugin_api::Failure;
use ycsb_plugin_postgres::{Catalog, KeyOrder, Relation, folded};

/// What there is to know of a suitable table.
pub(crate) struct TableFacts {
    /// The order of scans.
    pub(crate) order: KeyOrder,
    /// Whether two rows can have one key.
    pub(crate) unique: bool,
}

/// Empties the table if it is there.
pub(crate) fn empty(catalog: &mut Catalog<'_>, table: &Table) -> Result<(), Failure> {
    match catalog.relation(&table.name)? {
        Some(_) => catalog.create(&format!("TRUNCATE {}", table.name)),
        None => Ok(()),
    }
}

/// Creates the table if it is not there.
pub(crate) fn create(catalog: &mut Catalog<'_>, table: &Table) -> Result<(), Failure> {
    let key = format!("{} varchar(255) COLLATE \"C\" PRIMARY KEY", column(KEY));
    let columns = match table.layout {
        Layout::Jsonb => vec![key, format!("{} jsonb NOT NULL", column(DOCUMENT))],
        Layout::Columns => {
            let fields = table.fields.iter().map(|field| format!("{} text", column(field)));
            [key].into_iter().chain(fields).collect()
        }
    };
    catalog.create(&format!("CREATE TABLE IF NOT EXISTS {} ({})", table.name, columns.join(", ")))
}

/// Looks at the table.
///
/// # Errors
/// NOT_FOUND for an absent one, UNEXPECTED_STATE for one that does not fit, with what to do.
pub(crate) fn check(catalog: &mut Catalog<'_>, table: &Table, database: &str) -> Result<TableFacts, Failure> {
    let Some(relation) = catalog.relation(&table.name)? else {
        return Err(Failure::not_found().detail(format!(
            "there is no table {} in database {database:?}; load the data first, with the same table and \
             postgresql.create=true",
            table.name
        )));
    };
    match difference(&relation, table) {
        Some(difference) => Err(Failure::unexpected_state(format!(
            "table {} does not suit postgresql.layout={}: {difference}; use another table, or drop this one and \
             load again",
            table.name,
            match table.layout {
                Layout::Columns => "columns",
                Layout::Jsonb => "jsonb",
            }
        ))),
        None => Ok(TableFacts {
            order: relation.column(KEY).map_or(KeyOrder::Bytes, |key| key.order.clone()),
            unique: relation.unique.iter().any(|columns| columns == KEY),
        }),
    }
}

/// The first thing that does not fit.
fn difference(relation: &Relation, table: &Table) -> Option<String> {
    let text = |name: &str| match relation.column(name) {
        None => Some(format!("it has no column {name:?}")),
        Some(column) if !column.is_text() => Some(format!("column {name:?} is {}, not text", column.kind)),
        Some(_) => None,
    };
    if let Some(difference) = text(KEY) {
        return Some(difference);
    }
    match table.layout {
        Layout::Columns => table.fields.iter().find_map(|field| text(&folded(field))),
        Layout::Jsonb => match relation.column(DOCUMENT) {
            None => Some(format!("it has no column {DOCUMENT:?}")),
            Some(column) if column.kind != "jsonb" => {
                Some(format!("column {DOCUMENT:?} is {}, not jsonb", column.kind))
            }
            Some(_) => None,
        },
    }
}
