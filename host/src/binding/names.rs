//! What a user may type after `-db`: our names, YCSB's names, YCSB's class names, a path.

use std::path::PathBuf;

/// A binding of YCSB: its name and its class. Data, so that a known name without a plugin is told apart
/// from an unknown one.
#[derive(Clone, Copy, Debug)]
pub struct Upstream {
    /// Name as the launcher takes it.
    pub name: &'static str,
    /// Class without the leading `site.ycsb.`.
    pub class: &'static str,
}

macro_rules! upstream {
    ($($name:literal $class:literal)*) => { &[$(Upstream { name: $name, class: $class }),*] };
}

/// YCSB's list of bindings, with those that only one of its launchers or a fork knows.
pub const UPSTREAM: &[Upstream] = upstream! {
    "accumulo1.9" "db.accumulo.AccumuloClient"
    "aerospike" "db.AerospikeClient"
    "arangodb" "db.arangodb.ArangoDBClient"
    "arangodb3" "db.arangodb.ArangoDBClient"
    "asynchbase" "db.AsyncHBaseClient"
    "azurecosmos" "db.AzureCosmosClient"
    "azuretablestorage" "db.azuretablestorage.AzureClient"
    "basic" "BasicDB"
    "basicts" "BasicTSDB"
    "cassandra-cql" "db.CassandraCQLClient"
    "cassandra2-cql" "db.CassandraCQLClient"
    "cloudspanner" "db.cloudspanner.CloudSpannerClient"
    "couchbase" "db.CouchbaseClient"
    "couchbase2" "db.couchbase2.Couchbase2Client"
    "crail" "db.crail.CrailClient"
    "dynamodb" "db.DynamoDBClient"
    "elasticsearch" "db.ElasticsearchClient"
    "elasticsearch5" "db.elasticsearch5.ElasticsearchClient"
    "elasticsearch5-rest" "db.elasticsearch5.ElasticsearchRestClient"
    "elasticsearch7" "db.elasticsearch7.ElasticsearchRestHighLevelClient"
    "foundationdb" "db.foundationdb.FoundationDBClient"
    "geode" "db.GeodeClient"
    "goodbadugly" "GoodBadUglyDB"
    "googlebigtable" "db.GoogleBigtableClient"
    "googlebigtable2" "db.GoogleBigtable2Client"
    "googledatastore" "db.GoogleDatastoreClient"
    "griddb" "db.griddb.GridDBClient"
    "hbase1" "db.hbase1.HBaseClient1"
    "hbase2" "db.hbase2.HBaseClient2"
    "ignite" "db.ignite.IgniteClient"
    "ignite-sql" "db.ignite.IgniteSqlClient"
    "infinispan" "db.InfinispanClient"
    "infinispan-cs" "db.InfinispanRemoteClient"
    "jdbc" "db.JdbcDBClient"
    "kudu" "db.KuduYCSBClient"
    "maprdb" "db.mapr.MapRDBClient"
    "maprjsondb" "db.mapr.MapRJSONDBClient"
    "memcached" "db.MemcachedClient"
    "mongodb" "db.MongoDbClient"
    "mongodb-async" "db.AsyncMongoDbClient"
    "nosqldb" "db.NoSqlDbClient"
    "orientdb" "db.OrientDBClient"
    "postgrenosql" "postgrenosql.PostgreNoSQLDBClient"
    "rados" "db.RadosClient"
    "redis" "db.RedisClient"
    "rest" "webservice.rest.RestClient"
    "riak" "db.riak.RiakKVClient"
    "rocksdb" "db.rocksdb.RocksDBClient"
    "s3" "db.S3Client"
    "scylla" "db.scylla.ScyllaCQLClient"
    "seaweedfs" "db.seaweed.SeaweedClient"
    "solr7" "db.solr7.SolrClient"
    "tablestore" "db.tablestore.TableStoreClient"
    "tarantool" "db.TarantoolClient"
    "voltdb" "db.voltdb.VoltClient4"
    "voltdb" "db.VoltClient4"
    "zookeeper" "db.zookeeper.ZKClient"
};

/// What was asked for, before anything is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requested {
    /// A library file.
    Path(PathBuf),
    /// A binding name; a class name of YCSB has been turned into the name that belongs to it.
    Name(String),
}

/// Reads what was typed after `-db`, or given as the property `db`.
///
/// Text with a `/` or that ends in `.so` is a path. `site.ycsb.` and the older `com.yahoo.ycsb.` in front of
/// a class are the same.
pub fn requested(text: &str) -> Requested {
    if text.contains('/') || text.ends_with(".so") {
        return Requested::Path(PathBuf::from(text));
    }
    let class = text.strip_prefix("site.ycsb.").or_else(|| text.strip_prefix("com.yahoo.ycsb."));
    let known = class.and_then(|class| UPSTREAM.iter().find(|known| known.class == class));
    Requested::Name(known.map_or(text, |known| known.name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_classes_and_paths_are_told_apart() {
        for (typed, name) in [
            ("redb", "redb"),
            ("site.ycsb.BasicDB", "basic"),
            ("com.yahoo.ycsb.BasicDB", "basic"),
            ("com.yahoo.ycsb.db.VoltClient4", "voltdb"),
            ("site.ycsb.db.AsyncMongoDbClient", "mongodb-async"),
            ("site.ycsb.db.NoSuchClient", "site.ycsb.db.NoSuchClient"),
        ] {
            assert_eq!(requested(typed), Requested::Name(name.to_owned()));
        }
        assert_eq!(requested("./libycsb_mine.so"), Requested::Path("./libycsb_mine.so".into()));
        assert_eq!(requested("mine.so"), Requested::Path("mine.so".into()));
    }
}
