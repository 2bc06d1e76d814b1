//! What a library says of its bindings.

use crate::probe::{AsyncProbe, Probe};
use ycsb_plugin_api::abi::{ABI_MINOR, flavour, property_flag, property_kind, text_of};
use ycsb_plugin_api::testing::Plugin;

#[test]
fn a_manifest_holds_everything_that_the_author_declared() {
    assert_eq!(ABI_MINOR, 0);
    for (plugin, expected_flavour) in
        [(Plugin::blocking::<Probe>(), flavour::BLOCKING), (Plugin::tokio::<AsyncProbe>(), flavour::PULL)]
    {
        let [manifest] = plugin.manifests() else { panic!("one binding") };
        assert_eq!(manifest.flavour, expected_flavour);
        assert_eq!(text_of(manifest.name), Some("probe"));
        assert_eq!(text_of(manifest.version), Some("0.0.0"));
        assert_eq!(text_of(manifest.api_version), Some(env!("CARGO_PKG_VERSION")));
        assert!(text_of(manifest.compiler).is_some_and(|compiler| compiler.starts_with("rustc 1.")));

        let alias = &manifest.aliases[0];
        assert_eq!(text_of(alias.alias), Some("site.ycsb.Probe"));
        assert_eq!(text_of(alias.settings[0].value), Some("none"));

        let statuses: Vec<_> = manifest.statuses.iter().map(|own| (text_of(own.name), own.success)).collect();
        assert_eq!(statuses, [(Some("HALF_DONE"), 1), (Some("ODD"), 0)]);

        let [fault, _, time, password, more] = manifest.properties.as_slice() else {
            panic!("five properties")
        };
        assert_eq!(fault.kind, property_kind::ONE_OF);
        assert_eq!(text_of(fault.allowed), Some("none|open|session|close|interrupt|drop|slow|slow-close"));
        assert_eq!((time.kind, text_of(time.allowed)), (property_kind::DURATION, Some("0s..1h")));
        assert_eq!((time.flags, text_of(time.default)), (property_flag::HAS_DEFAULT, Some("250ms")));
        assert_eq!((password.flags, text_of(password.aliases[0])), (property_flag::SECRET, Some("probe.pw")));
        assert_eq!(more.flags, property_flag::PREFIX);
    }
}
