//! How many inputs a property is tested with.

use proptest::prelude::ProptestConfig;

/// Returns the configuration of a property that takes `most` inputs in `make test-all`, and three in ten of them in `make test`.
pub(crate) fn inputs(most: u32) -> ProptestConfig {
    let is_long = std::env::var_os("URLSET_LONG_TESTS").is_some();
    ProptestConfig {
        cases: if is_long { most } else { most * 3 / 10 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
