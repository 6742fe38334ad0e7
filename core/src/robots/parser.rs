//! Parses lines into groups, rules and sitemap lines.

use super::extension::ExtensionLine;
use super::line::{Key, Line, ProductToken, product_token_of};
use super::pattern::{Pattern, Tail};
use super::problem::{ExtensionKey, ExtensionProblem};
use super::{AgentLine, Group, Robots, RobotsProblem, Rule, SitemapLine};
use super::{resolve, sitemap};
use crate::limits::MAX_ROBOTS_STARS;

pub(super) struct Parser {
    pub(super) robots: Robots,
    /// Whether crawlers can read the lines: <https://www.rfc-editor.org/rfc/rfc9309#section-2.3>. If not, only the
    /// sitemaps are read, for people who want them checked.
    is_utf8: bool,
    /// Whether another `User-agent:` line would join the last group: no rule has followed it yet.
    group_is_open: bool,
    /// Stars in the rules so far.
    stars: usize,
    /// Number of rules with stars beyond the limit.
    pub(super) ignored: usize,
}

impl Parser {
    pub(super) fn new(robots: Robots, is_utf8: bool) -> Self {
        Self {
            robots,
            is_utf8,
            group_is_open: false,
            stars: 0,
            ignored: 0,
        }
    }

    pub(super) fn line(&mut self, number: i32, bytes: &[u8]) {
        let line = match Line::read(number, bytes) {
            Ok(Some(line)) => line,
            Ok(None) => return,
            Err((kind, place, evidence)) => {
                self.robots.note(kind, Some(place), &evidence);
                return;
            }
        };
        if !self.is_utf8 && line.key != Key::Sitemap {
            return;
        }
        for (kind, evidence) in &line.problems {
            self.robots.note(*kind, Some(line.place), evidence);
        }
        match line.key {
            Key::UserAgent => self.agent(&line),
            Key::Allow => self.rule(&line, true),
            Key::Disallow => self.rule(&line, false),
            Key::Sitemap => self.sitemap(&line),
            // These do not end a group: <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.4>.
            Key::Extension(key) => self.extension(key, &line),
            Key::Other => {}
        }
    }

    fn agent(&mut self, line: &Line) {
        let (product_token, rest) = product_token_of(line.value);
        let value = line.value_text();
        if product_token == ProductToken::None {
            self.robots.note(RobotsProblem::AgentInvalid, Some(line.place), &value);
        } else if !rest.is_empty() {
            self.robots.note(RobotsProblem::AgentLoose, Some(line.place), &value);
        }
        if !self.group_is_open {
            self.robots.groups.push(Group::default());
            self.group_is_open = true;
        }
        let agents = self.robots.groups.last_mut().map(|group| &mut group.agents);
        agents.into_iter().for_each(|agents| {
            agents.push(AgentLine {
                place: line.place,
                value: value.clone(),
                product_token: product_token.clone(),
            });
        });
    }

    fn rule(&mut self, line: &Line, allow: bool) {
        let pattern = line.value_text();
        if self.robots.groups.is_empty() {
            self.robots
                .note(RobotsProblem::RuleWithoutGroup, Some(line.place), &pattern);
            return;
        }
        self.group_is_open = false;
        let mut compiled = Pattern::compile(line.value);
        if let Tail::Parts { parts, .. } = &compiled.tail {
            self.stars += parts.len();
            if self.stars > MAX_ROBOTS_STARS {
                self.ignored += 1;
                compiled = Pattern::compile(b"");
            }
        }
        if compiled.never_matches() {
            self.robots
                .note(RobotsProblem::PatternNotPath, Some(line.place), &pattern);
        }
        if let Some(group) = self.robots.groups.last_mut() {
            group.rules.push(Rule {
                place: line.place,
                allow,
                pattern,
                compiled,
            });
        }
    }

    fn sitemap(&mut self, line: &Line) {
        let value = line.value_text();
        if value.is_empty() {
            self.robots.note(RobotsProblem::SitemapEmpty, Some(line.place), "");
            return;
        }
        let problem = sitemap::problem_of(&value);
        if let Some(problem) = problem {
            self.robots.note(problem, Some(line.place), &value);
        }
        let is_relative = problem == Some(RobotsProblem::SitemapRelative);
        let base = self.robots.url.as_deref().filter(|_| self.robots.origin.is_some());
        let loc = match base {
            Some(base) if is_relative => resolve::against(base, &value),
            _ => value.clone(),
        };
        self.robots.sitemaps.push(SitemapLine {
            place: line.place,
            value_place: line.value_place,
            key: String::from_utf8_lossy(line.key_written).into_owned(),
            value,
            loc,
            is_relative,
            problem,
        });
    }

    fn extension(&mut self, key: ExtensionKey, line: &Line) {
        let group = self.robots.groups.len().checked_sub(1);
        let mut read = ExtensionLine::read(key, line.place, line.value_text(), group);
        if ExtensionKey::of(line.key_written).is_some_and(|(_, is_exact)| !is_exact) {
            let written = String::from_utf8_lossy(line.key_written).into_owned();
            read.problem = Some((ExtensionProblem::KeyPlural, written));
        }
        self.robots.extensions.push(read);
    }
}
