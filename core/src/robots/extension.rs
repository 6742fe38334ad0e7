//! Lines of robots.txt with a key that RFC 9309 leaves to others, such as `Content-Signal` and `Crawl-delay`.
//!
//! No document gives a grammar for `Content-Signal`. What is read here is what Cloudflare's policy and the files that it
//! manages show: <https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/>.

use std::collections::HashMap;

use super::Group;
use super::line::{Place, ProductToken};
use super::problem::{ExtensionKey, ExtensionProblem};
use crate::limits::MAX_ROBOTS_ROWS;
use crate::value::dictionary::{self, Member};
use crate::value::url::{self, UrlProblem};

const YES_NO: &[&str] = &["yes", "no"];

/// The signals with their values, in the order of `Signals`.
const SIGNALS: [(&str, &[&str]); 4] = [
    ("search", YES_NO),
    ("ai-input", YES_NO),
    ("ai-train", YES_NO),
    ("use", &["immediate", "reference", "full"]),
];

/// The labels of `Content-Usage`, each at the number of the signal with the same meaning, and its values:
/// <https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/>.
const USAGES: [&str; 3] = ["search", "ai-use", "train-ai"];
const USAGE_VALUES: [(&str, &str); 2] = [("y", "yes"), ("n", "no")];

/// The length of an IndexNow key, in characters.
const KEY_LENGTH: std::ops::RangeInclusive<usize> = 8..=128;

/// The value of each signal; `None` if absent, which neither grants nor restricts the use.
pub type Signals = [Option<&'static str>; 4];

/// One line with such a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionLine {
    pub key: ExtensionKey,
    pub place: Place,
    /// The number of the group that the line applies to; `None` for other keys, and for a line without a group.
    pub group: Option<usize>,
    /// The path that a `Content-Usage` applies to; empty for all paths.
    path: String,
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
            group: group.filter(|_| key.is_of_group()),
            path: String::new(),
            value,
            signals: Signals::default(),
            problem: None,
        };
        line.problem = match key {
            _ if line.value.is_empty() => Some((ExtensionProblem::Empty, String::new())),
            ExtensionKey::ContentSignal => line.read_signals(),
            ExtensionKey::ContentUsage => line.read_usage(),
            ExtensionKey::CrawlDelay => line.delay_problem(),
            ExtensionKey::CleanParam => None,
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
        problem.or_else(|| self.group_problem())
    }

    /// The value is a path, which may be absent, and preferences.
    fn read_usage(&mut self) -> Option<(ExtensionProblem, String)> {
        let value = self.value.clone();
        let (path, preferences) = match value.starts_with('/') {
            true => value.split_once([' ', '\t']).unwrap_or((&value, "")),
            false => ("", value.as_str()),
        };
        path.clone_into(&mut self.path);
        let (signals, problem) = usage(preferences.trim_matches([' ', '\t']));
        self.signals = signals;
        problem.or_else(|| self.group_problem())
    }

    fn delay_problem(&self) -> Option<(ExtensionProblem, String)> {
        let is_number = self.value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let is_valid = is_number && self.value.parse::<f64>().is_ok_and(f64::is_finite);
        let invalid = (ExtensionProblem::DelayInvalid, self.value.clone());
        (!is_valid).then_some(invalid).or_else(|| self.group_problem())
    }

    fn group_problem(&self) -> Option<(ExtensionProblem, String)> {
        let outside = (ExtensionProblem::NoGroup, self.value.clone());
        self.group.is_none().then_some(outside)
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

/// Reads the preferences of `Content-Usage`, in robots.txt without the path: the signals, and the first problem with the
/// part that has it.
pub fn usage(preferences: &str) -> (Signals, Option<(ExtensionProblem, String)>) {
    let mut signals = Signals::default();
    if preferences.is_empty() {
        return (signals, Some((ExtensionProblem::Empty, String::new())));
    }
    let Some(members) = dictionary::parse(preferences) else {
        return (signals, Some((ExtensionProblem::UsageForm, preferences.to_owned())));
    };
    let mut problem = None;
    let mut known = [None; USAGES.len()];
    for member in &members {
        let found = match USAGES.iter().position(|label| *label == member.key) {
            None => Some(ExtensionProblem::UsageUnknown),
            Some(number) => {
                // Of several members with the same key, the last one counts.
                let value = usage_value(member);
                signals[number] = value;
                let other = known[number].replace(value);
                match (value, other) {
                    (None, _) => Some(ExtensionProblem::UsageValue),
                    (_, Some(other)) if other != value => Some(ExtensionProblem::SignalConflict),
                    _ => None,
                }
            }
        };
        problem = problem.or(found.map(|kind| (kind, member.text.to_owned())));
    }
    (signals, problem)
}

fn usage_value(member: &Member) -> Option<&'static str> {
    let known = USAGE_VALUES.iter().find(|(token, _)| member.token == Some(token));
    known.map(|(_, meaning)| *meaning)
}

/// What a signal is set for: the key of the line, and its path.
type Subject = (ExtensionKey, String);

/// Marks each line with a signal that contradicts an earlier line for the same user agent. Groups for the same user agent
/// count as one: <https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1>.
pub(super) fn compare_signals(lines: &mut [ExtensionLine], groups: &[Group]) {
    let mut known: HashMap<(usize, &ProductToken), Signals> = HashMap::new();
    let mut subjects: HashMap<Subject, usize> = HashMap::new();
    let mut pairs = 0;
    let mut rest = 0;
    while rest < lines.len() {
        let Some(group) = lines[rest].group else {
            rest += 1;
            continue;
        };
        // The lines of a group follow each other, except for lines with other keys.
        let mut of_group: Vec<(usize, Signals, [Option<usize>; 4])> = Vec::new();
        let mut places: HashMap<usize, usize> = HashMap::new();
        while rest < lines.len() && lines[rest].group.is_none_or(|other| other == group) {
            if lines[rest].group.is_some() && lines[rest].key.has_signals() {
                let next = subjects.len();
                let subject = (lines[rest].key, lines[rest].path.clone());
                let subject = *subjects.entry(subject).or_insert(next);
                let at = *places.entry(subject).or_insert_with(|| {
                    of_group.push((subject, Signals::default(), [None; 4]));
                    of_group.len() - 1
                });
                let (_, signals, set_by) = &mut of_group[at];
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
            }
            rest += 1;
        }
        for agent in groups[group]
            .agents
            .iter()
            .filter(|agent| agent.product_token != ProductToken::None)
        {
            // As for the table of rules, many user agents with many paths would be far too many pairs.
            pairs += of_group.len();
            if pairs > MAX_ROBOTS_ROWS {
                return;
            }
            for (subject, signals, set_by) in &of_group {
                let before = known.entry((*subject, &agent.product_token)).or_default();
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
}

fn conflict(line: &mut ExtensionLine, number: usize) {
    if line.problem.is_none() {
        let value = line.signals[number].unwrap_or_default();
        let written = match line.key {
            ExtensionKey::ContentUsage => format!("{}={}", USAGES[number], &value[..1]),
            _ => format!("{}={value}", SIGNALS[number].0),
        };
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
