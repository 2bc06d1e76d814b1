//! Both bindings answer everything, and keep nothing.

use ycsb_noop::{Noop, NoopAsync};
use ycsb_plugin_api::abi::status::OK;
use ycsb_plugin_api::capability::KEEPS_NOTHING;
use ycsb_plugin_api::testing::{Do, Open, Plugin};

#[test]
fn every_operation_is_ok_and_returns_nothing() {
    let field: &[(&str, &[u8])] = &[("field0", b"a")];
    for plugin in [Plugin::blocking::<Noop>(), Plugin::tokio::<NoopAsync>()] {
        let binding = plugin.open(Open { clients: 2, ..Open::default() }).expect("opens");
        assert_ne!(binding.capabilities & KEEPS_NOTHING, 0);
        let steps = vec![
            Do::open(),
            Do::insert("k", field),
            Do::insert_batch(&["a", "b"], field),
            Do::update("k", field),
            Do::read("k"),
            Do::scan("k", 10),
            Do::delete("k"),
            Do::end(),
        ];
        for ends in binding.play(vec![steps.clone(), steps]) {
            assert!(ends.iter().all(|end| end.status == OK), "{ends:?}");
            assert_eq!((ends[2].row_status.as_slice(), ends[2].row_count), (&[OK, OK][..], 2));
            assert_eq!((ends[4].rows[0].fields.len(), ends[5].row_count), (0, 0));
        }
    }
}
