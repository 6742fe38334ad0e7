//! What one HTML page says of itself: its canonical links, robots directives, languages, dates, and a hash of its main
//! text. The tree is the one that a browser builds, so that a link counts where a browser has it.
//!
//! html5gum takes the page apart and html5ever's tree builder puts it together: both keep to the WHATWG's grammar, and
//! together they read two and a half times as fast as html5ever's own tokenizer, since attributes that nobody asks for
//! are never made. `tokens` joins the two, `tree` is what the builder builds: it keeps of each element where it stands
//! and gives `found` what is met there; `text` and `stamps` make the hash of the main text, `structured` reads JSON-LD.

mod element;
mod encoding;
mod facts;
mod found;
mod names;
mod refresh;
mod stamps;
mod structured;
mod text;
mod tokens;
mod tree;

use crate::limits::MAX_PAGE_BYTES;
pub use facts::{Facts, InBody};

/// What to look for beyond the usual.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The charset that the header Content-Type names.
    pub charset: Option<&'a str>,
    /// Whether the addresses of images are wanted.
    pub images: bool,
}

/// Reads one page. Any bytes are a page: what is not there is not in the facts.
pub fn read(content: &[u8], options: Options<'_>) -> Facts {
    let whole = content.len() <= MAX_PAGE_BYTES;
    let content = &content[..content.len().min(MAX_PAGE_BYTES)];
    let chosen = encoding::choose(content, options.charset);
    let (mut facts, declared) = parse(content, chosen, options);
    // A page whose bytes were guessed at says in its head what they are: it is read again, as a browser does.
    // https://html.spec.whatwg.org/multipage/parsing.html#change-the-encoding
    if let Some(encoding) = declared {
        (facts, _) = parse(content, encoding::Chosen::certain(encoding), options);
    }
    facts.complete &= whole;
    facts
}

/// The facts, and the encoding to read the page again with, if it names another one.
fn parse(
    content: &[u8],
    chosen: encoding::Chosen,
    options: Options<'_>,
) -> (Facts, Option<&'static encoding_rs::Encoding>) {
    let text = chosen.decode(content);
    let (mut facts, declared) = tokens::parse(&text, chosen.tentative(), options.images);
    facts.encoding = chosen.encoding.name();
    (facts, declared)
}
