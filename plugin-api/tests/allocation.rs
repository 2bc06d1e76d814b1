//! No operation allocates, in either flavour, on the plugin's side of the border.

use std::time::Duration;
use ycsb_plugin_api::abi::status;
use ycsb_plugin_api::testing::{CountingAllocator, Do, Open, OpenBinding, Plugin};
use ycsb_plugin_api::tokio::task::yield_now;
use ycsb_plugin_api::{
    Answer, AsyncBinding, AsyncSession, Batch, Binding, Client, Done, Env, Failure, Info, Opened, Read, Rows,
    Scan, Session, Settings, Write,
};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

struct Frugal;

impl Binding for Frugal {
    const INFO: Info = Info::new("frugal");
    type Session = Frugal;

    fn open(_: &Settings<'_>, _: &Env<'_>) -> Result<Opened<Frugal>, Failure> {
        Ok(Opened::new(Frugal))
    }

    fn session(&self, _: &Client<'_>) -> Result<Frugal, Failure> {
        Ok(Frugal)
    }
}

impl Session for Frugal {
    fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        rows.field("field0", op.key());
        Err(Failure::not_found())
    }

    fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        (0..op.limit()).for_each(|_| rows.row(op.key()));
        Ok(Done::OK)
    }

    fn update(&mut self, op: Write<'_>) -> Answer {
        if op.values().get("field1").is_some() { Ok(Done::OK) } else { Err(Failure::not_found()) }
    }

    fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        batch.fail(0, Failure::duplicate());
        Ok(Done::OK)
    }
}

impl AsyncBinding for Frugal {
    const INFO: Info = Info::new("frugal-async");
    type Session = Frugal;

    async fn open(_: &Settings<'_>, _: &Env<'_>) -> Result<Opened<Frugal>, Failure> {
        Ok(Opened::new(Frugal))
    }

    async fn session(&self, _: &Client<'_>) -> Result<Frugal, Failure> {
        Ok(Frugal)
    }
}

impl AsyncSession for Frugal {
    async fn read(&mut self, op: Read<'_>, rows: &mut Rows<'_>) -> Answer {
        yield_now().await;
        Session::read(self, op, rows)
    }

    async fn scan(&mut self, op: Scan<'_>, rows: &mut Rows<'_>) -> Answer {
        yield_now().await;
        Session::scan(self, op, rows)
    }

    async fn update(&mut self, op: Write<'_>) -> Answer {
        yield_now().await;
        Session::update(self, op)
    }

    async fn insert_batch(&mut self, batch: &mut Batch<'_>) -> Answer {
        yield_now().await;
        Session::insert_batch(self, batch)
    }
}

/// Allocations of a run that does each operation this often.
fn allocations(binding: &OpenBinding, times: u64) -> u64 {
    let fields: &[(&str, &[u8])] = &[("field0", b"a"), ("field1", b"b")];
    let steps = [
        Do::open(),
        Do::read("user1").unwatched().times(times),
        Do::read("user1").unwatched().within(Duration::from_secs(60)).times(times),
        Do::scan("user1", 3).unwatched().times(times),
        Do::update("user1", fields).times(times),
        Do::insert_batch(&["a", "b", "c"], fields).times(times),
        Do::yield_now().times(times),
        Do::end(),
    ];
    let steps = vec![steps.to_vec()];
    let before = CountingAllocator::allocations();
    let ends = binding.play(steps);
    let after = CountingAllocator::allocations();
    assert_eq!(ends[0].iter().filter(|end| end.status == status::PANIC).count(), 0);
    after - before
}

#[test]
fn a_thousand_operations_allocate_as_much_as_one() {
    for plugin in [Plugin::blocking::<Frugal>(), Plugin::tokio::<Frugal>()] {
        let binding = plugin.open(Open::default()).expect("opens");
        allocations(&binding, 1);
        let few = allocations(&binding, 1);
        let many = allocations(&binding, 1_000);
        // Threads that start and park may allocate once or twice; one allocation per operation is 1,000.
        assert!(many < few + 20, "{few} allocations with one operation each, {many} with 1,000");
    }
}
