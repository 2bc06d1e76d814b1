//! The operations, on a client of the driver. Both bindings execute these.

use crate::document::{changes, key_of, projection, push_fields, record};
use crate::failure::{failure, of_code};
use futures_util::StreamExt;
use mongodb::action::Find;
use mongodb::bson::raw::RawArrayBuf;
use mongodb::bson::{Document, RawDocumentBuf, cstr, doc, rawdoc};
use mongodb::error::{Error, ErrorKind};
use mongodb::options::WriteConcern;
use mongodb::{Client, Collection, Database};
use ycsb_plugin_api::{Answer, Batch, Delete, Done, Failure, Read, Rows, Scan, Write};

/// The largest insert command. The server takes 48 MB per message; a single record may have 16 MiB.
const CHUNK_BYTES: usize = 30_000_000;
const CHUNK_RECORDS: usize = 100_000;

/// Where the records are.
#[derive(Clone)]
pub(crate) struct Store {
    database: Database,
    collection: Collection<RawDocumentBuf>,
    upsert: bool,
}

impl Store {
    pub(crate) fn new(client: &Client, database: &str, table: &str, upsert: bool) -> Store {
        let database = client.database(database);
        let collection = database.collection(table);
        Store { database, collection, upsert }
    }

    /// The collection: a clone of a handle unless the operation names another table.
    fn collection(&self, table: &str) -> Collection<RawDocumentBuf> {
        if self.collection.name() == table {
            self.collection.clone()
        } else {
            self.database.collection(table)
        }
    }

    /// Asks the server for nothing, over a connection of the pool.
    pub(crate) async fn ping(&self) -> Result<(), Failure> {
        self.database.run_command(doc! {"ping": 1}).await.map_err(told)?;
        Ok(())
    }

    pub(crate) async fn read(&self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let collection = self.collection(op.table());
        let find = collection.find(doc! {"_id": op.key()}).limit(-1);
        match self.hand_over(projected(find, projection(op.select(), false)), rows, false).await? {
            0 => Err(Failure::not_found()),
            _ => Ok(Done::OK),
        }
    }

    pub(crate) async fn scan(&self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        if op.limit() == 0 {
            return Ok(Done::OK);
        }
        let limit = i64::try_from(op.limit()).unwrap_or(i64::MAX);
        let collection = self.collection(op.table());
        let find = collection.find(doc! {"_id": {"$gte": op.key()}}).sort(doc! {"_id": 1}).limit(limit);
        self.hand_over(projected(find, projection(op.select(), true)), rows, true).await?;
        Ok(Done::OK)
    }

    /// Runs a query and hands over its documents straight from the bytes of each reply; how many there were.
    async fn hand_over(
        &self,
        find: Find<'_, RawDocumentBuf>,
        rows: &mut Rows<'_>,
        scan: bool,
    ) -> Result<u64, Failure> {
        let mut found = 0;
        let mut batches = find.batch().await.map_err(told)?;
        while let Some(batch) = batches.next().await {
            let batch = batch.map_err(told)?;
            for document in batch.doc_slices().map_err(told)? {
                let document = document.map_err(undecodable)?.as_document().ok_or_else(no_document)?;
                if scan {
                    rows.row(key_of(document));
                }
                push_fields(document, rows).map_err(undecodable)?;
                found += 1;
            }
        }
        Ok(found)
    }

    pub(crate) async fn update(&self, op: Write<'_>) -> Answer {
        let changes = changes(op.values())?;
        let updated =
            self.collection(op.table()).update_one(doc! {"_id": op.key()}, changes).await.map_err(told)?;
        if updated.matched_count == 0 { Err(Failure::not_found()) } else { Ok(Done::OK) }
    }

    pub(crate) async fn insert(&self, op: Write<'_>) -> Answer {
        let document = record(op.key(), op.values())?;
        let collection = self.collection(op.table());
        match self.upsert {
            false => drop(collection.insert_one(document).await.map_err(told)?),
            true => {
                let replace = collection.replace_one(doc! {"_id": op.key()}, document).upsert(true);
                drop(replace.await.map_err(told)?);
            }
        }
        Ok(Done::OK)
    }

    pub(crate) async fn delete(&self, op: Delete<'_>) -> Answer {
        let deleted = self.collection(op.table()).delete_one(doc! {"_id": op.key()}).await.map_err(told)?;
        if deleted.deleted_count == 0 { Err(Failure::not_found()) } else { Ok(Done::OK) }
    }

    pub(crate) async fn insert_batch(&self, batch: &mut Batch<'_>) -> Answer {
        let (mut documents, mut indexes, mut bytes) = (Vec::new(), Vec::new(), 0);
        for (index, row) in batch.records().enumerate() {
            let document = match record(row.key(), row.values()) {
                Ok(document) => document,
                Err(failure) => {
                    batch.fail(index, failure);
                    continue;
                }
            };
            let size = document.as_bytes().len();
            if !documents.is_empty() && (bytes + size > CHUNK_BYTES || documents.len() == CHUNK_RECORDS) {
                self.send_chunk(batch, std::mem::take(&mut documents), &indexes).await?;
                indexes.clear();
                bytes = 0;
            }
            documents.push(document);
            indexes.push(index);
            bytes += size;
        }
        if !documents.is_empty() {
            self.send_chunk(batch, documents, &indexes).await?;
        }
        Ok(Done::OK)
    }

    /// Sends a part of a batch and tells how each of its records ended. An error is that of all records not told of.
    async fn send_chunk(
        &self,
        batch: &mut Batch<'_>,
        documents: Vec<RawDocumentBuf>,
        indexes: &[usize],
    ) -> Result<(), Failure> {
        let collection = self.collection(batch.table());
        let failed = match self.upsert {
            false => match collection.insert_many(documents).ordered(false).await {
                Ok(_) => Vec::new(),
                Err(error) => row_failures(&error)?,
            },
            true => self.replace_many(&collection, documents).await?,
        };
        for index in indexes {
            batch.written(*index);
        }
        for (row, failure) in failed {
            let index = indexes
                .get(row)
                .ok_or_else(|| Failure::unexpected_state("an error names a record that was not sent"))?;
            batch.fail(*index, failure);
        }
        Ok(())
    }

    /// One `update` command of upserting replacements, as a single insert with `mongodb.upsert` does it.
    async fn replace_many(
        &self,
        collection: &Collection<RawDocumentBuf>,
        documents: Vec<RawDocumentBuf>,
    ) -> Result<Vec<(usize, Failure)>, Failure> {
        let mut updates = RawArrayBuf::new();
        for document in &documents {
            let mut update = rawdoc! {"q": {"_id": key_of(document)}};
            update.append(cstr!("u"), document);
            update.append(cstr!("upsert"), true);
            updates.push(update);
        }
        let mut command = rawdoc! {"update": collection.name(), "ordered": false};
        command.append(cstr!("updates"), updates);
        if let Some(concern) = collection.write_concern().and_then(concern_document) {
            command.append(cstr!("writeConcern"), concern);
        }
        let reply = self.database.run_raw_command(command).await.map_err(told)?;
        write_errors(&reply)
    }
}

fn projected<'a>(find: Find<'a, RawDocumentBuf>, projection: Option<Document>) -> Find<'a, RawDocumentBuf> {
    match projection {
        Some(fields) => find.projection(fields),
        None => find,
    }
}

/// The write concern of the URL, which a command of our own does not inherit.
fn concern_document(concern: &WriteConcern) -> Option<RawDocumentBuf> {
    let mut document = Document::new();
    if let Some(w) = &concern.w {
        let number = match w {
            mongodb::options::Acknowledgment::Nodes(nodes) => i32::try_from(*nodes).ok()?.into(),
            mongodb::options::Acknowledgment::Majority => "majority".into(),
            mongodb::options::Acknowledgment::Custom(tag) => mongodb::bson::Bson::String(tag.clone()),
            _ => return None,
        };
        document.insert("w", number);
    }
    if let Some(journal) = concern.journal {
        document.insert("j", journal);
    }
    if let Some(timeout) = concern.w_timeout {
        document.insert("wtimeout", i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX));
    }
    if document.is_empty() { None } else { RawDocumentBuf::try_from(&document).ok() }
}

/// Which records of an insert command failed; an error if it is about all of them.
fn row_failures(error: &Error) -> Result<Vec<(usize, Failure)>, Failure> {
    match error.kind.as_ref() {
        ErrorKind::InsertMany(many) if many.write_concern_error.is_none() => {
            let errors = many.write_errors.iter().flatten();
            Ok(errors.map(|error| (error.index, of_code(error.code, &error.message))).collect())
        }
        _ => Err(failure(error)),
    }
}

/// Which records of an update command failed.
fn write_errors(reply: &Document) -> Result<Vec<(usize, Failure)>, Failure> {
    let code = |document: &Document| document.get_i32("code").unwrap_or_default();
    let message = |document: &Document| document.get_str("errmsg").unwrap_or_default().to_owned();
    if let Ok(concern) = reply.get_document("writeConcernError") {
        return Err(
            of_code(code(concern), &message(concern)).context("the write was not acknowledged as asked for")
        );
    }
    let Ok(errors) = reply.get_array("writeErrors") else { return Ok(Vec::new()) };
    let failed = errors.iter().filter_map(|error| error.as_document()).map(|error| {
        let index =
            error.get_i32("index").ok().and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
        (index, of_code(code(error), &message(error)))
    });
    Ok(failed.collect())
}

#[cold]
fn told(error: Error) -> Failure {
    failure(&error)
}

#[cold]
fn undecodable(error: mongodb::bson::error::Error) -> Failure {
    Failure::error(format!("the reply cannot be decoded: {error}"))
}

#[cold]
fn no_document() -> Failure {
    Failure::error("the reply cannot be decoded: a record is no document")
}
