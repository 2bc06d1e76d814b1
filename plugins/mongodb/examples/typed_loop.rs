//! What a plain loop over the driver's typed interface reads: the measure for `scripts/bench --server mongodb`.
//!
//! usage: typed_loop URL DATABASE COLLECTION CLIENTS SECONDS
//! Prints how many documents were read.

use mongodb::bson::{Document, doc};
use mongodb::options::ClientOptions;
use mongodb::{Client, Collection};
use std::sync::Arc;
use std::time::{Duration, Instant};

type AnyError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), AnyError> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, database, collection, clients, seconds] = &arguments[..] else {
        return Err("usage: typed_loop URL DATABASE COLLECTION CLIENTS SECONDS".into());
    };
    let (clients, seconds): (u32, u64) = (clients.parse()?, seconds.parse()?);
    // The driver's documentation shows programs that start with #[tokio::main]: this runtime.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let read = runtime.block_on(async {
        let mut options = ClientOptions::parse(url).await?;
        options.max_pool_size = Some(clients);
        let client = Client::with_options(options)?;
        let collection: Collection<Document> = client.database(database).collection(collection);
        let keys = Arc::new(keys(&collection).await?);
        let end = Instant::now() + Duration::from_secs(seconds);
        let tasks: Vec<_> = (0..clients)
            .map(|client| tokio::spawn(read_until(end, collection.clone(), Arc::clone(&keys), client)))
            .collect();
        let mut read = 0;
        for task in tasks {
            read += task.await??;
        }
        Ok::<u64, AnyError>(read)
    })?;
    println!("{read}");
    Ok(())
}

async fn keys(collection: &Collection<Document>) -> Result<Vec<String>, AnyError> {
    let mut cursor = collection.find(doc! {}).projection(doc! {"_id": 1}).await?;
    let mut keys = Vec::new();
    while cursor.advance().await? {
        keys.push(cursor.deserialize_current()?.get_str("_id")?.to_owned());
    }
    Ok(keys)
}

async fn read_until(
    end: Instant,
    collection: Collection<Document>,
    keys: Arc<Vec<String>>,
    client: u32,
) -> Result<u64, AnyError> {
    let mut random = u64::from(client).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut read = 0;
    while Instant::now() < end {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let key = &keys[(random % keys.len() as u64) as usize];
        collection.find_one(doc! {"_id": key}).await?.ok_or("a document is missing")?;
        read += 1;
    }
    Ok(read)
}
