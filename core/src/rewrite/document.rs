//! A sitemap or index in XML, token by token: what stands before, between and behind its entries.

use std::ops::Range;

use super::account::{Account, Example, LeftOut, Refusal, Repair, repair_of};
use super::entry::{Entry, Field, Outcome, Surroundings, Token};
use super::listen::{End, Event, Noted, Start, is_entry};
use super::markup::{TagOut, push_end};
use super::names::{Names, own_declaration};
use super::output::Output;
use super::usual::Checker;
use crate::anomaly::AnomalyKind;
use crate::limits::MAX_FIXED_ENTRY;
use crate::read::rows::{EntryKind, Extension};
use crate::read::sink::Part;
use crate::read::sitemap;
use crate::read::xml::is_all_space;

/// The root element of the result.
struct Root {
    kind: EntryKind,
    tag: TagOut,
    /// Its start tag as it stands, without the end; None where there was none.
    raw: Option<String>,
    /// `<urlset/>`
    is_empty: bool,
    /// Its end tag, and what stands behind it.
    end_tag: String,
    behind: String,
    is_open: bool,
}

pub struct Document {
    pub account: Account,
    pub output: Output,
    pub refusal: Option<Refusal>,
    names: Names,
    base: Option<String>,
    is_lossy: bool,
    declaration: Option<String>,
    /// Whether the declaration names an encoding other than UTF-8, or is not to stay for another reason.
    pub is_declaration_kept: bool,
    /// Comments and instructions before the root.
    prolog: String,
    root: Option<Root>,
    /// White space and comments between entries, not yet written.
    between: String,
    entry: Option<Entry>,
    /// The entries at hand are of a second root, of another kind.
    is_other_kind: bool,
    /// The same of the roots around the one at hand.
    outer: Vec<bool>,
    line: i32,
}

impl Document {
    pub fn new(output: Output, base: Option<String>, is_declaration_kept: bool) -> Self {
        Self {
            account: Account::new(),
            output,
            refusal: None,
            names: Names::default(),
            base,
            is_lossy: false,
            declaration: None,
            is_declaration_kept,
            prolog: String::new(),
            root: None,
            between: String::new(),
            entry: None,
            is_other_kind: false,
            outer: Vec::new(),
            line: 1,
        }
    }

    fn around(&mut self) -> Surroundings<'_> {
        Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
            is_lossy: self.is_lossy,
        }
    }

    pub fn refuse(&mut self, why: Refusal) {
        self.refusal.get_or_insert(why);
    }

    pub fn kind(&self) -> Option<EntryKind> {
        self.root.as_ref().map(|root| root.kind)
    }

    fn note(&mut self, repair: Repair, line: i32, before: &str, after: &str) {
        self.account.repair(repair, Example::new(line, before, after));
    }

    /// Takes one token: its bytes, what the reader said of it, and what it noted.
    pub fn token(&mut self, raw: &str, events: Vec<Event>, noted: &Noted, checker: &mut Checker) {
        let is_unknown = events.iter().any(|event| match event {
            Event::Start(start) => !is_known(start.part),
            _ => false,
        });
        let is_faulty = self.take_notes(noted, is_unknown);
        if self.refusal.is_some() {
            return;
        }
        let begin = match &mut self.entry {
            Some(entry) => {
                let begin = entry.raw.len();
                entry.raw.push_str(raw);
                if entry.raw.len() > MAX_FIXED_ENTRY {
                    self.refuse(Refusal::EntryTooLarge);
                }
                begin
            }
            None => 0,
        };
        if events.is_empty() {
            return self.quiet(raw, begin, is_faulty || noted.has(AnomalyKind::EntityDeclaration));
        }
        for event in events {
            let begin = begin.min(self.entry.as_ref().map_or(0, |entry| entry.raw.len()));
            match event {
                Event::Start(start) => self.start(&start, raw, begin, noted, is_faulty, checker),
                Event::Text {
                    text,
                    in_field,
                    is_loc,
                    line,
                } => {
                    let mut around = Surroundings {
                        names: &mut self.names,
                        base: self.base.as_deref(),
                        is_lossy: self.is_lossy,
                    };
                    if let Some(entry) = &mut self.entry {
                        let range = begin..entry.raw.len();
                        if is_loc {
                            entry.adopt_loc(text.trim(), range, line, &mut around);
                        } else {
                            entry.text(&text, range, noted, is_faulty);
                        }
                        debug_assert!(!in_field || !is_loc);
                    }
                }
                Event::End(end) => self.end(&end, raw, begin, is_faulty, checker),
                Event::Usual {
                    is_duplicate,
                    has_images,
                    has_links,
                    line,
                } => {
                    if has_images {
                        self.names.ensure_customary(Extension::Image);
                    }
                    if has_links {
                        self.names.ensure_customary(Extension::Alternate);
                    }
                    self.usual(raw, is_duplicate, line);
                }
                Event::CutOff => self.cut_off(),
            }
        }
    }

    /// What the reader noted: counted as a repair where it stands, and whether the token is to be written anew.
    pub fn take_notes(&mut self, noted: &Noted, is_unknown: bool) -> bool {
        let mut is_faulty = false;
        for anomaly in &noted.0 {
            let line = anomaly.line.unwrap_or(self.line);
            self.line = line;
            match anomaly.kind {
                AnomalyKind::TokenTooLong => self.refuse(Refusal::TokenTooLong),
                AnomalyKind::TooDeep => self.refuse(Refusal::TooDeep),
                AnomalyKind::SizeLimit => self.refuse(Refusal::TooLarge),
                AnomalyKind::UnknownRoot => self.refuse(Refusal::UnknownRoot),
                AnomalyKind::NoRoot if self.root.is_none() => self.refuse(Refusal::NoSitemap),
                AnomalyKind::EncodingInvalid => {
                    self.is_lossy = true;
                    self.account.leave_out(LeftOut::LostBytes, line, &anomaly.evidence);
                }
                _ => {}
            }
            let Some(repair) = repair_of(anomaly.kind) else {
                continue;
            };
            if is_unknown && repair == Repair::TagCase {
                // Whatever it is, it would be nothing in lower case either.
                continue;
            }
            is_faulty = true;
            let example = Example {
                line,
                before: anomaly.evidence.clone(),
                after: String::new(),
            };
            // What breaks XML around the root is nobody's entry's.
            match &mut self.entry {
                Some(entry) if repair != Repair::Closed => entry.change(repair, example),
                _ => self.account.repair(repair, example),
            }
        }
        is_faulty
    }

    /// White space, comments, declarations, and what makes no sense: the reader said nothing of it.
    fn quiet(&mut self, raw: &str, begin: usize, is_faulty: bool) {
        if raw.is_empty() {
            return;
        }
        let is_space = is_all_space(raw.as_bytes());
        let is_declaration = raw.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("<?xml"))
            && !raw
                .as_bytes()
                .get(5)
                .is_some_and(|&next| next == b'-' || next.is_ascii_alphanumeric());
        let is_markup =
            raw.starts_with("<!--") || (raw.starts_with("<?") && !is_declaration) || raw.starts_with("<![CDATA[");
        let keeps = !is_faulty && (is_space || is_markup);
        if let Some(entry) = &mut self.entry {
            entry.quiet(begin..begin + raw.len(), keeps);
            return;
        }
        if self.root.is_none() {
            if is_declaration && self.declaration.is_none() {
                self.is_declaration_kept &= !is_faulty;
                self.declaration = Some(raw.to_owned());
                if is_all_space(self.prolog.as_bytes()) {
                    self.prolog.clear();
                }
            } else if keeps {
                self.prolog.push_str(raw);
            }
            return;
        }
        if !keeps || raw.starts_with("<![CDATA[") {
            return;
        }
        match &mut self.root {
            Some(root) if !root.is_open => root.behind.push_str(raw),
            _ => self.between.push_str(raw),
        }
    }

    fn start(&mut self, start: &Start, raw: &str, begin: usize, noted: &Noted, is_faulty: bool, checker: &mut Checker) {
        self.line = start.line;
        if start.entry.finished {
            self.finish_entry(begin, None, checker);
        }
        if start.entry.discarded {
            self.entry = None;
        }
        if matches!(start.part, Part::Root | Part::Sitemap(sitemap::Part::Root)) {
            return self.start_root(start, raw, noted, is_faulty);
        }
        if matches!(start.part, Part::Feed(_)) {
            return self.refuse(Refusal::Feed);
        }
        if start.entry.began {
            return self.begin_entry(start, raw, noted, is_faulty);
        }
        if self.root.is_none() {
            return self.refuse(Refusal::NoSitemap);
        }
        if self.entry.is_none() {
            self.reopen();
            let mut entry = Entry::new(None, start.line);
            // A field that the reader knows nothing of where it stands would be one in the result.
            entry.is_other_root = self.is_other_kind || is_named_as_field(&start.local);
            self.names.local.clear();
            entry.raw.push_str(raw);
            self.entry = Some(entry);
        }
        let mut around = Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
            is_lossy: self.is_lossy,
        };
        if let Some(entry) = &mut self.entry {
            let begin = begin.min(entry.raw.len() - raw.len());
            let token = Token {
                start,
                noted,
                range: begin..begin + raw.len(),
                is_faulty,
            };
            inside(entry, &token, &mut around);
        }
    }

    /// A root element: the first one stays, what is in others is put into it.
    fn start_root(&mut self, start: &Start, raw: &str, noted: &Noted, is_faulty: bool) {
        let kind = match start.local.to_ascii_lowercase().as_str() {
            "urlset" => EntryKind::Url,
            "sitemapindex" => EntryKind::Child,
            "rss" | "rdf" | "feed" => return self.refuse(Refusal::Feed),
            _ if self.root.is_some() => {
                self.names.is_merged = true;
                return;
            }
            _ => return self.refuse(Refusal::UnknownRoot),
        };
        if let Some(root) = &self.root {
            if start.depth > 0 {
                self.outer.push(self.is_other_kind);
            }
            self.is_other_kind = root.kind != kind;
            self.names.merge(start);
            self.reopen();
            return;
        }
        if start.depth > 0 {
            return self.refuse(Refusal::UnknownRoot);
        }
        let name = if kind == EntryKind::Url {
            "urlset"
        } else {
            "sitemapindex"
        };
        let mut tag = self.names.root(start, name, noted);
        for (attribute, now) in tag
            .attributes
            .iter()
            .filter(|(attribute, _)| attribute.starts_with("xmlns"))
        {
            let before = start.attributes.iter().find(|(known, _)| known == attribute);
            if before.is_some_and(|(_, before)| before == now) {
                continue;
            }
            let is_own = *attribute == own_declaration(&self.names.prefix);
            let repair = if is_own {
                Repair::Namespace
            } else {
                Repair::ExtensionNamespace
            };
            let seen = before.map_or(String::new(), |(_, value)| format!("{attribute}=\"{value}\""));
            let example = Example::new(start.line, &seen, &format!("{attribute}=\"{now}\""));
            self.account.repair(repair, example);
        }
        tag.is_changed |= is_faulty;
        let is_empty = raw.ends_with("/>");
        let bare = raw.strip_suffix("/>").or_else(|| raw.strip_suffix('>')).unwrap_or(raw);
        self.root = Some(Root {
            kind,
            tag,
            raw: Some(bare.to_owned()),
            is_empty,
            end_tag: String::new(),
            behind: String::new(),
            is_open: true,
        });
        self.output.around = (self.head().len() + 1024) as u64;
    }

    /// What comes now is put into the root, which had ended.
    fn reopen(&mut self) {
        if let Some(root) = &mut self.root
            && !root.is_open
        {
            self.between.push_str(&std::mem::take(&mut root.behind));
            root.end_tag.clear();
            root.is_open = true;
            self.names.is_merged = true;
        }
        if let Some(root) = &mut self.root {
            root.is_empty = false;
        }
    }

    fn begin_entry(&mut self, start: &Start, raw: &str, noted: &Noted, is_faulty: bool) {
        let kind = match start.part {
            Part::Sitemap(sitemap::Part::Entry(kind)) => kind,
            _ => self.kind().unwrap_or(EntryKind::Url),
        };
        if self.root.is_none() {
            self.assume_root(kind);
        }
        self.reopen();
        if let Some(mut other) = self.entry.take() {
            // An element that is no entry lacks its end tag.
            let at = other.raw.len() - raw.len();
            other.finish_foreign(at, &mut self.around());
            self.write(other, None);
        }
        self.names.local.clear();
        let mut entry = Entry::new(Some(kind), start.line);
        entry.raw.push_str(raw);
        entry.is_other_root = self.is_other_kind;
        let mut around = Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
            is_lossy: self.is_lossy,
        };
        if is_entry(start.part) {
            entry.open(start, noted, &mut around, raw.len(), is_faulty);
        } else {
            let token = Token {
                start,
                noted,
                range: 0..raw.len(),
                is_faulty,
            };
            inside(&mut entry, &token, &mut around);
        }
        self.entry = Some(entry);
    }

    /// Entries without a root: the one that they need.
    fn assume_root(&mut self, kind: EntryKind) {
        let name = if kind == EntryKind::Url {
            "urlset"
        } else {
            "sitemapindex"
        };
        let uri = "http://www.sitemaps.org/schemas/sitemap/0.9".to_owned();
        self.names.bound.insert(String::new(), uri.clone());
        self.root = Some(Root {
            kind,
            tag: TagOut {
                name: name.to_owned(),
                attributes: vec![("xmlns".to_owned(), uri)],
                is_changed: true,
            },
            raw: None,
            is_empty: false,
            end_tag: String::new(),
            behind: String::new(),
            is_open: true,
        });
        self.between.push('\n');
        self.output.around = (self.head().len() + 1024) as u64;
    }

    fn end(&mut self, end: &End, raw: &str, begin: usize, is_faulty: bool, checker: &mut Checker) {
        let End {
            part, depth, closed, ..
        } = *end;
        if end.finished {
            // The root's end tag ends an entry that lacks its own, but is not part of it.
            let own = (is_entry(part) && closed).then_some((begin..begin + raw.len(), !is_faulty));
            self.finish_entry(begin, own, checker);
            if matches!(part, Part::Root | Part::Sitemap(sitemap::Part::Root)) {
                self.end_root(depth, raw, is_faulty, begin);
            }
            return;
        }
        if matches!(part, Part::Root | Part::Sitemap(sitemap::Part::Root)) {
            return self.end_root(depth, raw, is_faulty, begin);
        }
        let mut around = Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
            is_lossy: self.is_lossy,
        };
        let Some(entry) = &mut self.entry else { return };
        let range = begin..entry.raw.len();
        let is_clean = closed && !is_faulty;
        let is_over = match part {
            Part::Sitemap(part) => match field_of(part) {
                Some(field) => {
                    if entry.is_target(field) {
                        let end = if closed { range.end } else { range.start };
                        entry.finish_field(end, closed, is_clean, &mut around);
                    }
                    false
                }
                None => match part {
                    sitemap::Part::Record(_) | sitemap::Part::Group if entry.is_passing_over() => {
                        entry.end_passed_over(depth, range.end, is_clean, &mut around)
                    }
                    sitemap::Part::Record(_) | sitemap::Part::Group => {
                        let is_record = part != sitemap::Part::Group;
                        if is_record {
                            entry.finish_field(range.start, false, false, &mut around);
                        }
                        let own = if closed { range } else { range.start..range.start };
                        entry.end_level(is_record, own, is_clean, &mut around);
                        false
                    }
                    sitemap::Part::Link if !entry.is_passing_over() => false,
                    _ => entry.end_passed_over(depth, range.end, is_clean, &mut around),
                },
            },
            _ => entry.end_passed_over(depth, range.end, is_clean, &mut around),
        };
        if is_over && entry.kind.is_none() {
            self.finish_entry(begin + raw.len(), None, checker);
        }
    }

    fn end_root(&mut self, depth: usize, raw: &str, is_faulty: bool, at: usize) {
        if let Some(mut other) = self.entry.take() {
            other.finish_foreign(at, &mut self.around());
            self.write(other, None);
        }
        if depth > 0 {
            self.is_other_kind = self.outer.pop().unwrap_or(false);
            return;
        }
        self.outer.clear();
        let Some(root) = &mut self.root else { return };
        if !root.is_open {
            return;
        }
        root.is_open = false;
        let name = raw
            .strip_prefix("</")
            .and_then(|rest| rest.strip_suffix('>'))
            .map(str::trim_end);
        let is_own = !is_faulty && name == Some(root.tag.name.as_str());
        if is_own {
            root.end_tag = raw.to_owned();
        }
        self.is_other_kind = false;
    }

    fn usual(&mut self, raw: &str, is_duplicate: bool, line: i32) {
        self.reopen();
        if self.is_other_kind {
            self.account.leave_out(LeftOut::OtherRoot, line, raw);
            return self.trim_between();
        }
        if is_duplicate {
            self.note(Repair::Duplicate, line, raw, "");
            return self.trim_between();
        }
        if self.names.is_merged && !self.names.prefix.is_empty() {
            // Names without a prefix mean something else in the root that stays.
            self.refuse(Refusal::UnknownRoot);
            return;
        }
        let between = std::mem::take(&mut self.between);
        self.output.put_entry(&between, raw);
    }

    /// What set off an entry that goes, goes with it; comments stay.
    fn trim_between(&mut self) {
        let kept = self.between.trim_end_matches([' ', '\t', '\r', '\n']).len();
        self.between.truncate(kept);
    }

    fn finish_entry(&mut self, at: usize, end_tag: Option<(Range<usize>, bool)>, checker: &mut Checker) {
        let Some(entry) = self.entry.take() else { return };
        let line = entry.line;
        let is_entry = entry.kind.is_some();
        let mut around = Surroundings {
            names: &mut self.names,
            base: self.base.as_deref(),
            is_lossy: self.is_lossy,
        };
        let (outcome, behind) = entry.finish(at, end_tag, &mut around, &mut self.account, |content| {
            checker.is_new(content)
        });
        match outcome {
            Outcome::Raw(text) | Outcome::Write(text) => {
                let between = std::mem::take(&mut self.between);
                if is_entry {
                    self.output.put_entry(&between, &text);
                } else {
                    self.output.put(&between);
                    self.output.put(&text);
                }
            }
            Outcome::LeaveOut(why, what) => {
                self.account.leave_out(why, line, &what);
                self.trim_between();
            }
            Outcome::Duplicate(what) => {
                self.note(Repair::Duplicate, line, &what, "");
                self.trim_between();
            }
            Outcome::Nothing => self.trim_between(),
        }
        self.between.push_str(&behind);
    }

    /// Writes an element that is no entry.
    fn write(&mut self, entry: Entry, end_tag: Option<(Range<usize>, bool)>) {
        let at = entry.raw.len();
        self.entry = Some(entry);
        self.finish_entry(at, end_tag, &mut Checker::new());
    }

    fn cut_off(&mut self) {
        let line = self.entry.as_ref().map_or(self.line, |entry| entry.line);
        let what = self.entry.take().map(|entry| entry.raw).unwrap_or_default();
        self.account.leave_out(LeftOut::HalfRead, line, &what);
        self.trim_between();
    }

    /// What stands before the body: declaration, comments, and the root's start tag with all that it must declare.
    fn head(&self) -> String {
        let mut head = match &self.declaration {
            Some(written) if self.is_declaration_kept => written.clone(),
            Some(_) => "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(),
            None => "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(),
        };
        let prolog = if self.declaration.is_none() {
            self.prolog.trim_start_matches([' ', '\t', '\r', '\n'])
        } else {
            &self.prolog
        };
        head.push_str(prolog);
        let Some(root) = &self.root else { return head };
        match &root.raw {
            Some(raw) if !root.tag.is_changed => head.push_str(raw.trim_end_matches([' ', '\t', '\r', '\n'])),
            raw => head.push_str(&root.tag.opening_over_lines(raw.as_deref().map_or(" ", first_break))),
        }
        for (prefix, uri) in &self.names.needed {
            if !self.names.bound.contains_key(prefix) {
                super::markup::push_attribute(&mut head, &format!("xmlns:{prefix}"), uri);
            }
        }
        if let Some(raw) = root.raw.as_ref().filter(|_| !root.tag.is_changed) {
            let kept = raw.trim_end_matches([' ', '\t', '\r', '\n']).len();
            head.push_str(&raw[kept..]);
        }
        head.push_str(if root.is_empty { "/>" } else { ">" });
        head
    }

    /// Ends the document: what stands before and behind its body.
    pub fn finish(&mut self) -> (String, String) {
        let needed: Vec<(String, String)> = self
            .names
            .needed
            .iter()
            .filter(|(prefix, _)| !self.names.bound.contains_key(*prefix))
            .map(|(prefix, uri)| (prefix.clone(), uri.clone()))
            .collect();
        for (prefix, uri) in needed {
            let now = format!("xmlns:{prefix}=\"{uri}\"");
            self.note(
                Repair::ExtensionNamespace,
                1,
                &format!("{prefix}: is not declared"),
                &now,
            );
        }
        if self.declaration.is_none() {
            self.note(Repair::Declaration, 1, "", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        }
        let head = self.head();
        let Some(root) = &self.root else {
            return (head, String::new());
        };
        let mut tail = self.between.clone();
        if !root.is_empty {
            if root.end_tag.is_empty() {
                if !tail.ends_with('\n') {
                    tail.push('\n');
                }
                push_end(&mut tail, &root.tag.name);
                if root.behind.is_empty() {
                    tail.push('\n');
                }
            } else {
                tail.push_str(&root.end_tag);
            }
        }
        tail.push_str(&root.behind);
        (head, tail)
    }
}

fn is_named_as_field(local: &str) -> bool {
    let names = ["loc", "lastmod", "changefreq", "priority"];
    names.iter().any(|name| name.eq_ignore_ascii_case(local))
}

/// Whether a start tag is of an element that there is.
fn is_known(part: Part) -> bool {
    !matches!(
        part,
        Part::Foreign | Part::Other | Part::Sitemap(sitemap::Part::Unknown | sitemap::Part::Foreign)
    )
}

/// The first white space that holds a line break: how somebody set off the attributes of a tag.
fn first_break(tag: &str) -> &str {
    let Some(at) = tag.find('\n') else { return " " };
    let is_space = |ch: char| matches!(ch, ' ' | '\t' | '\r' | '\n');
    let begin = tag[..at].trim_end_matches(is_space).len();
    let end = tag.len() - tag[at..].trim_start_matches(is_space).len();
    if end == tag.len() { " " } else { &tag[begin..end] }
}

fn field_of(part: sitemap::Part) -> Option<Field> {
    match part {
        sitemap::Part::Core(core) => Some(Field::Core(core)),
        sitemap::Part::Field(extension, field) => Some(Field::Extension(extension, field)),
        _ => None,
    }
}

/// A start tag inside an entry.
fn inside(entry: &mut Entry, token: &Token, around: &mut Surroundings) {
    let start = token.start;
    let part = match start.part {
        Part::Sitemap(part) => part,
        _ => sitemap::Part::Foreign,
    };
    if part == sitemap::Part::Wrapper {
        return entry.wrap();
    }
    entry.finish_field(token.range.start, false, false, around);
    if let Some(field) = field_of(part) {
        return entry.begin_field(field, token, around);
    }
    let is_entry = entry.kind.is_some();
    match part {
        sitemap::Part::Link if is_entry => entry.link(token, around),
        sitemap::Part::Record(extension) if is_entry => {
            let local = match extension {
                Extension::Image => "image",
                Extension::Video => "video",
                _ => "news",
            };
            entry.begin_level(extension, local, true, token, around);
        }
        sitemap::Part::Group if is_entry && entry.has_record() && !entry.is_passing_over() => {
            let local = start.local.to_ascii_lowercase();
            let extension = if local == "publication" {
                Extension::News
            } else {
                Extension::Video
            };
            entry.begin_level(extension, &local, false, token, around);
        }
        _ => entry.pass_over(token, around),
    }
}
