//! The table on the server and its merge function: created if they may be, checked in any case.

use ycsb_plugin_api::{Deadline, Failure};
use ycsb_plugin_postgres::{Catalog, KeyOrder, Parameter, QualifiedName, Relation, Session};

/// Bytes of a keyspace and characters of a key at most, as in VoltDB's table.
pub(crate) const NAME_MAX: usize = 128;

/// The function that merges a sent record into a stored one.
pub(crate) fn merge_function(table: &QualifiedName) -> QualifiedName {
    table.beside("ycsb_merge")
}

/// Fields that are sent replace those of the same name and come last, as in VoltDB's procedure.
const MERGE: &str =
    "(stored bytea, sent bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $body$
DECLARE
  sent_count int := (get_byte(sent, 0) << 24) | (get_byte(sent, 1) << 16)
    | (get_byte(sent, 2) << 8) | get_byte(sent, 3);
  stored_count int := (get_byte(stored, 0) << 24) | (get_byte(stored, 1) << 16)
    | (get_byte(stored, 2) << 8) | get_byte(stored, 3);
  sent_names bytea[] := '{}';
  kept bytea := '';
  kept_count int := 0;
  field int;
  start int;
  bytes int;
  at int := 4;
  name bytea;
BEGIN
  FOR field IN 1 .. sent_count LOOP
    bytes := (get_byte(sent, at) << 24) | (get_byte(sent, at + 1) << 16)
      | (get_byte(sent, at + 2) << 8) | get_byte(sent, at + 3);
    sent_names := sent_names || substr(sent, at + 5, bytes);
    at := at + 4 + bytes;
    bytes := (get_byte(sent, at) << 24) | (get_byte(sent, at + 1) << 16)
      | (get_byte(sent, at + 2) << 8) | get_byte(sent, at + 3);
    at := at + 4 + bytes;
  END LOOP;
  at := 4;
  FOR field IN 1 .. stored_count LOOP
    start := at;
    bytes := (get_byte(stored, at) << 24) | (get_byte(stored, at + 1) << 16)
      | (get_byte(stored, at + 2) << 8) | get_byte(stored, at + 3);
    name := substr(stored, at + 5, bytes);
    at := at + 4 + bytes;
    bytes := (get_byte(stored, at) << 24) | (get_byte(stored, at + 1) << 16)
      | (get_byte(stored, at + 2) << 8) | get_byte(stored, at + 3);
    at := at + 4 + bytes;
    IF name <> ALL (sent_names) THEN
      kept := kept || substr(stored, start + 1, at - start);
      kept_count := kept_count + 1;
    END IF;
  END LOOP;
  RETURN int4send(kept_count + sent_count) || kept || substr(sent, 5);
END $body$";

/// Creates table and function where they are absent; the function is replaced.
pub(crate) fn create(
    catalog: &mut Catalog<'_>,
    table: &QualifiedName,
    max_value_bytes: u64,
) -> Result<(), Failure> {
    let limit = match max_value_bytes {
        0 => String::new(),
        bytes => format!(" CHECK (octet_length(value) <= {bytes})"),
    };
    catalog.create(&format!(
        "CREATE TABLE IF NOT EXISTS {table} (\
         keyspace bytea NOT NULL CHECK (octet_length(keyspace) <= {NAME_MAX}), \
         key varchar({NAME_MAX}) COLLATE \"C\" NOT NULL, \
         value bytea NOT NULL{limit}, \
         PRIMARY KEY (keyspace, key)); \
         CREATE OR REPLACE FUNCTION {}{MERGE}",
        merge_function(table)
    ))
}

/// Deletes the rows of a keyspace, if the table is there.
pub(crate) fn empty(
    session: &mut Session,
    table: &QualifiedName,
    keyspace: &str,
    deadline: Deadline,
) -> Result<(), Failure> {
    if Catalog::of(session, deadline).relation(table)?.is_none() {
        return Ok(());
    }
    let statement = session.add(&format!("DELETE FROM {table} WHERE keyspace = $1"));
    session.run(statement, [Parameter::Bytes(keyspace.as_bytes())], deadline, |_| Ok(())).map(drop)
}

/// Looks at the table and the function.
///
/// # Errors
/// NOT_FOUND for an absent one, UNEXPECTED_STATE for one that does not fit, with what to do.
pub(crate) fn check(catalog: &mut Catalog<'_>, table: &QualifiedName, database: &str) -> Result<(), Failure> {
    let absent = |what: String| {
        Failure::not_found().detail(format!(
            "there is no {what} in database {database:?}; load the data first, with the same store.table and \
             store.create=true"
        ))
    };
    let Some(relation) = catalog.relation(table)? else { return Err(absent(format!("table {table}"))) };
    if let Some(difference) = difference(&relation) {
        return Err(Failure::unexpected_state(format!(
            "table {table} is no store: {difference}; name another store.table, or drop this one and load again"
        )));
    }
    let signature = format!("{}(bytea, bytea)", merge_function(table));
    if !catalog.has_function(&signature)? {
        return Err(absent(format!("function {signature}")));
    }
    Ok(())
}

/// The first thing that does not fit.
fn difference(relation: &Relation) -> Option<String> {
    for (name, kinds) in [("keyspace", &["bytea"][..]), ("key", &["varchar", "text"]), ("value", &["bytea"])]
    {
        match relation.column(name) {
            None => return Some(format!("it has no column {name:?}")),
            Some(column) if !kinds.contains(&column.kind.as_str()) => {
                return Some(format!("column {name:?} is {}, not {}", column.kind, kinds[0]));
            }
            Some(column) => {
                if let KeyOrder::Collation(collation) = &column.order {
                    return Some(format!("column {name:?} has collation {collation}, not \"C\""));
                }
            }
        }
    }
    if let Some(extra) =
        relation.columns.iter().find(|column| !["keyspace", "key", "value"].contains(&&*column.name))
    {
        return Some(format!("it has another column {:?}", extra.name));
    }
    let keyed = relation.unique.iter().any(|columns| columns == "keyspace,key");
    (!keyed).then(|| "its primary key is not (keyspace, key)".to_owned())
}
