//! Lines of robots.txt with a key that RFC 9309 leaves to others: `Content-Signal`, `License`, and `IndexNow-Key`.
//!
//! No document gives a grammar for `Content-Signal`. What is read here is what Cloudflare's policy and the files that it
//! manages show: <https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/>.

use std::collections::HashMap;

use super::Group;
use super::line::{Place, ProductToken};
use super::problem::{ExtensionKey, ExtensionProblem};
use crate::value::url::{self, UrlProblem};

const YES_NO: &[&str] = &["yes", "no"];

/// The signals with their values, in the order of `Signals`.
const SIGNALS: [(&str, &[&str]); 4] = [
    ("search", YES_NO),
    ("ai-input", YES_NO),
    ("ai-train", YES_NO),
    ("use", &["immediate", "reference", "full"]),
];

/// The length of an IndexNow key, in characters.
const KEY_LENGTH: std::ops::RangeInclusive<usize> = 8..=128;

/// The value of each signal; `None` if absent, which neither grants nor restricts the use.
pub type Signals = [Option<&'static str>; 4];

/// One line with such a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionLine {
    pub key: ExtensionKey,
    pub place: Place,
    /// The number of the group that a `Content-Signal` is in; `None` for a line without a group.
    pub group: Option<usize>,
    /// As written, without the comment.
    pub value: String,
    pub signals: Signals,
    /// The first problem, and the part of the line that has it.
    pub problem: Option<(ExtensionProblem, String)>,
}

impl ExtensionLine {
    /// Parses a value. `group` is the number of the group that the line is in.
    pub fn read(key: ExtensionKey, place: Place, value: String, group: Option<usize>) -> Self {
        let mut line = Self {
            key,
            place,
            group: group.filter(|_| key == ExtensionKey::ContentSignal),
            value,
            signals: Signals::default(),
            problem: None,
        };
        line.problem = match key {
            _ if line.value.is_empty() => Some((ExtensionProblem::Empty, String::new())),
            ExtensionKey::ContentSignal => line.read_signals(),
            ExtensionKey::License => line.license_problem(),
            ExtensionKey::IndexNowKey => key_problem(&line.value),
        };
        line
    }

    fn read_signals(&mut self) -> Option<(ExtensionProblem, String)> {
        let mut problem = None;
        for part in self.value.split(',').map(str::trim) {
            let found = match signal(part) {
                Err(kind) => Some(kind),
                Ok((number, value)) => self.signals[number]
                    .replace(value)
                    .is_some_and(|other| other != value)
                    .then_some(ExtensionProblem::SignalConflict),
            };
            problem = problem.or(found.map(|kind| (kind, part.to_owned())));
        }
        let outside = (ExtensionProblem::NoGroup, self.value.clone());
        problem.or(self.group.is_none().then_some(outside))
    }

    /// RSL wants an absolute URL, which need not be percent-encoded.
    fn license_problem(&self) -> Option<(ExtensionProblem, String)> {
        let parts = url::parse(&self.value);
        let is_web = parts
            .scheme
            .is_some_and(|scheme| ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web)));
        let has_host = parts.host.is_some_and(|host| !host.contains(char::is_whitespace));
        let is_valid = is_web
            && has_host
            && matches!(
                parts.problem,
                None | Some(UrlProblem::Whitespace | UrlProblem::IllegalCharacter | UrlProblem::BadPercentEscape)
            );
        (!is_valid).then(|| (ExtensionProblem::NotAbsolute, self.value.clone()))
    }
}

/// Marks each line with a signal that contradicts an earlier line for the same user agent. Groups for the same user agent
/// count as one: <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1>.
pub(super) fn compare_signals(lines: &mut [ExtensionLine], groups: &[Group]) {
    let mut known: HashMap<&ProductToken, Signals> = HashMap::new();
    let mut rest = 0;
    while rest < lines.len() {
        let first = rest;
        let Some(group) = lines[first].group else {
            rest += 1;
            continue;
        };
        // The lines of a group follow each other, except for lines with other keys.
        let mut set_by: [Option<usize>; 4] = [None; 4];
        let mut signals = Signals::default();
        while rest < lines.len() && lines[rest].group.is_none_or(|other| other == group) {
            for number in 0..signals.len() {
                let Some(value) = lines[rest].signals[number] else {
                    continue;
                };
                if signals[number].is_some_and(|other| other != value) {
                    conflict(&mut lines[rest], number);
                }
                signals[number] = Some(value);
                set_by[number].get_or_insert(rest);
            }
            rest += 1;
        }
        for agent in groups[group]
            .agents
            .iter()
            .filter(|agent| agent.product_token != ProductToken::None)
        {
            let before = known.entry(&agent.product_token).or_default();
            for number in 0..signals.len() {
                let (Some(value), Some(line)) = (signals[number], set_by[number]) else {
                    continue;
                };
                if before[number].is_some_and(|other| other != value) {
                    conflict(&mut lines[line], number);
                }
                before[number] = Some(value);
            }
        }
    }
}

fn conflict(line: &mut ExtensionLine, number: usize) {
    if line.problem.is_none() {
        let written = format!("{}={}", SIGNALS[number].0, line.signals[number].unwrap_or_default());
        line.problem = Some((ExtensionProblem::SignalConflict, written));
    }
}

/// Returns the number of a signal in `SIGNALS`, and its value.
fn signal(part: &str) -> Result<(usize, &'static str), ExtensionProblem> {
    let (name, value) = part.split_once('=').ok_or(ExtensionProblem::SignalForm)?;
    let (name, value) = (name.trim(), value.trim());
    let number = SIGNALS
        .iter()
        .position(|(known, _)| name.eq_ignore_ascii_case(known))
        .ok_or(ExtensionProblem::SignalUnknown)?;
    let values = SIGNALS[number].1.iter();
    let known = values.copied().find(|known| value.eq_ignore_ascii_case(known));
    Ok((number, known.ok_or(ExtensionProblem::SignalValue)?))
}

fn key_problem(key: &str) -> Option<(ExtensionProblem, String)> {
    let wrong = key.chars().find(|char| !(char.is_ascii_alphanumeric() || *char == '-'));
    match wrong {
        Some(char) => Some((ExtensionProblem::KeyCharacter, char.to_string())),
        None if KEY_LENGTH.contains(&key.len()) => None,
        None => Some((ExtensionProblem::KeyLength, key.len().to_string())),
    }
}
