//! Passes html5gum's tokens to html5ever's tree builder, with limits on the work that a page can cause.

mod emitter;
mod leaves;
mod open_link;
mod reader;

use std::borrow::Cow;
use std::mem::take;

use encoding_rs::Encoding;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, local_name, ns};
use html5gum::{State, Tokenizer};

use self::leaves::Leaves;
use self::open_link::OpenLink;
use self::reader::{Bounded, Progress};
use super::Options;
use super::anchors::Anchors;
use super::encoding;
use super::facts::Facts;
use super::links::CONTROL;
use super::tree::Tree;
use crate::limits::{FREE_PAGE_STEPS, MAX_PAGE_DEPTH, MAX_PAGE_NODES, MAX_PAGE_STEPS_PER_BYTE};

/// Longest name of a tag or attribute that is read, in bytes; no known name is longer.
const MAX_NAME: usize = 256;

/// Characters of a text to show.
const MAX_SHOWN: usize = 40;

/// Returns the facts of a page, and the encoding it declares if that differs from the guess.
pub(super) fn parse(
    text: &str,
    guess: Option<&'static Encoding>,
    options: Options<'_>,
) -> (Facts, Option<&'static Encoding>) {
    let progress = Progress::default();
    let mut tokens = Tokens::new(guess, options, text.len(), &progress);
    let is_read = tokens.read(text);
    let mut facts = tokens.builder.sink.finish_facts();
    facts.complete &= is_read && !tokens.was_too_deep;
    facts.anchors = take(&mut tokens.anchors);
    for (content, place) in tokens.builder.sink.take_noscripts() {
        if let Some(part) = facts_of_noscript(&content) {
            facts.links.take(part.links, place);
            facts.anchors.take(part.anchors);
        }
    }
    (facts, tokens.declared)
}

/// Returns the facts of the content of a `<noscript>`; `None` if it has no links.
fn facts_of_noscript(text: &str) -> Option<Facts> {
    let may_link =
        memchr::memchr_iter(b'<', text.as_bytes()).any(|at| matches!(text.as_bytes().get(at + 1), Some(b'a' | b'A')));
    if !may_link {
        return None;
    }
    let options = Options {
        links: true,
        in_noscript: true,
        ..Options::default()
    };
    Some(parse(text, None, options).0)
}

/// Returns the scripts of a page that a browser runs.
pub(super) fn scripts(text: &str) -> Vec<String> {
    let options = Options {
        scripts: true,
        ..Options::default()
    };
    parse(text, None, options).0.scripts
}

/// Returns what ended the head of a page, which begins its body, and its line.
pub(super) fn head_end(text: &str) -> Option<(String, u64)> {
    let progress = Progress::counting_bytes();
    let mut tokens = Tokens::new(None, Options::default(), text.len(), &progress);
    tokens.stops_at_body = true;
    tokens.read(text);
    let (tag, mut at) = tokens.body_start?;
    let what = if let Some(tag) = tag {
        tag
    } else {
        at += before_text(&text[at..]);
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        let end = rest.find(['<', '\n', '\r']).unwrap_or(rest.len());
        rest[..end].trim_end().chars().take(MAX_SHOWN).collect()
    };
    let line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count();
    Some((what, line as u64))
}

/// Returns the length of the comments and whitespace before text.
fn before_text(text: &str) -> usize {
    let mut rest = text.trim_start();
    while rest.starts_with("<!--") {
        let end = rest.find("-->").map_or(rest.len(), |end| end + 3);
        rest = rest[end..].trim_start();
    }
    text.len() - rest.len()
}

/// The state between tokenizer and tree builder.
struct Tokens<'a> {
    builder: TreeBuilder<u32, Tree>,
    text: Vec<u8>,
    /// Whether the text is that of a script or style, which no fact is read from.
    is_unheard: bool,
    leaves: Leaves,
    anchors: Anchors,
    /// The last link that was given to the builder.
    open_link: OpenLink,
    /// Whether the tree waits for the text in links that were not built.
    has_links_around: bool,
    progress: &'a Progress,
    /// Where the tag that is read began.
    tag_at: usize,
    /// Where the last tag ended.
    tag_end: usize,
    stops_at_body: bool,
    /// The tag that began the body, or none if text did, and where it began, or where the tag before the text ended.
    body_start: Option<(Option<String>, usize)>,
    tag: Vec<u8>,
    is_start: bool,
    is_self_closing: bool,
    last_start: Vec<u8>,
    attributes: Vec<Attribute>,
    name: Vec<u8>,
    value: Vec<u8>,
    doctype: Doctype,
    /// Elements that the tree builder may visit.
    most_steps: u64,
    /// Start tags skipped because the tree is too deep; their end tags must be skipped, too.
    too_deep: u64,
    was_too_deep: bool,
    images: bool,
    links: bool,
    scripts: bool,
    guess: Option<&'static Encoding>,
    declared: Option<&'static Encoding>,
    /// No more input is read.
    is_stopped: bool,
}

impl<'a> Tokens<'a> {
    /// `length` is the size of the page, in bytes.
    fn new(guess: Option<&'static Encoding>, options: Options<'_>, length: usize, progress: &'a Progress) -> Self {
        Tokens {
            builder: TreeBuilder::new(Tree::new(options), TreeBuilderOpts::default()),
            text: Vec::new(),
            is_unheard: false,
            leaves: Leaves::new(!options.whole_tree, options.links),
            anchors: Anchors::default(),
            open_link: OpenLink::default(),
            has_links_around: false,
            progress,
            tag_at: 0,
            tag_end: 0,
            stops_at_body: false,
            body_start: None,
            tag: Vec::new(),
            is_start: false,
            is_self_closing: false,
            last_start: Vec::new(),
            attributes: Vec::new(),
            name: Vec::new(),
            value: Vec::new(),
            doctype: Doctype::default(),
            most_steps: FREE_PAGE_STEPS + MAX_PAGE_STEPS_PER_BYTE * length as u64,
            too_deep: 0,
            was_too_deep: false,
            images: options.images,
            links: options.links,
            scripts: options.scripts,
            guess,
            declared: None,
            is_stopped: false,
        }
    }

    /// Reads a page. Returns false if a limit stopped that.
    fn read(&mut self, text: &str) -> bool {
        Tokenizer::new_with_emitter(Bounded::new(text, self.progress), self)
            .next()
            .is_none()
    }

    fn give(&mut self, token: Token) -> Option<State> {
        let is_tag = matches!(token, Token::TagToken(_));
        if self.stops_at_body {
            return self.give_up_to_body(token);
        }
        let result = self.builder.process_token(token, 1);
        // In tables, the builder waits with text until the next tag.
        if self.has_links_around && is_tag {
            self.builder.sink.drop_links_around();
            self.has_links_around = false;
        }
        if self.builder.sink.nodes() > MAX_PAGE_NODES || self.builder.sink.steps() > self.most_steps {
            self.is_stopped = true;
        }
        match result {
            TokenSinkResult::Continue => None,
            TokenSinkResult::EncodingIndicator(label) => {
                self.encoding_declared(&label);
                None
            }
            TokenSinkResult::Script(_) => Some(State::Data),
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            TokenSinkResult::RawData(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => Some(State::ScriptData),
        }
    }

    /// Gives a token, and stops reading when the body has begun.
    fn give_up_to_body(&mut self, token: Token) -> Option<State> {
        let tag = match &token {
            Token::TagToken(tag) => Some(match tag.kind {
                TagKind::StartTag => format!("<{}>", tag.name),
                TagKind::EndTag => format!("</{}>", tag.name),
            }),
            _ => None,
        };
        self.stops_at_body = false;
        let state = self.give(token);
        self.stops_at_body = true;
        if self.builder.sink.has_body() {
            let at = if tag.is_some() { self.tag_at } else { self.tag_end };
            self.body_start.get_or_insert((tag, at));
            self.is_stopped = true;
        }
        state
    }

    /// The first valid label decides.
    fn encoding_declared(&mut self, label: &str) {
        let (Some(guess), Some(declared)) = (self.guess, encoding::declared(label)) else {
            return;
        };
        self.guess = None;
        if declared != guess {
            self.declared = Some(declared);
            self.is_stopped = true;
        }
    }

    /// Gives the builder the tags that were held back, and the text before, between, and after them.
    fn flush(&mut self) {
        let text = take(&mut self.text);
        let mut links = self.leaves.take_links().into_iter().peekable();
        let mut from = 0;
        for (tag, at) in self.leaves.take() {
            // A link before the tag has text before it.
            while let Some((attributes, _)) = links.next_if(|(_, before)| *before < at) {
                self.link_around(attributes);
            }
            self.give_text(&text[from..at]);
            self.give_tag(tag);
            from = at;
        }
        for (attributes, _) in links {
            self.link_around(attributes);
        }
        self.give_text(&text[from..]);
        self.text = text;
        self.text.clear();
    }

    fn give_tag(&mut self, tag: Tag) -> Option<State> {
        let is_end_of_link = self.open_link.take(&tag);
        let links = self.builder.sink.links();
        let state = self.give(Token::TagToken(tag));
        if is_end_of_link && self.builder.sink.links() != links {
            self.open_link.lose();
        }
        state
    }

    fn link_around(&mut self, attributes: Vec<Attribute>) {
        self.has_links_around = true;
        self.builder.sink.link_around(attributes);
    }

    fn give_text(&mut self, mut text: &[u8]) {
        while let Some(at) = memchr::memchr(0, text) {
            if at > 0 {
                self.give(Token::CharacterTokens(tendril(&text[..at])));
            }
            self.give(Token::NullCharacterToken);
            text = &text[at + 1..];
        }
        if !text.is_empty() {
            self.give(Token::CharacterTokens(tendril(text)));
        }
    }

    fn flush_attribute(&mut self) {
        if self.is_start && self.is_anchor() {
            // The builder does not need it, and elements without attributes cost less.
            self.anchors.meet(&text_of(&self.value));
        } else if self.is_start && self.is_wanted() {
            if is_of_control(&self.name) {
                self.name = CONTROL.into();
                self.value.clear();
            }
            let name = attribute_name(&self.name);
            // Of two attributes with the same name, the first counts.
            if self.attributes.iter().all(|attribute| attribute.name.local != name) {
                self.attributes.push(Attribute {
                    name: QualName::new(None, ns!(), name),
                    value: tendril(&self.value),
                });
            }
        }
        self.name.clear();
        self.value.clear();
    }

    /// Returns whether the attribute is used, by the facts or by the tree builder (`font`, `annotation-xml`, `input`).
    /// Attributes of formatting elements are dropped, because they only decide how many identical elements are
    /// reopened.
    fn is_wanted(&self) -> bool {
        let tag = self.tag_name();
        match &self.name[..] {
            b"content" | b"itemprop" | b"datetime" | b"role" | b"hidden" => true,
            b"id" => self.is_anchor(),
            b"href" => matches!(tag, b"link" | b"base") || self.is_link(),
            b"rel" => tag == b"link" || self.is_link(),
            b"hreflang" | b"media" => tag == b"link",
            b"type" => matches!(tag, b"link" | b"script" | b"input"),
            b"name" => tag == b"meta" || self.is_anchor(),
            b"property" | b"http-equiv" | b"charset" => tag == b"meta",
            b"lang" | b"xml:lang" => tag == b"html",
            b"class" => tag == b"time",
            b"src" => self.images && tag == b"img",
            b"onload" => self.scripts && tag == b"body",
            b"color" | b"face" | b"size" => tag == b"font",
            b"encoding" => tag == b"annotation-xml",
            name => self.is_link() && is_of_control(name),
        }
    }

    /// Returns whether a fragment can lead to the attribute.
    fn is_anchor(&self) -> bool {
        self.links && (self.name == b"id" || self.name == b"name" && self.tag_name() == b"a")
    }

    /// Returns whether the tag is a link whose attributes are used.
    fn is_link(&self) -> bool {
        self.links && matches!(self.tag_name(), b"a" | b"area")
    }

    fn tag_name(&self) -> &[u8] {
        &self.tag
    }

    /// Returns whether to withhold a tag from the builder, because every further level makes each tag more expensive.
    fn is_passed_over(&mut self) -> bool {
        // Their content is not markup, and only the builder can tell the tokenizer so; they do not nest.
        const RAW: [&[u8]; 10] = [
            b"script",
            b"style",
            b"title",
            b"textarea",
            b"xmp",
            b"iframe",
            b"noembed",
            b"noframes",
            b"noscript",
            b"plaintext",
        ];
        if self.too_deep == 0 && self.builder.sink.depth() < MAX_PAGE_DEPTH || RAW.contains(&self.tag_name()) {
            return false;
        }
        if self.is_start {
            self.was_too_deep = true;
            // Elements without an end tag could raise the count too far, which at worst lasts until the end of the
            // page.
            self.too_deep += u64::from(!self.is_self_closing && !is_void(&self.tag));
        } else if self.too_deep > 0 {
            self.too_deep -= 1;
        } else {
            return false;
        }
        true
    }
}

/// Returns whether an attribute makes a link a control for a script: a handler, or what it says of what it controls.
fn is_of_control(name: &[u8]) -> bool {
    matches!(
        name,
        b"onclick" | b"aria-controls" | b"aria-expanded" | b"aria-haspopup"
    ) || name.starts_with(b"data-") && name.ends_with(b"toggle")
}

fn is_void(tag: &[u8]) -> bool {
    // https://html.spec.whatwg.org/multipage/syntax.html#void-elements
    const VOID: [&[u8]; 13] = [
        b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"source", b"track",
        b"wbr",
    ];
    VOID.contains(&tag)
}

/// The tokenizer receives text and cuts between characters, so nothing is replaced here.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

fn tendril(bytes: &[u8]) -> StrTendril {
    StrTendril::from_slice(&text_of(bytes))
}

/// Returns the name of an attribute.
fn attribute_name(bytes: &[u8]) -> LocalName {
    match bytes {
        b"href" => local_name!("href"),
        b"rel" => local_name!("rel"),
        _ => local_name(bytes),
    }
}

fn local_name(bytes: &[u8]) -> LocalName {
    LocalName::from(&*text_of(bytes))
}

/// Same, without a lookup for the names that most tags have.
fn tag_name(bytes: &[u8]) -> LocalName {
    match bytes {
        b"a" => local_name!("a"),
        b"b" => local_name!("b"),
        b"i" => local_name!("i"),
        b"p" => local_name!("p"),
        b"br" => local_name!("br"),
        b"em" => local_name!("em"),
        b"li" => local_name!("li"),
        b"td" => local_name!("td"),
        b"tr" => local_name!("tr"),
        b"ul" => local_name!("ul"),
        b"div" => local_name!("div"),
        b"img" => local_name!("img"),
        b"pre" => local_name!("pre"),
        b"code" => local_name!("code"),
        b"span" => local_name!("span"),
        b"strong" => local_name!("strong"),
        _ => local_name(bytes),
    }
}

fn extend(to: &mut Vec<u8>, bytes: &[u8], bound: usize) {
    let mut room = bytes.len().min(bound.saturating_sub(to.len()));
    while room < bytes.len() && room > 0 && bytes[room] & 0xc0 == 0x80 {
        room -= 1;
    }
    to.extend_from_slice(&bytes[..room]);
}

#[cfg(test)]
mod tests;
