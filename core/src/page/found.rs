//! The facts found so far while the tree is built.

use html5ever::{Attribute, LocalName, local_name};

use super::Options;
use super::element::{Element, Place, is_block, is_heading};
use super::facts::{Facts, push};
use super::names::{is_robots_name, meta_date};
use super::text::Text;
use super::values::{collapse, is_cut, is_space, trim};
use super::{refresh, structured};
use crate::limits::MAX_PAGE_VALUE;

/// The value for which text is being collected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Title,
    JsonLd,
    Date(&'static str),
    Script,
    Noscript,
}

/// A `<time>` after words such as "Last updated:".
const LAST_CHANGE: &str = "time.last-change";

/// Longest label of such a date, in bytes, with whitespace around it.
const MAX_LABEL: usize = 200;

struct Capture {
    node: u32,
    is_open: bool,
    purpose: Purpose,
    place: Place,
    text: String,
}

pub(super) struct Found {
    facts: Facts,
    text: Text,
    heading: String,
    /// Each heading, and whether it is in `<main>`.
    headings: Vec<(String, bool)>,
    has_heading: bool,
    has_title: bool,
    capture: Option<Capture>,
    images: bool,
    links: bool,
    keeps_text: bool,
    scripts: bool,
    in_noscript: bool,
    /// The content of each `<noscript>`.
    noscripts: Vec<(String, Place)>,
    /// Attributes of links around text that was not heard yet.
    links_around: Vec<Vec<Attribute>>,
    /// The last text of the page, and its block, if it is short enough to be the label of a date.
    label: (String, u32),
}

impl Found {
    pub fn new(options: Options<'_>) -> Self {
        Found {
            facts: Facts::default(),
            text: Text::default(),
            heading: String::new(),
            headings: Vec::new(),
            has_heading: false,
            has_title: false,
            capture: None,
            images: options.images,
            links: options.links,
            keeps_text: options.text,
            scripts: options.scripts,
            in_noscript: options.in_noscript,
            noscripts: Vec::new(),
            links_around: Vec::new(),
            label: (String::new(), 0),
        }
    }

    /// Returns the facts and leaves none here.
    pub fn finish(&mut self) -> Facts {
        self.end_capture();
        let mut facts = std::mem::take(&mut self.facts);
        drop_ambiguous(&mut facts.dates);
        facts.heading = collapse(&self.heading);
        (facts.content_hash, facts.words) = self.text.finish();
        if self.keeps_text {
            let has_main = self.text.has_main();
            facts.text = self.text.take();
            let headings = self.headings.drain(..).filter(|(_, in_main)| *in_main || !has_main);
            facts.headings = headings.filter_map(|(text, _)| collapse(&text)).collect();
        }
        facts
    }

    /// Returns the content of each `<noscript>` whose links are requested, and leaves none here.
    pub fn take_noscripts(&mut self) -> Vec<(String, Place)> {
        self.end_capture();
        std::mem::take(&mut self.noscripts)
    }

    /// Whether the text of an open element is being collected.
    pub fn is_capturing(&self) -> bool {
        self.capture.as_ref().is_some_and(|capture| capture.is_open)
    }

    /// Handles the end of an element.
    #[inline]
    pub fn leave(&mut self, node: u32) {
        if let Some(capture) = &mut self.capture
            && capture.node == node
        {
            capture.is_open = false;
            if capture.purpose == Purpose::Noscript {
                self.end_capture();
            }
        }
    }

    /// Whether text inside `parent` matters.
    pub fn hears(&self, parent: u32, place: Place) -> bool {
        let is_captured = self.capture.as_ref().is_some_and(|capture| capture.node == parent);
        !place.is_inert && (is_captured || !(place.is_silent || place.in_head))
    }

    /// Takes a link around a part of the next text, which has its position.
    pub fn link_around(&mut self, attributes: Vec<Attribute>) {
        self.links_around.push(attributes);
    }

    /// Drops links around text that the builder dropped.
    pub fn drop_links_around(&mut self) {
        self.links_around.clear();
    }

    /// Handles text inside `parent`.
    pub fn hear(&mut self, text: &str, parent: u32, place: Place) {
        if !self.links_around.is_empty() && text.bytes().any(|byte| byte > b' ') {
            for attributes in self.links_around.drain(..) {
                if !place.is_inert {
                    self.facts.links.meet(&attributes, place);
                }
            }
        }
        if place.is_inert {
            return;
        }
        if let Some(capture) = &mut self.capture
            && capture.node == parent
        {
            let bound = match capture.purpose {
                Purpose::JsonLd | Purpose::Script | Purpose::Noscript => usize::MAX,
                Purpose::Title | Purpose::Date(_) => MAX_PAGE_VALUE,
            };
            if capture.text.len() < bound {
                capture.text.push_str(text);
            }
        }
        if place.is_silent || place.in_head {
            return;
        }
        if text.bytes().any(|byte| byte > b' ') {
            self.label.0.clear();
            if text.len() <= MAX_LABEL {
                self.label.0.push_str(text);
                self.label.1 = place.block;
            }
        }
        if place.in_heading && self.heading.len() < MAX_PAGE_VALUE {
            self.heading.push_str(text);
        }
        if place.is_beside {
            return;
        }
        if place.in_any_heading
            && let Some((heading, _)) = self.headings.last_mut()
            && heading.len() < MAX_PAGE_VALUE
        {
            heading.push_str(text);
        }
        if place.in_button {
            self.text.add_button(text, place.block, place.in_main);
        } else {
            self.text.add(text, place.block, place.in_main);
        }
    }

    /// Handles an element that was inserted into the tree.
    pub fn meet(&mut self, element: &Element<'_>, node: u32, place: &mut Place) {
        if !element.is_html() || place.is_inert {
            return;
        }
        if is_block(&element.name.local) {
            self.text.part();
        }
        if place.in_main {
            self.text.see_main();
        }
        if self.keeps_text && is_heading(&element.name.local) && !place.is_beside {
            place.in_any_heading = push(&mut self.headings, (String::new(), place.in_main));
            self.facts.complete &= place.in_any_heading;
        }
        match element.name.local {
            local_name!("html") => self.lang(element),
            local_name!("title") => self.title(node, *place),
            local_name!("base") => self.base(element),
            local_name!("link") => self.link(element),
            local_name!("meta") => self.meta(element),
            local_name!("script") => self.script(element, node, *place),
            local_name!("noscript") => self.noscript(node, *place),
            local_name!("body") => self.body(element),
            local_name!("h1") if !self.has_heading && !place.is_beside => {
                (self.has_heading, place.in_heading) = (true, true);
            }
            local_name!("a") | local_name!("area") if self.links => {
                self.facts.links.meet(element.attributes, *place);
            }
            local_name!("img") => self.image(element, *place),
            local_name!("input") => {
                let kind = element.value(&local_name!("type")).unwrap_or("");
                self.facts.has_password_field |= kind.eq_ignore_ascii_case("password");
            }
            _ => {}
        }
        self.date(element, node, *place);
    }

    pub fn lang(&mut self, element: &Element<'_>) {
        let lang = element
            .get(&local_name!("lang"))
            .or_else(|| element.get(&LocalName::from("xml:lang")));
        if self.facts.lang.is_none() {
            self.facts.lang = lang.map(|lang| trim(lang).to_owned());
        }
    }

    fn title(&mut self, node: u32, place: Place) {
        if !self.has_title {
            self.has_title = true;
            self.start_capture(node, place, Purpose::Title);
        }
    }

    fn base(&mut self, element: &Element<'_>) {
        if self.facts.base.is_none() {
            self.facts.base = element.get(&local_name!("href")).map(|href| trim(href).to_owned());
        }
    }

    fn image(&mut self, element: &Element<'_>, place: Place) {
        if self.images
            && !place.is_beside
            && let Some(source) = element.value(&local_name!("src"))
        {
            let is_whole = !is_cut(source) && push(&mut self.facts.images, source.to_owned());
            self.facts.complete &= is_whole;
        }
    }

    fn link(&mut self, element: &Element<'_>) {
        let (Some(rel), Some(href)) = (element.value(&local_name!("rel")), element.get(&local_name!("href"))) else {
            return;
        };
        let has = |name: &str| rel.split(is_space).any(|word| word.eq_ignore_ascii_case(name));
        let (href, facts) = (trim(href), &mut self.facts);
        let in_head = element.above.in_head;
        let mut is_whole = true;
        if has("canonical") {
            let list = if in_head {
                &mut facts.canonicals
            } else {
                &mut facts.in_body.canonicals
            };
            is_whole &= !is_cut(href) && push(list, href.to_owned());
        }
        if has("alternate") {
            if let Some(code) = element.value(&local_name!("hreflang")) {
                let list = if in_head {
                    &mut facts.alternates
                } else {
                    &mut facts.in_body.alternates
                };
                is_whole &= !is_cut(href) && push(list, (code.to_owned(), href.to_owned()));
            }
            let kind = element.value(&local_name!("type")).unwrap_or("");
            if ["application/rss+xml", "application/atom+xml"]
                .iter()
                .any(|feed| kind.eq_ignore_ascii_case(feed))
            {
                is_whole &= push(&mut facts.feeds, href.to_owned());
            }
            if kind.eq_ignore_ascii_case("text/markdown") {
                is_whole &= !is_cut(href) && push(&mut facts.markdown, href.to_owned());
            }
        }
        if has("describedby") {
            is_whole &= !is_cut(href) && push(&mut facts.described_by, href.to_owned());
        }
        if has("sitemap") && !href.is_empty() {
            is_whole &= push(&mut facts.sitemaps, href.to_owned());
        }
        if has("indexnow-key") {
            is_whole &= push(&mut facts.indexnow_keys, ("link", href.to_owned()));
        }
        facts.complete &= is_whole;
    }

    fn meta(&mut self, element: &Element<'_>) {
        let Some(content) = element.get(&local_name!("content")).map(trim) else {
            return;
        };
        let in_head = element.above.in_head;
        let facts = &mut self.facts;
        let (mut is_whole, mut date) = (true, None);
        if let Some(name) = element.value(&local_name!("name")) {
            let name = name.to_ascii_lowercase();
            if let Some(kind) = meta_date(&name) {
                date = Some(kind);
            } else if name == "indexnow-key-location" {
                is_whole &= push(&mut facts.indexnow_keys, ("meta", content.to_owned()));
            } else if name == "description" && facts.description.is_none() {
                facts.description = collapse(content);
            } else if is_robots_name(&name) {
                let list = if in_head {
                    &mut facts.robots
                } else {
                    &mut facts.in_body.robots
                };
                is_whole &= !is_cut(content) && push(list, (name, content.to_owned()));
            }
        }
        if let Some(property) = element.value(&local_name!("property"))
            && let Some(kind) = meta_date(&property.to_ascii_lowercase())
        {
            date = Some(kind);
        }
        if let Some(header) = element.value(&local_name!("http-equiv")) {
            if header.eq_ignore_ascii_case("refresh") && facts.refresh.is_none() {
                facts.refresh = refresh::parse(content);
            } else if header.eq_ignore_ascii_case("last-modified") {
                date = Some("meta:last-modified");
            }
        }
        facts.complete &= is_whole;
        if let Some(kind) = date {
            self.add_date(kind, content);
        }
    }

    fn script(&mut self, element: &Element<'_>, node: u32, place: Place) {
        let kind = element.value(&local_name!("type")).unwrap_or("");
        let kind = trim(kind.split(';').next().unwrap_or(""));
        // https://html.spec.whatwg.org/multipage/scripting.html#attr-script-type
        let is_run = kind.is_empty()
            || ["module", "text/javascript", "application/javascript"]
                .iter()
                .any(|run| kind.eq_ignore_ascii_case(run));
        self.facts.has_script |= is_run;
        if kind.eq_ignore_ascii_case("application/ld+json") {
            self.start_capture(node, place, Purpose::JsonLd);
        } else if is_run && self.scripts {
            self.start_capture(node, place, Purpose::Script);
        }
    }

    fn body(&mut self, element: &Element<'_>) {
        if let Some(script) = element.value(&LocalName::from("onload")) {
            push(&mut self.facts.scripts, script.to_owned());
        }
    }

    /// Collects the content for the links in it, which crawlers and browsers without scripts follow.
    fn noscript(&mut self, node: u32, place: Place) {
        if self.links && !self.in_noscript && !self.is_capturing() {
            self.start_capture(node, place, Purpose::Noscript);
        }
    }

    /// Handles dates in microdata, `<time>` in the page's own content, and one that is labelled as the last change.
    fn date(&mut self, element: &Element<'_>, node: u32, place: Place) {
        let is_time = element.name.local == local_name!("time");
        let property = element.value(&local_name!("itemprop")).unwrap_or("");
        let has = |name: &str| property.split(is_space).any(|word| word == name);
        let kind = if has("dateModified") {
            "itemprop:dateModified"
        } else if has("datePublished") {
            "itemprop:datePublished"
        } else if is_time && self.label.1 == place.block && is_last_change(&self.label.0) {
            LAST_CHANGE
        } else if is_time && !place.is_beside {
            let class = element.value(&local_name!("class")).unwrap_or("");
            // hAtom, which WordPress themes emit: https://microformats.org/wiki/hentry
            match class
                .split(is_space)
                .any(|word| word == "updated" || word == "dt-updated")
            {
                true => "time.updated",
                false => "time",
            }
        } else {
            return;
        };
        let written = element
            .value(&local_name!("datetime"))
            .or_else(|| element.value(&local_name!("content")));
        match written {
            Some(value) => self.add_date(kind, value),
            None => self.start_capture(node, place, Purpose::Date(kind)),
        }
    }

    fn add_date(&mut self, kind: &'static str, value: &str) {
        // The text being collected belongs before it.
        self.end_capture();
        let is_whole = push(&mut self.facts.dates, (kind, value.to_owned()));
        self.facts.complete &= is_whole;
    }

    fn start_capture(&mut self, node: u32, place: Place, purpose: Purpose) {
        self.end_capture();
        self.capture = Some(Capture {
            node,
            is_open: true,
            purpose,
            place,
            text: String::new(),
        });
    }

    fn end_capture(&mut self) {
        let Some(capture) = self.capture.take() else {
            return;
        };
        let facts = &mut self.facts;
        match capture.purpose {
            Purpose::Title => facts.title = collapse(&capture.text).or(Some(String::new())),
            Purpose::JsonLd => {
                let mut is_whole = true;
                let has_all = structured::dates(&capture.text, |kind, value| {
                    is_whole &= push(&mut facts.dates, (kind, trim(value).to_owned()));
                });
                facts.complete &= is_whole && has_all;
            }
            Purpose::Script => {
                push(&mut facts.scripts, capture.text);
            }
            Purpose::Noscript => self.noscripts.push((capture.text, capture.place)),
            Purpose::Date(kind) => {
                if let Some(value) = collapse(&capture.text) {
                    let is_whole = push(&mut facts.dates, (kind, value));
                    facts.complete &= is_whole;
                }
            }
        }
    }
}

/// Returns whether a text is the label of the date when a page was changed: `Last change: ` of mdBook, `Last updated on`.
fn is_last_change(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let label = text.trim_matches(|sign: char| !sign.is_alphanumeric());
    let label = ["this page was ", "page "]
        .iter()
        .find_map(|start| label.strip_prefix(start))
        .unwrap_or(label);
    let label = [" on", " at"]
        .iter()
        .find_map(|end| label.strip_suffix(end))
        .unwrap_or(label);
    let what = label.strip_prefix("last ").unwrap_or(label);
    matches!(what, "updated" | "modified" | "changed" | "edited")
        || what.len() < label.len() && matches!(what, "change" | "update" | "modification" | "edit")
}

/// Drops the labelled dates of a page that lists several pages, each with its own dates: one that has different ones,
/// or more than one other `<time>`, which is that of the publication.
fn drop_ambiguous(dates: &mut Vec<(&'static str, String)>) {
    let mut labelled = dates.iter().filter(|(kind, _)| *kind == LAST_CHANGE);
    let is_one = labelled
        .next()
        .is_some_and(|(_, first)| labelled.all(|(_, value)| value == first));
    let others = dates.iter().filter(|(kind, _)| *kind == "time").count();
    if !is_one || others > 1 {
        dates.retain(|(kind, _)| *kind != LAST_CHANGE);
    }
}
