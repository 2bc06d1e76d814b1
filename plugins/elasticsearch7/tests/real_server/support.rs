//! What the tests share: how to open the binding, and a plain client that is not ours.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;
use ycsb_elasticsearch7::Elasticsearch;
use ycsb_plugin_api::testing::{Ended, Open, OpenBinding, Plugin};
use ycsb_test_services::Service;

/// Runs a test on every server that can be had; `scripts/test-elasticsearch717` names another one.
pub(crate) fn on_every_server(test: impl Fn(&Server)) {
    let names =
        std::env::var("YCSB_SEARCH_SERVERS").unwrap_or_else(|_| "elasticsearch7 opensearch".to_owned());
    for name in names.split_whitespace() {
        if let Some(service) = Service::up(name, &[]) {
            test(&Server::of(&service));
        }
    }
}

/// A server by its address.
pub(crate) struct Server {
    pub(crate) hosts: String,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn of(service: &Service) -> Server {
        Server {
            hosts: format!("{}:{}", service.fact("HOST"), service.fact("PORT")),
            url: service.fact("URL").to_owned(),
        }
    }

    /// How to open the binding on an index of this name, from empty.
    pub(crate) fn load(&self, index: &str) -> Open {
        Open { fresh: true, within: Some(Duration::from_secs(60)), ..Open::default() }
            .set("es.hosts.list", &self.hosts)
            .set("es.index.name", index)
    }

    /// The same for the run phase.
    pub(crate) fn run(&self, index: &str) -> Open {
        Open { run: true, fresh: false, ..self.load(index) }
    }

    /// A request of curl: status and body.
    pub(crate) fn curl(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut child = Command::new("curl")
            .args(["-sS", "-m", "30", "-X", method, "-w", "\n%{http_code}", "--data-binary", "@-"])
            .args(["-H", "content-type: application/json", &format!("{}{path}", self.url)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("curl runs");
        child.stdin.take().expect("piped").write_all(body.as_bytes()).expect("curl reads");
        let output = child.wait_with_output().expect("curl ends");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let (body, status) = text.rsplit_once('\n').expect("a status");
        (status.parse().expect("a number"), serde_json::from_str(body).unwrap_or_default())
    }

    /// Makes everything visible to searches.
    pub(crate) fn refresh(&self, index: &str) {
        assert_eq!(self.curl("POST", &format!("/{index}/_refresh"), "").0, 200);
    }

    /// Every document of an index by id, as a plain search sees it.
    pub(crate) fn documents(&self, index: &str) -> Vec<(String, Value)> {
        self.refresh(index);
        let (status, found) = self.curl("POST", &format!("/{index}/_search"), r#"{"size":1000}"#);
        assert_eq!(status, 200, "{found}");
        let hits = found["hits"]["hits"].as_array().expect("hits");
        let mut documents: Vec<_> = hits
            .iter()
            .map(|hit| (hit["_id"].as_str().expect("id").to_owned(), hit["_source"].clone()))
            .collect();
        documents.sort_by(|a, b| a.0.cmp(&b.0));
        documents
    }
}

/// Opens the binding.
pub(crate) fn opened(how: Open) -> OpenBinding {
    Plugin::blocking::<Elasticsearch>().open(how).unwrap_or_else(|ended| panic!("{ended:?}"))
}

/// How opening fails.
pub(crate) fn refused(how: Open) -> Ended {
    match Plugin::blocking::<Elasticsearch>().open(how) {
        Ok(_) => panic!("opened"),
        Err(ended) => *ended,
    }
}
