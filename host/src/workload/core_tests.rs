//! What the streams of CoreWorkload send, taken together.

use super::CoreWorkload;
use crate::workload::testing::settings;
use crate::workload::{
    Client, Next, OperationKind, OperationStream, Phase, Request, Select, Verified, Workload, share_of,
};
use std::collections::BTreeSet;

fn workload(phase: Phase, given: &[(&str, &str)]) -> CoreWorkload {
    CoreWorkload::from_settings(&settings(given), phase).expect("a workload")
}

fn client(workload: &CoreWorkload, index: usize, count: usize) -> Client {
    Client { index, count, seed: 7, share: share_of(workload.operation_count(), index, count) }
}

/// All requests of a stream; each ends well before the next begins.
fn all(stream: &mut dyn OperationStream) -> Vec<(Next, Request)> {
    let mut request = Request::default();
    let mut sent = Vec::new();
    loop {
        match stream.next(&mut request) {
            Next::Exhausted => return sent,
            next => sent.push((next, request.clone())),
        }
        stream.ended(&request, true);
    }
}

#[test]
fn a_load_covers_every_record_once_however_many_clients_share_it() {
    for (clients, start) in [(1, 0), (7, 0), (7, 200), (2000, 0)] {
        let start_text = start.to_string();
        let given = [
            ("recordcount", "1203"),
            ("insertstart", &start_text),
            ("insertcount", "1003"),
            ("fieldcount", "1"),
        ];
        let load = workload(Phase::Load, &given);
        let mut numbers = Vec::new();
        for index in 0..clients {
            let sent = all(&mut *load.stream(client(&load, index, clients)));
            assert!(
                sent.iter()
                    .all(|(next, request)| (*next, request.kind) == (Next::Single, OperationKind::Insert))
            );
            numbers.extend(sent.iter().map(|(_, request)| request.key_number));
        }
        if clients == 1 {
            assert!(numbers.is_sorted(), "one client keeps YCSB's order");
        }
        numbers.sort_unstable();
        assert_eq!(numbers, (start..start + 1003).collect::<Vec<i64>>());
    }
}

#[test]
fn a_client_that_stops_early_takes_nothing_from_the_others() {
    let load = workload(Phase::Load, &[("recordcount", "100"), ("fieldcount", "1")]);
    let mut stopped = load.stream(client(&load, 0, 2));
    let mut request = Request::default();
    (0..3).for_each(|_| assert_eq!(stopped.next(&mut request), Next::Single));
    let others: Vec<i64> =
        all(&mut *load.stream(client(&load, 1, 2))).iter().map(|(_, request)| request.key_number).collect();
    assert_eq!(others, (1..100).step_by(2).collect::<Vec<i64>>());
}

#[test]
fn the_longest_value_is_known_beforehand() {
    let longest = |given: &[(&str, &str)]| workload(Phase::Load, given).largest_value_bytes();
    assert_eq!(longest(&[]), Some(100));
    assert_eq!(longest(&[("fieldlength", "7"), ("fieldlengthdistribution", "zipfian")]), Some(7));
}

#[test]
fn a_load_without_a_count_has_no_end() {
    let load = workload(Phase::Load, &[("fieldcount", "1")]);
    assert_eq!((load.operation_count(), load.expected_records()), (None, None));
    let mut stream = load.stream(client(&load, 0, 1));
    let mut request = Request::default();
    (0..5000).for_each(|number| {
        assert_eq!(stream.next(&mut request), Next::Single);
        assert_eq!(request.key_number, number);
    });
}

#[test]
fn the_same_seed_sends_the_same_and_another_seed_something_else() {
    let given = [
        ("recordcount", "1000"),
        ("operationcount", "500"),
        ("requestdistribution", "latest"),
        ("insertproportion", "0.3"),
        ("scanproportion", "0.1"),
        ("readmodifywriteproportion", "0.1"),
        ("fieldlengthdistribution", "uniform"),
    ];
    let run = |seed| {
        let run = workload(Phase::Run, &given);
        let mut stream = run.stream(Client { seed, ..client(&run, 0, 1) });
        let sent = all(&mut *stream);
        (format!("{sent:?}"), stream.digest())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1).1, run(2).1);
    assert_ne!(run(1).0, run(2).0);
}

#[test]
fn the_digest_does_not_depend_on_who_inserts_first() {
    for distribution in ["zipfian", "latest", "exponential", "uniform"] {
        let given = [
            ("recordcount", "50"),
            ("operationcount", "4000"),
            ("requestdistribution", distribution),
            ("insertproportion", "1"),
        ];
        let digests = |first: usize| {
            let run = workload(Phase::Run, &given);
            let mut streams = [0, 1].map(|index| run.stream(client(&run, index, 2)));
            all(&mut *streams[first]);
            all(&mut *streams[1 - first]);
            streams.map(|stream| stream.digest())
        };
        assert_eq!(digests(0), digests(1), "{distribution}");
    }
}

#[test]
fn run_inserts_begin_at_recordcount_and_every_client_gets_its_own() {
    let given = [
        ("recordcount", "5"),
        ("readproportion", "0"),
        ("updateproportion", "0"),
        ("insertproportion", "1"),
        ("operationcount", "40"),
    ];
    let run = workload(Phase::Run, &given);
    let mut numbers: Vec<i64> = (0..3)
        .flat_map(|index| all(&mut *run.stream(client(&run, index, 3))))
        .map(|(_, request)| request.key_number)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (5..45).collect::<Vec<i64>>());
    assert_eq!(run.highest_acknowledged(), 44);
}

#[test]
fn a_second_run_goes_on_after_what_is_there() {
    let given = [
        ("recordcount", "5"),
        ("insertproportion", "1"),
        ("operationcount", "1000"),
        ("requestdistribution", "latest"),
    ];
    let run = workload(Phase::Run, &given);
    let inserts = run.run_inserts().expect("numbers to look for");
    assert_eq!((inserts.number(0), inserts.number(40)), (5, 45));
    run.resume_inserts(40);
    let sent = all(&mut *run.stream(client(&run, 0, 1)));
    let inserted: Vec<i64> =
        of_kind(&sent, OperationKind::Insert).map(|request| request.key_number).collect();
    assert_eq!(inserted[..3], [45, 46, 47]);
    assert!(of_kind(&sent, OperationKind::Read).any(|request| (5..45).contains(&request.key_number)));

    let by_hand = [given.as_slice(), &[("insertstart.run", "70")]].concat();
    let run = workload(Phase::Run, &by_hand);
    assert_eq!(run.run_inserts(), None);
    let sent = all(&mut *run.stream(client(&run, 0, 1)));
    assert_eq!(of_kind(&sent, OperationKind::Insert).next().map(|request| request.key_number), Some(70));
}

#[test]
fn parallel_processes_insert_and_read_their_own_new_records() {
    let of_process = |process: &str| {
        let given = [
            ("recordcount", "5"),
            ("insertproportion", "1"),
            ("operationcount", "1000"),
            ("requestdistribution", "latest"),
            ("client.index", process),
            ("client.count", "2"),
        ];
        let run = workload(Phase::Run, &given);
        let sent = all(&mut *run.stream(client(&run, 0, 1)));
        let numbers =
            |kind| of_kind(&sent, kind).map(|request| request.key_number).collect::<BTreeSet<i64>>();
        (numbers(OperationKind::Insert), numbers(OperationKind::Read))
    };
    let ((inserts, reads), (other_inserts, _)) = (of_process("0"), of_process("1"));
    assert!(inserts.is_disjoint(&other_inserts));
    assert!(reads.iter().all(|number| *number < 5 || inserts.contains(number)));
    assert!(reads.iter().any(|number| *number >= 5));
}

fn of_kind(sent: &[(Next, Request)], kind: OperationKind) -> impl Iterator<Item = &Request> {
    sent.iter().map(|(_, request)| request).filter(move |request| request.kind == kind)
}

#[test]
fn a_read_modify_write_is_a_read_and_an_update_of_the_same_record() {
    let given = [
        ("recordcount", "100"),
        ("readproportion", "0"),
        ("updateproportion", "0"),
        ("readmodifywriteproportion", "1"),
        ("operationcount", "50"),
        ("readallfields", "false"),
    ];
    let run = workload(Phase::Run, &given);
    assert_eq!(run.operation_kinds(), [OperationKind::Read, OperationKind::Update]);
    let sent = all(&mut *run.stream(client(&run, 0, 1)));
    assert_eq!(sent.len(), 100, "50 operations of two requests");
    for pair in sent.chunks(2) {
        let [(first, read), (second, update)] = pair else { panic!("a pair") };
        assert_eq!((*first, *second), (Next::FirstOfTwo, Next::SecondOfTwo));
        assert_eq!((read.kind, update.kind), (OperationKind::Read, OperationKind::Update));
        assert_eq!((&read.key, read.key_number), (&update.key, update.key_number));
        assert!(matches!(read.select, Select::One(_)) && read.fields.is_empty());
        assert_eq!((update.fields.len(), update.values.len()), (1, 100));
    }
}

#[test]
fn field_choices_follow_the_properties() {
    let base = [
        ("recordcount", "100"),
        ("operationcount", "200"),
        ("scanproportion", "0.5"),
        ("maxscanlength", "20"),
        ("deleteproportion", "0.5"),
    ];
    let sent_with = |more: &[(&str, &str)]| {
        let run = workload(Phase::Run, &[base.as_slice(), more].concat());
        all(&mut *run.stream(client(&run, 0, 1)))
    };
    let select_of = |sent: &[(Next, Request)], kind| {
        of_kind(sent, kind).map(|request| request.select).collect::<Vec<Select>>()
    };
    let plain = sent_with(&[]);
    assert!(select_of(&plain, OperationKind::Read).iter().all(|select| *select == Select::All));
    assert!(of_kind(&plain, OperationKind::Scan).all(|request| (1..=20).contains(&request.limit)));
    assert!(of_kind(&plain, OperationKind::Update).all(|request| request.fields.len() == 1));
    assert!(
        of_kind(&plain, OperationKind::Delete)
            .all(|request| request.fields.is_empty() && !request.key.is_empty())
    );

    let named = sent_with(&[("readallfieldsbyname", "true"), ("writeallfields", "true")]);
    assert!(select_of(&named, OperationKind::Read).iter().all(|select| *select == Select::AllByName));
    assert!(select_of(&named, OperationKind::Scan).iter().all(|select| *select == Select::All));
    assert!(of_kind(&named, OperationKind::Update).all(|request| request.fields.len() == 10));

    let one = sent_with(&[("readallfields", "false")]);
    let fields: BTreeSet<String> =
        select_of(&one, OperationKind::Read).iter().map(|select| format!("{select:?}")).collect();
    assert!(fields.len() > 5 && fields.iter().all(|field| field.starts_with("One(")), "{fields:?}");
}

#[test]
fn what_a_load_wrote_is_what_a_read_expects() {
    let given = [
        ("recordcount", "20"),
        ("operationcount", "300"),
        ("dataintegrity", "true"),
        ("fieldlength", "40"),
        ("updateproportion", "1"),
        ("readmodifywriteproportion", "1"),
    ];
    let load = workload(Phase::Load, &given);
    let stored = all(&mut *load.stream(client(&load, 0, 1)));
    let run = workload(Phase::Run, &given);
    assert!(run.verifies());
    let names = run.field_names().to_vec();
    let mut stream = run.stream(client(&run, 0, 1));
    let mut request = Request::default();
    let (mut equal, mut different, mut missing) = (0, 0, 0);
    for turn in 0.. {
        if stream.next(&mut request) == Next::Exhausted {
            break;
        }
        if request.kind == OperationKind::Read {
            assert!(request.wants_values);
            let (_, record) = &stored[request.key_number as usize];
            stream.row(record.key.as_bytes());
            for range in record.fields.iter().take(if turn % 7 == 0 { 0 } else { 10 }) {
                let mut value = record.values[range.start..range.start + range.len].to_vec();
                value[39] ^= u8::from(turn % 5 == 0 && range.field == 3);
                stream.field(names[range.field].as_bytes(), &value);
            }
        }
        match stream.ended(&request, true) {
            Verified::Equal => equal += 1,
            Verified::Different => {
                different += 1;
                let text = stream.mismatch().expect("what differs");
                assert!(text.contains(&request.key) && text.contains("field3"), "{text}");
            }
            Verified::Missing => missing += 1,
            Verified::NotChecked => assert_eq!(request.kind, OperationKind::Update),
        }
    }
    assert!(equal > 50 && different > 20 && missing > 20, "{equal} {different} {missing}");
}

#[test]
fn a_request_grows_no_further_after_its_first_operations() {
    let given = [
        ("recordcount", "1000"),
        ("insertproportion", "0.3"),
        ("scanproportion", "0.3"),
        ("readmodifywriteproportion", "0.3"),
    ];
    let run = workload(Phase::Run, &given);
    let mut stream = run.stream(client(&run, 0, 1));
    let mut request = Request::default();
    let mut capacities = BTreeSet::new();
    for turn in 0..2000 {
        stream.next(&mut request);
        stream.ended(&request, true);
        if turn > 200 {
            capacities.insert((request.key.capacity(), request.values.capacity(), request.fields.capacity()));
        }
    }
    assert!(capacities.len() <= 4, "two requests take turns: {capacities:?}");
}
