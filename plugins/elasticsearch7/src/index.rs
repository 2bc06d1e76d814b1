//! Before the first operation: which servers answer, and the index with its mapping.

use crate::body::push_segment;
use crate::exchange::{Exchange, Request, Response};
use crate::reply::failure_of;
use crate::settings::{Config, Mapping};
use serde_json::{Value, json};
use std::time::Duration;
use ycsb_plugin_api::{Env, Failure, Phase};

/// What the sessions have to know of the index.
pub(crate) struct Index {
    /// The field to sort by: the copy of the key as it is, not analysed. `None` if the mapping has none.
    pub(crate) sort_field: Option<String>,
}

/// Asks every server who it is; those that do not answer are left out for now. What the first one says of itself.
///
/// # Errors
/// What happened with the first server, if none of them answers; what it answered, if that is a refusal.
pub(crate) fn ping_all(exchange: &mut Exchange, env: &Env<'_>) -> Result<String, Failure> {
    let mut server = None;
    let mut silent = Vec::new();
    let authenticates = exchange.shared().authenticates;
    for host in 0..exchange.shared().host_count() {
        let request = Request { method: "GET", target: b"/", body: b"", repeatable: true };
        match exchange.send_only_to(host, &request, env.deadline()) {
            Ok(response) if response.status == 200 => {
                let name = describe(&response)?;
                server.get_or_insert(name);
            }
            Ok(response) => {
                let failure = failure_of(&response, authenticates);
                return Err(failure.context(exchange.shared().endpoint(host)));
            }
            Err(failure) => silent.push(hinted(failure, exchange.shared().speaks_tls())),
        }
    }
    let mut silent = silent.into_iter();
    let Some(server) = server else {
        let first = silent.next().unwrap_or_else(|| Failure::unavailable("no server was asked"));
        return Err(first.context("no server of es.hosts.list answers"));
    };
    for failure in silent {
        env.host().warn(format!("left out for now and tried again later: {failure}"));
    }
    Ok(server)
}

/// Adds the property that may mend it.
fn hinted(failure: Failure, tls: bool) -> Failure {
    let hint = match (tls, failure.text()) {
        (false, text) if text.contains("closed the connection") => {
            "if it speaks TLS, set es.security.ssl=true"
        }
        (true, text) if text.contains("unknown CA") => "see es.security.ssl.path",
        (true, text) if text.contains("does not speak TLS") => "see es.security.ssl",
        _ => return failure,
    };
    let text = format!("{failure}; {hint}");
    failure.detail(text)
}

fn describe(response: &Response<'_>) -> Result<String, Failure> {
    let root: Value = serde_json::from_slice(response.body).unwrap_or_default();
    let version = &root["version"];
    let Some(number) = version["number"].as_str() else {
        return Err(Failure::unexpected_state(
            "what answers at es.hosts.list is not Elasticsearch: GET / names no version",
        ));
    };
    let product = match version["distribution"].as_str() {
        Some("opensearch") => "OpenSearch",
        _ => "Elasticsearch",
    };
    let cluster = root["cluster_name"].as_str().unwrap_or("without a name");
    Ok(format!("{product} {number}, cluster {cluster}"))
}

/// Makes the index ready: in the load phase it is created if it is absent, after deleting it if the run starts fresh.
///
/// # Errors
/// NOT_FOUND if it is absent in the run phase, otherwise what happened.
pub(crate) fn open(exchange: &mut Exchange, config: &Config, env: &Env<'_>) -> Result<Index, Failure> {
    let mut requests = IndexRequests { exchange, config, env };
    if env.phase() == Phase::Load {
        if env.fresh() {
            requests.delete()?;
        }
        if !requests.exists()? {
            requests.create()?;
        }
    } else if !requests.exists()? {
        return Err(Failure::not_found().detail(format!(
            "there is no index {}; load it first, or name another with es.index.name",
            config.index
        )));
    }
    requests.await_health()?;
    let mapping = requests.mapping()?;
    let sort_field = sort_field(&mapping, config);
    match &sort_field {
        None => env.host().warn(format!(
            "index {}: the mapping of {:?} has no keyword to sort by, so there are no scans; load with es.newdb=true",
            config.index, config.key_field
        )),
        Some(field) if *field != config.key_field => env.host().info(format!(
            "index {}: scans sort by {field}, which lacks keys of more than 256 characters",
            config.index
        )),
        Some(_) => {}
    }
    Ok(Index { sort_field })
}

struct IndexRequests<'a, 'e> {
    exchange: &'a mut Exchange,
    config: &'a Config,
    env: &'a Env<'e>,
}

impl IndexRequests<'_, '_> {
    /// Status and body of a request to the index; `path` follows its name.
    fn send(
        &mut self,
        method: &'static str,
        before: &str,
        after: &str,
        body: &str,
    ) -> Result<(u16, Value), Failure> {
        let mut target = before.as_bytes().to_vec();
        push_segment(&mut target, &self.config.index);
        target.extend_from_slice(after.as_bytes());
        let request = Request { method, target: &target, body: body.as_bytes(), repeatable: method == "GET" };
        let authenticates = self.exchange.shared().authenticates;
        let response = self.exchange.send(&request, self.env.deadline())?;
        let value: Value = serde_json::from_slice(response.body).unwrap_or_default();
        let kind = value["error"]["type"].as_str().unwrap_or_default();
        match (response.status, kind) {
            (200..=299 | 404, _) | (400, "resource_already_exists_exception") => Ok((response.status, value)),
            // The answer of the health API when the time is up.
            (408, _) => Ok((408, value)),
            _ => Err(failure_of(&response, authenticates).context(format!("index {}", self.config.index))),
        }
    }

    fn exists(&mut self) -> Result<bool, Failure> {
        Ok(self.send("GET", "/", "/_settings", "")?.0 != 404)
    }

    fn delete(&mut self) -> Result<(), Failure> {
        self.send("DELETE", "/", "", "").map(drop)
    }

    /// Somebody else may create it at the same time, which is as good.
    fn create(&mut self) -> Result<(), Failure> {
        let body = creation(self.config).to_string();
        self.send("PUT", "/", "", &body).map(drop)
    }

    /// Waits until every primary shard can be read and written.
    fn await_health(&mut self) -> Result<(), Failure> {
        let left = self.env.deadline().time_left().unwrap_or(Duration::from_secs(30));
        // The server gives up before the deadline of this side does, and says what is missing.
        let wait_ms = left.saturating_sub(Duration::from_millis(500)).as_millis().max(1);
        let query = format!("?wait_for_status=yellow&timeout={wait_ms}ms");
        let (status, health) = self.send("GET", "/_cluster/health/", &query, "")?;
        if status == 408 || health["timed_out"] == Value::Bool(true) || health["status"] == "red" {
            return Err(Failure::unavailable(format!(
                "index {}: not every primary shard is up (health {}); look at the cluster, or wait longer with connect.timeout",
                self.config.index,
                health["status"].as_str().unwrap_or("unknown")
            )));
        }
        Ok(())
    }

    fn mapping(&mut self) -> Result<Value, Failure> {
        Ok(self.send("GET", "/", "/_mapping", "")?.1)
    }
}

/// The body that creates the index.
fn creation(config: &Config) -> Value {
    let settings = json!({"number_of_shards": config.shards, "number_of_replicas": config.replicas});
    match config.mapping {
        Mapping::Dynamic => json!({"settings": settings}),
        Mapping::Stored => json!({
            "settings": settings,
            "mappings": {
                "date_detection": false,
                "dynamic_templates": [{
                    "values": {
                        "match_mapping_type": "string",
                        "mapping": {"type": "keyword", "index": false, "doc_values": false}
                    }
                }],
                "properties": {&config.key_field: {"type": "keyword"}}
            }
        }),
    }
}

/// The field to sort by. The answer has the index under its own name, which differs if `es.index.name` is an alias.
fn sort_field(mapping: &Value, config: &Config) -> Option<String> {
    let index = mapping.as_object()?.values().next()?;
    let key = &index["mappings"]["properties"][&config.key_field];
    let exact = |field: &Value| field["type"] == "keyword" && field["doc_values"] != Value::Bool(false);
    if exact(key) {
        return Some(config.key_field.clone());
    }
    // No document has arrived yet: the server will map the first as text with a keyword beside it.
    if key.is_null() || exact(&key["fields"]["keyword"]) {
        return Some(format!("{}.keyword", config.key_field));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{InsertOp, Refresh};

    fn config() -> Config {
        Config {
            hosts: Vec::new(),
            index: "i".into(),
            key_field: "key".into(),
            shards: 2,
            replicas: 1,
            mapping: Mapping::Stored,
            insert_op: InsertOp::Index,
            refresh: Refresh::Later,
            tls: None,
            credentials: None,
        }
    }

    fn sorted_by(key: Value) -> Option<String> {
        sort_field(&json!({"real-name": {"mappings": {"properties": {"key": key}}}}), &config())
    }

    #[test]
    fn scans_sort_by_the_key_or_by_the_keyword_beside_it() {
        assert_eq!(sorted_by(json!({"type": "keyword"})).as_deref(), Some("key"));
        let dynamic =
            json!({"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}});
        assert_eq!(sorted_by(dynamic).as_deref(), Some("key.keyword"));
        assert_eq!(sorted_by(Value::Null).as_deref(), Some("key.keyword"));
        assert_eq!(sorted_by(json!({"type": "text"})), None);
        assert_eq!(sorted_by(json!({"type": "keyword", "doc_values": false})), None);
    }

    #[test]
    fn a_stored_index_maps_the_key_and_a_dynamic_one_nothing() {
        let stored = creation(&config());
        assert_eq!(stored["mappings"]["properties"]["key"]["type"], "keyword");
        assert_eq!(stored["settings"], json!({"number_of_shards": 2, "number_of_replicas": 1}));
        let dynamic = creation(&Config { mapping: Mapping::Dynamic, ..config() });
        assert!(dynamic.get("mappings").is_none());
    }
}
