//! Passes html5gum's tokens to html5ever's tree builder, with limits on the work that a page can cause.

use std::borrow::Cow;
use std::mem::{swap, take};

use encoding_rs::Encoding;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, ns};
use html5gum::{Emitter, Error, State, Tokenizer};

use super::Options;
use super::encoding;
use super::facts::Facts;
use super::tree::Tree;
use crate::limits::{FREE_PAGE_STEPS, MAX_PAGE_DEPTH, MAX_PAGE_NODES, MAX_PAGE_STEPS_PER_BYTE, MAX_PAGE_VALUE};

/// Longest name of a tag or attribute that is read, in bytes; no known name is longer.
const MAX_NAME: usize = 256;

/// Returns the facts of a page, and the encoding it declares if that differs from the guess.
pub(super) fn parse(
    text: &str,
    guess: Option<&'static Encoding>,
    options: Options<'_>,
) -> (Facts, Option<&'static Encoding>) {
    let mut tokens = Tokens::new(guess, options, text.len());
    let stopped = Tokenizer::new_with_emitter(text, &mut tokens).next().is_some();
    let mut facts = tokens.builder.sink.finish_facts();
    facts.complete &= !stopped && !tokens.was_too_deep;
    (facts, tokens.declared)
}

/// The state between tokenizer and tree builder.
struct Tokens {
    builder: TreeBuilder<u32, Tree>,
    text: Vec<u8>,
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
    guess: Option<&'static Encoding>,
    declared: Option<&'static Encoding>,
    /// No more input is read.
    is_stopped: bool,
}

impl Tokens {
    /// `length` is the size of the page, in bytes.
    fn new(guess: Option<&'static Encoding>, options: Options<'_>, length: usize) -> Self {
        Tokens {
            builder: TreeBuilder::new(Tree::new(options), TreeBuilderOpts::default()),
            text: Vec::new(),
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
            guess,
            declared: None,
            is_stopped: false,
        }
    }

    fn give(&mut self, token: Token) -> Option<State> {
        let result = self.builder.process_token(token, 1);
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

    fn flush_text(&mut self) {
        let text = take(&mut self.text);
        for (ordinal, run) in text.split(|&byte| byte == 0).enumerate() {
            if ordinal > 0 {
                self.give(Token::NullCharacterToken);
            }
            if !run.is_empty() {
                self.give(Token::CharacterTokens(tendril(run)));
            }
        }
        self.text = text;
        self.text.clear();
    }

    fn flush_attribute(&mut self) {
        if self.is_start && self.is_wanted() {
            let name = local_name(&self.name);
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
            b"href" => matches!(tag, b"link" | b"base") || self.is_link(),
            b"rel" => tag == b"link" || self.is_link(),
            b"hreflang" | b"media" => tag == b"link",
            b"type" => matches!(tag, b"link" | b"script" | b"input"),
            b"name" | b"property" | b"http-equiv" | b"charset" => tag == b"meta",
            b"lang" | b"xml:lang" => tag == b"html",
            b"class" => tag == b"time",
            b"src" => self.images && tag == b"img",
            b"color" | b"face" | b"size" => tag == b"font",
            b"encoding" => tag == b"annotation-xml",
            _ => false,
        }
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

fn local_name(bytes: &[u8]) -> LocalName {
    LocalName::from(&*text_of(bytes))
}

fn extend(to: &mut Vec<u8>, bytes: &[u8], bound: usize) {
    let mut room = bytes.len().min(bound.saturating_sub(to.len()));
    while room < bytes.len() && room > 0 && bytes[room] & 0xc0 == 0x80 {
        room -= 1;
    }
    to.extend_from_slice(&bytes[..room]);
}

impl Emitter for &mut Tokens {
    /// The only token emitted says that reading has stopped.
    type Token = ();

    fn pop_token(&mut self) -> Option<()> {
        self.is_stopped.then_some(())
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start = name.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {
        self.flush_text();
        self.give(Token::EOFToken);
        self.builder.end();
    }

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    fn init_start_tag(&mut self) {
        self.tag.clear();
        self.attributes.clear();
        self.is_start = true;
        self.is_self_closing = false;
    }

    fn init_end_tag(&mut self) {
        self.tag.clear();
        self.attributes.clear();
        self.is_start = false;
        self.is_self_closing = false;
    }

    fn push_tag_name(&mut self, name: &[u8]) {
        extend(&mut self.tag, name, MAX_NAME);
    }

    fn set_self_closing(&mut self) {
        self.is_self_closing = true;
    }

    fn init_attribute(&mut self) {
        self.flush_attribute();
    }

    fn push_attribute_name(&mut self, name: &[u8]) {
        extend(&mut self.name, name, MAX_NAME);
    }

    fn push_attribute_value(&mut self, value: &[u8]) {
        if self.is_wanted() {
            extend(&mut self.value, value, MAX_PAGE_VALUE);
        }
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        self.flush_text();
        self.flush_attribute();
        let is_passed_over = self.is_passed_over();
        let name = local_name(&self.tag);
        if self.is_start {
            swap(&mut self.last_start, &mut self.tag);
        } else {
            self.last_start.clear();
        }
        if is_passed_over {
            return None;
        }
        let tag = Tag {
            kind: if self.is_start {
                TagKind::StartTag
            } else {
                TagKind::EndTag
            },
            name,
            self_closing: self.is_self_closing,
            attrs: take(&mut self.attributes),
            had_duplicate_attributes: false,
        };
        self.give(Token::TagToken(tag))
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && !self.last_start.is_empty() && self.last_start == self.tag
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    fn init_comment(&mut self) {
        self.flush_text();
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn emit_current_comment(&mut self) {}

    fn init_doctype(&mut self) {
        self.flush_text();
        self.doctype = Doctype::default();
    }

    fn push_doctype_name(&mut self, name: &[u8]) {
        append(&mut self.doctype.name, name);
    }

    fn set_doctype_public_identifier(&mut self, value: &[u8]) {
        self.doctype.public_id = Some(tendril(value));
    }

    fn set_doctype_system_identifier(&mut self, value: &[u8]) {
        self.doctype.system_id = Some(tendril(value));
    }

    fn push_doctype_public_identifier(&mut self, value: &[u8]) {
        append(&mut self.doctype.public_id, value);
    }

    fn push_doctype_system_identifier(&mut self, value: &[u8]) {
        append(&mut self.doctype.system_id, value);
    }

    fn set_force_quirks(&mut self) {
        self.doctype.force_quirks = true;
    }

    fn emit_current_doctype(&mut self) {
        let doctype = take(&mut self.doctype);
        self.give(Token::DoctypeToken(doctype));
    }
}

fn append(to: &mut Option<StrTendril>, bytes: &[u8]) {
    let text = to.get_or_insert_default();
    if text.len() < MAX_NAME {
        text.push_slice(&text_of(bytes));
    }
}

#[cfg(test)]
mod tests;
