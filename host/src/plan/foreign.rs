//! Names that belong to other bindings, and names of other tools that mean something else here.

/// A prefix of property names and the bindings that read names with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForeignPrefix {
    /// As in `redis.`.
    pub(super) prefix: &'static str,
    /// Names of bindings, as YCSB, a fork, go-ycsb or this project calls them.
    pub(super) bindings: &'static [&'static str],
}

macro_rules! prefixes {
    ($($prefix:literal $($binding:literal),+;)*) => {
        &[$(ForeignPrefix { prefix: $prefix, bindings: &[$($binding),+] }),*]
    };
}

/// People share one file between databases: names with these prefixes are no mistakes, whatever is run.
pub(super) const FOREIGN_PREFIXES: &[ForeignPrefix] = prefixes! {
    "accumulo." "accumulo1.9";
    "aerospike." "aerospike";
    "alibaba.cloud.tablestore." "tablestore";
    "arangodb." "arangodb", "arangodb3";
    "as." "aerospike";
    "asynchbase." "asynchbase";
    "azure." "azuretablestorage";
    "azurecosmos." "azurecosmos";
    "badger." "badger";
    "basicdb." "basic", "basicts";
    "cassandra." "cassandra-cql", "cassandra2-cql";
    "cloudspanner." "cloudspanner";
    "couchbase." "couchbase", "couchbase2";
    "crail." "crail";
    "db." "jdbc";
    "dynamodb." "dynamodb";
    "es." "elasticsearch", "elasticsearch5", "elasticsearch5-rest", "elasticsearch7";
    "etcd." "etcd";
    "fdb." "foundationdb";
    "foundationdb." "foundationdb";
    "gbudb." "goodbadugly";
    "geode." "geode";
    "google.bigtable." "googlebigtable";
    "googlebigtable2." "googlebigtable2";
    "googledatastore." "googledatastore";
    "hbase." "hbase1", "hbase2";
    "ignite." "ignite", "ignite-sql";
    "infinispan." "infinispan", "infinispan-cs";
    "jdbc." "jdbc";
    "kudu_" "kudu";
    "maprdb." "maprdb";
    "mem." "memdb", "memdb-async";
    "memcached." "memcached";
    "minio." "minio";
    "mongodb." "mongodb", "mongodb-async";
    "mysql." "mysql";
    "nosqldb." "nosqldb";
    "orientdb." "orientdb";
    "pegasus." "pegasus";
    "pg." "pg";
    "postgrenosql." "postgrenosql";
    "postgresql." "postgresql";
    "rados." "rados";
    "redb." "redb";
    "redis." "redis";
    "rest." "rest";
    "riak." "riak";
    "rocksdb." "rocksdb";
    "s3." "s3";
    "scylla." "scylla";
    "seaweed." "seaweedfs";
    "solr." "solr7";
    "spanner." "spanner";
    "sqlite." "sqlite";
    "store." "store";
    "tarantool." "tarantool";
    "tidb." "mysql";
    "tikv." "tikv";
    "voltdb." "voltdb", "store";
    "zookeeper." "zookeeper";
};

/// Names without a prefix that only other bindings read.
const FOREIGN_NAMES: &[(&str, &str)] = &[
    ("clientbuffering", "hbase1, hbase2"),
    ("durability", "hbase1, hbase2"),
    ("hosts", "cassandra-cql"),
    ("keytab", "hbase1, hbase2"),
    ("port", "cassandra-cql"),
    ("principal", "hbase1, hbase2"),
    ("writebuffersize", "hbase1, hbase2"),
];

/// The bindings that read a name, if it is one of theirs and of none that is chosen.
///
/// `chosen` is the name of the binding that is run; `declares_prefix` says whether it declares any name with
/// a prefix. A prefix of the chosen binding is never foreign: its unknown names are mistakes.
pub(super) fn foreign_owner(
    name: &str,
    chosen: Option<&str>,
    declares_prefix: impl Fn(&str) -> bool,
) -> Option<String> {
    if let Some((_, owners)) = FOREIGN_NAMES.iter().find(|(known, _)| *known == name) {
        return Some((*owners).to_owned());
    }
    let own = |foreign: &ForeignPrefix| {
        let family = |binding: &str| binding.split('-').next().unwrap_or_default().to_owned();
        declares_prefix(foreign.prefix)
            || chosen.is_some_and(|chosen| foreign.bindings.iter().any(|one| family(one) == family(chosen)))
    };
    FOREIGN_PREFIXES
        .iter()
        .filter(|foreign| name.starts_with(foreign.prefix) && name.len() > foreign.prefix.len())
        .max_by_key(|foreign| foreign.prefix.len())
        .filter(|foreign| !own(foreign))
        .map(|foreign| foreign.bindings.join(", "))
}

/// Names of other tools and what they are called here. They are refused, because guessing would change
/// what is measured.
const TRAPS: &[(&str, &str)] = &[
    ("threads", "the number of clients is threadcount here, or -threads on the command line"),
    ("thread.count", "the number of clients is threadcount here, or -threads on the command line"),
    ("concurrency", "the number of clients is threadcount here, or -threads on the command line"),
    ("warmuptime", "it is warmup here, with a unit, as in warmup=30s"),
    ("interval", "the time between status lines is status.interval here"),
    ("measurement.output_file", "raw samples go to measurement.raw.output_file here"),
    ("records", "the number of records is recordcount here"),
    ("operations", "the number of operations is operationcount here"),
    ("rate", "the rate is target here, in operations per second, or -target on the command line"),
];

/// What to do about a name that another tool uses for something that is called differently here.
pub(super) fn trap(name: &str) -> Option<&'static str> {
    TRAPS.iter().find(|(known, _)| *known == name).map(|(_, advice)| *advice)
}

/// What to do about a value that means something else in another tool: go-ycsb takes a period where YCSB
/// takes the kind of latency.
pub(super) fn value_trap(name: &str, value: &str) -> Option<&'static str> {
    let starts_with_digit = value.trim().starts_with(|c: char| c.is_ascii_digit());
    (name == "measurement.interval" && starts_with_digit).then_some(
        "is a period, as go-ycsb takes it; here the time between status lines is status.interval, and \
         measurement.interval is op, intended or both",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_bindings_are_told_from_those_of_the_chosen_one() {
        let none = |_: &str| false;
        assert_eq!(foreign_owner("redis.host", Some("redb"), none).as_deref(), Some("redis"));
        assert_eq!(foreign_owner("redis.hots", Some("redis"), none), None);
        assert_eq!(foreign_owner("mongodb.x", Some("mongodb-async"), none), None);
        assert_eq!(foreign_owner("es.index", Some("elasticsearch7"), none), None);
        assert_eq!(foreign_owner("store.x", Some("sqlstore"), |prefix| prefix == "store."), None);
        assert_eq!(foreign_owner("db.url", None, none).as_deref(), Some("jdbc"));
        assert_eq!(foreign_owner("redis.", None, none), None);
        assert_eq!(foreign_owner("recordcount", None, none), None);
    }

    #[test]
    fn names_and_values_of_other_tools_are_explained() {
        assert!(trap("threads").is_some_and(|advice| advice.contains("threadcount")));
        assert!(
            value_trap("measurement.interval", "10s").is_some_and(|text| text.contains("status.interval"))
        );
        assert!(value_trap("measurement.interval", "op").is_none());
    }
}
