//! The operations of one client.

use crate::body::{check_id, push_document, push_segment, push_string};
use crate::exchange::{Exchange, Request, Response};
use crate::reply::{BULK_FILTER, BulkReply, failure_of};
use crate::settings::{Config, InsertOp};
use crate::source::{Take, read_document, read_hits};
use std::sync::Arc;
use ycsb_plugin_api::{
    Answer, Batch, Deadline, Delete, Done, Failure, Read, Rows, Scan, Select, Session, Write,
};

/// Most hits that the server returns at once (`index.max_result_window`).
const PAGE_ROWS: usize = 10_000;

/// The parts of requests that never change.
pub(crate) struct Requests {
    key_field: String,
    sort_field: Option<String>,
    insert_op: InsertOp,
    /// Paths up to the key.
    document: Vec<u8>,
    create: Vec<u8>,
    update: Vec<u8>,
    /// Whole paths.
    search: Vec<u8>,
    bulk: Vec<u8>,
    /// Queries, with their question mark, of writes and updates.
    write_query: String,
    update_query: String,
}

impl Requests {
    pub(crate) fn new(config: &Config, sort_field: Option<String>) -> Requests {
        let path = |after: &str| {
            let mut path = vec![b'/'];
            push_segment(&mut path, &config.index);
            path.extend_from_slice(after.as_bytes());
            path
        };
        let refresh = config.refresh.of_write();
        let bulk_refresh = refresh.map(|refresh| format!("&{refresh}")).unwrap_or_default();
        let update_refresh =
            config.refresh.of_update().map(|refresh| format!("&{refresh}")).unwrap_or_default();
        Requests {
            key_field: config.key_field.clone(),
            sort_field,
            insert_op: config.insert_op,
            document: path("/_doc/"),
            create: path("/_create/"),
            update: path("/_update/"),
            search: path(
                "/_search?allow_partial_search_results=false&filter_path=hits.hits._id,hits.hits._source,hits.hits.sort",
            ),
            bulk: path(&format!("/_bulk?{BULK_FILTER}{bulk_refresh}")),
            write_query: refresh.map(|refresh| format!("?{refresh}")).unwrap_or_default(),
            update_query: format!("?retry_on_conflict=3{update_refresh}"),
        }
    }

    /// The field to leave out of a result: the copy of the key, unless it is asked for by name.
    fn dropped(&self, select: Select<'_>) -> Option<&str> {
        let asked_for = !select.is_all() && select.wants(&self.key_field);
        (!asked_for).then_some(self.key_field.as_str())
    }
}

/// One client's session.
pub struct DocumentSession {
    exchange: Exchange,
    requests: Arc<Requests>,
    authenticates: bool,
    target: Vec<u8>,
    body: Vec<u8>,
    last_sort: String,
}

impl DocumentSession {
    pub(crate) fn new(exchange: Exchange, requests: Arc<Requests>) -> DocumentSession {
        let authenticates = exchange.shared().authenticates;
        let (target, body, last_sort) = (Vec::new(), Vec::new(), String::new());
        DocumentSession { exchange, requests, authenticates, target, body, last_sort }
    }

    /// Path of a request about one document.
    fn aim(&mut self, path: &[u8], key: &str, query: &str) -> Result<(), Failure> {
        check_id(key)?;
        self.target.clear();
        self.target.extend_from_slice(path);
        push_segment(&mut self.target, key);
        self.target.extend_from_slice(query.as_bytes());
        Ok(())
    }

    /// Sends a write, whose success says nothing more.
    fn write(&mut self, method: &'static str, repeatable: bool, deadline: Deadline) -> Answer {
        let request = Request { method, target: &self.target, body: &self.body, repeatable };
        let response = self.exchange.send(&request, deadline)?;
        checked(&response, self.authenticates).map(|()| Done::OK)
    }

    /// One page of a scan: how many rows came.
    fn page(
        &mut self,
        op: Scan<'_>,
        sort_field: &str,
        size: usize,
        first: bool,
        rows: &mut Rows<'_>,
    ) -> Result<usize, Failure> {
        self.body.clear();
        push_search(&mut self.body, op, sort_field, size, (!first).then_some(self.last_sort.as_str()));
        let requests = &self.requests;
        let request =
            Request { method: "POST", target: &requests.search, body: &self.body, repeatable: true };
        let response = self.exchange.send(&request, op.deadline())?;
        checked(&response, self.authenticates)?;
        let dropped = requests.dropped(op.select());
        read_hits(response.body, &mut Into(rows), dropped, &mut self.last_sort).map_err(undecodable)
    }
}

/// A success, or the failure that the response stands for.
#[inline]
fn checked(response: &Response<'_>, authenticates: bool) -> Result<(), Failure> {
    match response.status {
        200..=299 => Ok(()),
        _ => Err(failure_of(response, authenticates)),
    }
}

#[cold]
fn undecodable(error: serde_json::Error) -> Failure {
    Failure::error(format!("the response cannot be decoded: {error}"))
}

struct Into<'a, 'r>(&'a mut Rows<'r>);

impl Take for Into<'_, '_> {
    fn row(&mut self, id: &str) {
        self.0.row(id);
    }
    fn field(&mut self, name: &str, value: &str) {
        self.0.field(name, value);
    }
}

/// The fields of a read, as a parameter of its path.
fn push_select(target: &mut Vec<u8>, select: Select<'_>) {
    for (index, name) in select.iter().enumerate() {
        target.extend_from_slice(if index == 0 { b"?_source_includes=" } else { b"," });
        push_segment(target, name);
    }
}

fn push_search(body: &mut Vec<u8>, op: Scan<'_>, sort_field: &str, size: usize, after: Option<&str>) {
    body.extend_from_slice(b"{\"size\":");
    body.extend_from_slice(size.to_string().as_bytes());
    body.extend_from_slice(b",\"track_total_hits\":false,\"query\":{\"range\":{");
    push_string(body, sort_field);
    body.extend_from_slice(b":{\"gte\":");
    push_string(body, op.key());
    body.extend_from_slice(b"}}},\"sort\":[{");
    push_string(body, sort_field);
    // Without a type, a sort on an index without documents is an error.
    body.extend_from_slice(b":{\"order\":\"asc\",\"unmapped_type\":\"keyword\"}}]");
    if let Some(after) = after {
        body.extend_from_slice(b",\"search_after\":[");
        body.extend_from_slice(after.as_bytes());
        body.push(b']');
    }
    if !op.select().is_all() {
        for (index, name) in op.select().iter().enumerate() {
            body.extend_from_slice(if index == 0 { b",\"_source\":[" } else { b"," });
            push_string(body, name);
        }
        body.push(b']');
    }
    body.push(b'}');
}

impl Session for DocumentSession {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        let requests = Arc::clone(&self.requests);
        self.aim(&requests.document, op.key(), "")?;
        push_select(&mut self.target, op.select());
        let request = Request { method: "GET", target: &self.target, body: b"", repeatable: true };
        let response = self.exchange.send(&request, op.deadline())?;
        checked(&response, self.authenticates)?;
        match read_document(response.body, &mut Into(rows), requests.dropped(op.select()))
            .map_err(undecodable)?
        {
            true => Ok(Done::OK),
            false => Err(Failure::not_found()),
        }
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        let requests = Arc::clone(&self.requests);
        let sort_field = requests.sort_field.as_deref().ok_or_else(Failure::not_implemented)?;
        let mut wanted = op.limit();
        let mut first = true;
        while wanted > 0 {
            let size = wanted.min(PAGE_ROWS);
            if self.page(op, sort_field, size, first, rows)? < size {
                break;
            }
            wanted -= size;
            first = false;
        }
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        let requests = Arc::clone(&self.requests);
        self.aim(&requests.update, op.key(), &requests.update_query)?;
        self.body.clear();
        self.body.extend_from_slice(b"{\"doc\":");
        push_document(&mut self.body, &requests.key_field, op.key(), op.values())?;
        self.body.push(b'}');
        self.write("POST", false, op.deadline())
    }

    fn insert(&mut self, op: Write<'_>) -> Answer {
        let requests = Arc::clone(&self.requests);
        let (path, repeatable) = match requests.insert_op {
            InsertOp::Index => (&requests.document, true),
            InsertOp::Create => (&requests.create, false),
        };
        self.aim(path, op.key(), &requests.write_query)?;
        self.body.clear();
        push_document(&mut self.body, &requests.key_field, op.key(), op.values())?;
        self.write("PUT", repeatable, op.deadline())
    }

    fn delete(&mut self, op: Delete<'_>) -> Answer {
        let requests = Arc::clone(&self.requests);
        self.aim(&requests.document, op.key(), &requests.write_query)?;
        self.body.clear();
        self.write("DELETE", false, op.deadline())
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        let requests = Arc::clone(&self.requests);
        let action: &[u8] = match requests.insert_op {
            InsertOp::Index => b"{\"index\":{\"_id\":",
            InsertOp::Create => b"{\"create\":{\"_id\":",
        };
        self.body.clear();
        // Records that were sent, in order.
        let mut sent = Vec::with_capacity(batch.len());
        for (index, record) in batch.records().enumerate() {
            let start = self.body.len();
            let written = check_id(record.key()).and_then(|()| {
                self.body.extend_from_slice(action);
                push_string(&mut self.body, record.key());
                self.body.extend_from_slice(b"}}\n");
                push_document(&mut self.body, &requests.key_field, record.key(), record.values())
            });
            match written {
                Ok(()) => {
                    self.body.push(b'\n');
                    sent.push(index);
                }
                Err(failure) => {
                    self.body.truncate(start);
                    batch.fail(index, failure);
                }
            }
        }
        if sent.is_empty() {
            return Ok(Done::OK);
        }
        let request = Request { method: "POST", target: &requests.bulk, body: &self.body, repeatable: false };
        let response = self.exchange.send(&request, batch.deadline())?;
        checked(&response, self.authenticates)?;
        let reply = BulkReply::parse(response.body).map_err(undecodable)?;
        for (item, failure) in reply.failures(sent.len())? {
            batch.fail(sent[item], failure);
        }
        Ok(Done::OK)
    }
}
