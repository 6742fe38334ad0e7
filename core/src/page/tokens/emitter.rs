//! What the tokenizer calls for each part of a token.

use std::mem::{swap, take};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink};
use html5gum::{Emitter, Error, State};

use super::{MAX_NAME, Tokens, extend, tag_name, tendril, text_of};
use crate::limits::MAX_PAGE_VALUE;

impl Emitter for &mut Tokens<'_> {
    /// The only token emitted says that reading has stopped.
    type Token = ();

    fn pop_token(&mut self) -> Option<()> {
        self.progress.return_from_states();
        self.is_stopped.then_some(())
    }

    fn set_last_start_tag(&mut self, name: Option<&[u8]>) {
        self.last_start = name.unwrap_or_default().to_vec();
    }

    fn emit_eof(&mut self) {
        self.flush();
        self.give(Token::EOFToken);
        self.builder.end();
    }

    fn emit_error(&mut self, _: Error) {}

    #[inline]
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_string(&mut self, text: &[u8]) {
        if !self.is_unheard {
            self.text.extend_from_slice(text);
        }
    }

    fn init_start_tag(&mut self) {
        self.tag_at = self.progress.at.get();
        self.tag.clear();
        self.attributes.clear();
        self.is_start = true;
        self.is_self_closing = false;
    }

    fn init_end_tag(&mut self) {
        self.tag_at = self.progress.at.get();
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
        self.progress.nest();
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
        self.flush_attribute();
        self.is_unheard = false;
        if !self.is_start && self.leaves.close(&self.tag, &self.text) {
            self.last_start.clear();
            return None;
        }
        let name = tag_name(&self.tag);
        let is_leaf = self.is_start && self.too_deep == 0 && {
            let sink = &self.builder.sink;
            self.leaves
                .may_open(&name, &self.attributes, sink, self.open_link.is_open())
                && !self.builder.adjusted_current_node_present_but_not_in_html_namespace()
        };
        let is_passed_over = if is_leaf {
            false
        } else {
            self.flush();
            self.is_passed_over()
        };
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
        if is_leaf {
            self.leaves.open(tag, self.text.len());
            return None;
        }
        let state = self.give_tag(tag);
        self.tag_end = self.progress.at.get();
        self.is_unheard = matches!(state, Some(State::RawText | State::ScriptData)) && !self.builder.sink.is_heard();
        state
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        !self.is_start && !self.last_start.is_empty() && self.last_start == self.tag
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    fn init_comment(&mut self) {}

    fn push_comment(&mut self, _: &[u8]) {}

    fn emit_current_comment(&mut self) {}

    fn init_doctype(&mut self) {
        self.flush();
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
        self.tag_end = self.progress.at.get();
    }
}

fn append(to: &mut Option<StrTendril>, bytes: &[u8]) {
    let text = to.get_or_insert_default();
    if text.len() < MAX_NAME {
        text.push_slice(&text_of(bytes));
    }
}
