//! The invariants of rewriting: the size of reads, the size of the window and the path on which entries are read affect
//! neither the result nor the report, and the result has nothing left to repair.

use proptest::prelude::*;

use crate::invariants::Cut;
use crate::invariants::fix::{Way, hold, rewrite};
use crate::read::tests::documents;

proptest! {
    #![proptest_config(crate::properties::inputs(1_500))]

    #[test]
    fn documents_keep_the_invariants_of_rewriting(document in documents(), window in 1..300_usize, piece in 1..64_usize) {
        hold(document.as_bytes(), Cut { window, piece });
    }

    #[test]
    fn any_bytes_keep_the_invariants_of_rewriting(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        window in 1..300_usize,
        piece in 1..64_usize,
    ) {
        hold(&bytes, Cut { window, piece });
    }

    #[test]
    fn lists_keep_the_invariants_of_rewriting(
        lines in prop::collection::vec(prop::sample::select(LINES), 0..12),
        window in 1..300_usize,
        piece in 1..64_usize,
    ) {
        hold(lines.concat().as_bytes(), Cut { window, piece });
    }
}

/// A loc inside a loc starts an entry of its own, which takes the entity reference with it.
#[test]
fn a_declared_entity_is_left_out_with_its_own_url() {
    let document = "<!DOCTYPE urlset [<!ENTITY x SYSTEM 'file:///x'>]>\n<urlset>\
        <url><loc>https://example.com/a<loc>https://example.com/?&x;</loc></url>\
        <url><loc>https://example.com/b</loc></url></urlset>";
    let cut = Cut { window: 100, piece: 10 };
    hold(document.as_bytes(), cut);
    let fixed = rewrite(document.as_bytes(), Way::default());
    assert!(
        !fixed.text.contains("&x;") && fixed.text.contains("https://example.com/b"),
        "{}",
        fixed.text
    );
    assert!(
        fixed.text.contains("<loc>https://example.com/a</loc>"),
        "{}",
        fixed.text
    );
}

/// Lines of a text sitemap, each with its line ending.
const LINES: &[&str] = &[
    "https://example.com/a\n",
    "https://example.com/b\r\n",
    "https://example.com/c\r",
    " https://example.com/d \n",
    "https://example.com/e f\n",
    "https://example.com/?a=1&amp;b=2\n",
    "/relative\n",
    "relative page\n",
    "www.example.com/g\n",
    "ftp://example.com/\n",
    "\u{feff}",
    "\u{fffd}\n",
    "\u{a0}\n",
    "\n",
    "\t\r\n",
    "https://example.com/last",
];
