//! The facts that one HTML page states: its canonical links, robots directives, languages, dates, and a hash of its
//! main text. The tree is the one that a browser builds, so that a link counts where a browser sees it.
//!
//! html5gum tokenizes the page and html5ever's tree builder builds the tree: both follow the WHATWG specification, and
//! together they are two and a half times as fast as html5ever with its own tokenizer, because unused attributes are
//! never built. `tokens` connects the two. `tree` is the tree: it stores the position of each element and passes what
//! it finds to `found`. `text` and `stamps` compute the hash of the main text, `structured` reads JSON-LD.

mod anchors;
mod element;
mod encoding;
mod facts;
mod found;
mod kind;
mod links;
mod names;
mod refresh;
mod script;
mod source;
mod spelling;
mod stamps;
mod structured;
mod text;
mod tokens;
mod tree;
mod values;

use crate::limits::{MAX_PAGE_BYTES, MAX_REDIRECT_WORDS};
pub use anchors::Anchors;
pub use facts::{Facts, InBody};
pub use kind::Kind;
pub use links::{LinkedAnchor, Links, Targets};
pub use refresh::parse as read_refresh;
pub use spelling::hash as spelling_hash;

/// Version of how the main text of a page is read. Hashes and numbers of words are only compared if they are of the same
/// version, so every change that gives a page of `tests/page/test_text_version.py` another hash raises it.
pub const TEXT_VERSION: i32 = 2;

/// What to read in addition to the usual facts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The charset in the Content-Type header.
    pub charset: Option<&'a str>,
    /// Whether to collect the URLs of images.
    pub images: bool,
    /// Whether to collect the links to other pages.
    pub links: bool,
    /// Whether to keep the main text and its headings.
    pub text: bool,
    /// Whether to keep the scripts that a browser runs.
    pub(crate) scripts: bool,
    /// Whether the text is that of a `<noscript>`.
    pub(crate) in_noscript: bool,
    /// Whether to build elements that cannot matter, too. It affects only the speed; tests verify that.
    pub whole_tree: bool,
}

/// Reads one page. Accepts any bytes; the facts lack what the page lacks.
pub fn read(content: &[u8], options: Options<'_>) -> Facts {
    let (bytes, whole) = (content.len() as u64, content.len() <= MAX_PAGE_BYTES);
    let content = &content[..content.len().min(MAX_PAGE_BYTES)];
    let chosen = encoding::choose(content, options.charset);
    let (mut facts, declared) = parse(content, chosen, options);
    // If the encoding was a guess and the head declares another, the page is read again, as in a browser.
    // https://html.spec.whatwg.org/multipage/parsing.html#change-the-encoding
    if let Some(encoding) = declared {
        (facts, _) = parse(content, encoding::Chosen::certain(encoding), options);
    }
    facts.complete &= whole;
    facts.bytes = bytes;
    facts
}

/// Returns the facts, and the encoding to read the page again with, if the page declares a different one.
fn parse(
    content: &[u8],
    chosen: encoding::Chosen,
    options: Options<'_>,
) -> (Facts, Option<&'static encoding_rs::Encoding>) {
    let text = chosen.decode(content);
    let (mut facts, declared) = tokens::parse(&text, chosen.tentative(), options);
    facts.encoding = chosen.encoding.name();
    if options.links && facts.has_script {
        facts.anchors.read_scripts(&text);
    }
    let is_template = source::is_template(&text, facts.title.as_deref(), facts.has_script);
    facts.kind = kind::of(&text, is_template);
    // Few pages are read a second time for these.
    if !facts.in_body.is_empty() {
        facts.head_end = tokens::head_end(&text);
    }
    if facts.words < MAX_REDIRECT_WORDS && script::may_redirect(&text) {
        facts.script_target = script::redirect(&tokens::scripts(&text));
    }
    (facts, declared)
}
