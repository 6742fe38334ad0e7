//! robots.txt: groups of rules, `Sitemap:` lines, lines of other specifications, and which user agent may fetch which URL.
//!
//! RFC 9309, <https://www.rfc-editor.org/rfc/rfc9309>, with the tolerances of Google's parser,
//! <https://github.com/google/robotstxt>, where real files need them. Like the sitemap reader, it accepts any bytes,
//! makes no judgment, and drops nothing silently: it records each line that it repairs or ignores.

mod access;
mod extension;
mod line;
mod parser;
mod pattern;
mod problem;
pub(crate) mod resolve;
mod ruleset;
mod sitemap;
mod tables;
mod text;
mod wild;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::limits::MAX_ANOMALIES_PER_KIND;
use crate::value::url;
pub use extension::{ExtensionLine, usage};
pub use line::Place;
use line::{ProductToken, product_token_of};
use parser::Parser;
use pattern::Pattern;
pub use pattern::{Target, target};
pub use problem::{ExtensionKey, ExtensionProblem, RobotsProblem};
pub use ruleset::{Dialect, RuleSet};
pub use tables::{Agent, empty_tables};

/// The path that is always allowed. <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2>
pub const OWN_PATH: &[u8] = b"/robots.txt";

/// One `Allow:` or `Disallow:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub place: Place,
    pub allow: bool,
    /// As written; an empty pattern has no effect.
    pub pattern: String,
    compiled: Pattern,
}

/// One `User-agent:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentLine {
    pub place: Place,
    /// As written.
    pub value: String,
    product_token: ProductToken,
}

/// Consecutive `User-agent:` lines, and the rules that follow them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub agents: Vec<AgentLine>,
    pub rules: Vec<Rule>,
}

impl Group {
    /// Number of rows in the table `robots` that the group produces.
    fn rows(&self) -> usize {
        self.agents.len() * self.rules.len().max(1)
    }
}

/// The groups that name one user agent.
#[derive(Debug, Default)]
struct Named {
    /// Each group in file order, and the first of its user-agent lines that names this agent.
    groups: Vec<(usize, usize)>,
    /// The number of this list of groups: agents with the same groups share their rules.
    list: usize,
}

/// One `Sitemap:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapLine {
    /// Position of the key.
    pub place: Place,
    /// Position of the value.
    pub value_place: Place,
    /// The key as written.
    pub key: String,
    /// The value as written, without the comment.
    pub value: String,
    /// The value made absolute if necessary and possible, otherwise as written.
    pub loc: String,
    /// Whether the value lacks a scheme.
    pub is_relative: bool,
    /// What is wrong with the line.
    pub problem: Option<RobotsProblem>,
}

/// A line that was repaired or ignored, or a problem of the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: RobotsProblem,
    /// `None` for a problem of the whole file.
    pub place: Option<Place>,
    /// The evidence, safe to print.
    pub evidence: String,
}

/// The origin that a robots.txt applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub scheme: String,
    pub host: String,
    pub port: u16,
}

impl Origin {
    /// Returns the origin of an http or https URL.
    pub fn of(text: &str) -> Option<Self> {
        let parts = url::parse(text);
        let scheme = parts.scheme?.to_ascii_lowercase();
        let usual = usual_port(&scheme)?;
        Some(Self {
            port: parts.port.unwrap_or(usual),
            host: url::ascii_host(parts.host?).into_owned(),
            scheme,
        })
    }
}

/// Returns the default port of a scheme.
pub fn usual_port(scheme: &str) -> Option<u16> {
    match scheme {
        "https" => Some(443),
        "http" => Some(80),
        _ => None,
    }
}

/// The reason why a URL is allowed or blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason<'a> {
    /// This rule decides.
    Rule { rule: &'a Rule, agent: &'a AgentLine },
    /// This rule for an index page decides; Google's crawlers apply it to the folder, too.
    IndexPage { rule: &'a Rule, agent: &'a AgentLine },
    /// The matching group has no rule for this URL.
    NoRule { agent: &'a AgentLine },
    /// There is no group for this user agent and no group for `*`.
    NoGroup,
    /// The URL is robots.txt itself.
    OwnPath,
}

impl Reason<'_> {
    pub fn is_allowed(&self) -> bool {
        match self {
            Reason::Rule { rule, .. } | Reason::IndexPage { rule, .. } => rule.allow,
            _ => true,
        }
    }
}

/// A parsed robots.txt.
#[derive(Debug, Default)]
pub struct Robots {
    pub groups: Vec<Group>,
    pub sitemaps: Vec<SitemapLine>,
    pub extensions: Vec<ExtensionLine>,
    pub problems: Vec<Problem>,
    /// Number of problems beyond the limit, which are not listed.
    pub problems_unlisted: usize,
    /// Size of the file, in bytes.
    pub bytes: usize,
    /// Bytes beyond the limit, which were not read.
    pub bytes_unread: usize,
    pub lines: usize,
    pub encoding: &'static str,
    pub has_bom: bool,
    /// Whether it starts like HTML.
    pub is_html: bool,
    pub url: Option<String>,
    pub origin: Option<Origin>,
    /// The groups that name a user agent, by its lowercase token; those for all agents under `*`.
    named: HashMap<String, Named>,
    /// Rules prepared for matching, by the number of the list of groups that they were merged from.
    compiled: Mutex<HashMap<(usize, Dialect), Arc<RuleSet>>>,
}

impl Robots {
    /// Parses any bytes. `url` is the URL they come from: relative sitemap URLs are resolved against it, and
    /// `forbidden` skips URLs that this robots.txt does not apply to.
    pub fn parse(content: &[u8], url: Option<&str>) -> Self {
        let mut robots = Robots {
            bytes: content.len(),
            url: url.map(str::to_owned),
            origin: url.and_then(Origin::of),
            ..Robots::default()
        };
        let text = text::read(content);
        robots.encoding = text.encoding;
        robots.has_bom = text.has_bom;
        robots.is_html = text.is_html;
        robots.bytes_unread = text.bytes_unread;
        for (kind, evidence) in &text.problems {
            robots.note(*kind, None, evidence);
        }
        let mut parser = Parser::new(robots, text.is_utf8);
        for (number, bytes) in text.lines() {
            parser.robots.lines = number as usize;
            parser.line(number, bytes);
        }
        let Parser {
            mut robots, ignored, ..
        } = parser;
        robots.index_groups();
        extension::compare_signals(&mut robots.extensions, &robots.groups);
        let rows: usize = robots.groups.iter().map(Group::rows).sum();
        let kept = robots.pairs_kept().count();
        if kept < rows {
            let evidence = format!("{kept} of {rows} pairs of user agent and rule are listed");
            robots.note(RobotsProblem::TooManyRules, None, &evidence);
        }
        if ignored > 0 {
            let evidence = format!("rules ignored: {ignored}");
            robots.note(RobotsProblem::TooManyStars, None, &evidence);
        }
        robots
    }

    /// Returns the rules for a user agent: those of all groups that name the first of `product_tokens` named by any
    /// group, or else of all groups for `*`, if the dialect has them. Returns `None` if there is no such group.
    ///
    /// Several tokens are for crawlers that follow another crawler's group if they have none of their own.
    pub fn rules_for(&self, product_tokens: &[&str], dialect: Dialect) -> Option<Arc<RuleSet>> {
        self.named(product_tokens, dialect)
            .map(|named| self.rules_of(named, dialect))
    }

    fn rules_of(&self, named: &Named, dialect: Dialect) -> Arc<RuleSet> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = compiled.entry((named.list, dialect)).or_insert_with(|| {
            let ids = named
                .groups
                .iter()
                .flat_map(|&(group, _)| (0..self.groups[group].rules.len()).map(move |rule| (group, rule)));
            let rules = ids.map(|(group, rule)| ((group, rule), &self.groups[group].rules[rule]));
            Arc::new(RuleSet::new(rules, dialect))
        });
        rules.clone()
    }

    fn named(&self, product_tokens: &[&str], dialect: Dialect) -> Option<&Named> {
        product_tokens
            .iter()
            .filter_map(|product_token| match product_token_of(product_token.as_bytes()).0 {
                ProductToken::Name(name) => self.named.get(&name),
                _ => None,
            })
            .next()
            .or_else(|| self.named.get("*").filter(|_| dialect != Dialect::GoogleSpecial))
    }

    /// Returns the verdict on a path with its query.
    pub fn verdict(&self, product_tokens: &[&str], dialect: Dialect, target: Target) -> Reason<'_> {
        let path = target.normalized();
        if *path == *OWN_PATH {
            return Reason::OwnPath;
        }
        let Some(named) = self.named(product_tokens, dialect) else {
            return Reason::NoGroup;
        };
        let agent = |at: usize| {
            let (group, line) = named.groups[at];
            &self.groups[group].agents[line]
        };
        let Some(decision) = self.rules_of(named, dialect).deciding(&path) else {
            return Reason::NoRule { agent: agent(0) };
        };
        let at = named.groups.partition_point(|(group, _)| *group < decision.rule.0);
        let (rule, agent) = (self.rule(decision), agent(at));
        match decision.is_index_page {
            true => Reason::IndexPage { rule, agent },
            false => Reason::Rule { rule, agent },
        }
    }

    fn index_groups(&mut self) {
        for (number, group) in self.groups.iter().enumerate() {
            for (line, agent) in group.agents.iter().enumerate() {
                let name = match &agent.product_token {
                    ProductToken::Name(name) => name.as_str(),
                    ProductToken::Any => "*",
                    ProductToken::None => continue,
                };
                let groups = &mut self.named.entry(name.to_owned()).or_default().groups;
                if groups.last().is_none_or(|(last, _)| *last != number) {
                    groups.push((number, line));
                }
            }
        }
        let mut lists: HashMap<Vec<usize>, usize> = HashMap::new();
        for named in self.named.values_mut() {
            let next = lists.len();
            let groups = named.groups.iter().map(|(group, _)| *group).collect();
            named.list = *lists.entry(groups).or_insert(next);
        }
    }

    fn note(&mut self, kind: RobotsProblem, place: Option<Place>, evidence: &str) {
        if place.is_none() || self.problems.len() < MAX_ANOMALIES_PER_KIND as usize {
            self.problems.push(Problem {
                kind,
                place,
                evidence: crate::anomaly::evidence(evidence),
            });
        } else {
            self.problems_unlisted += 1;
        }
    }
}
