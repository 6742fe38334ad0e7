//! Lines of robots.txt with a key that RFC 9309 leaves to others: `Content-Signal`, `License`, and `IndexNow-Key`.

use super::line::Place;
use super::problem::{ExtensionKey, ExtensionProblem};
use crate::value::url;

/// The signals, in the order of `Signals`.
const SIGNALS: [&str; 3] = ["search", "ai-input", "ai-train"];

/// The length of an IndexNow key, in characters.
const KEY_LENGTH: std::ops::RangeInclusive<usize> = 8..=128;

/// The value of each signal; `None` if absent, which neither grants nor restricts the use.
pub type Signals = [Option<bool>; 3];

/// One line with such a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionLine {
    pub key: ExtensionKey,
    pub place: Place,
    /// Line of the first `User-agent:` line of the group of a `Content-Signal`; `None` for a line without a group.
    pub group_line: Option<i32>,
    /// As written, without the comment.
    pub value: String,
    pub signals: Signals,
    /// The first problem, and the part of the value that has it.
    pub problem: Option<(ExtensionProblem, String)>,
}

impl ExtensionLine {
    /// Parses a value. `group` is the group that a `Content-Signal` belongs to: its first line, and the signals that
    /// earlier lines set, which are completed.
    pub fn read(key: ExtensionKey, place: Place, value: String, group: Option<(i32, &mut Signals)>) -> Self {
        let mut line = Self {
            key,
            place,
            group_line: None,
            value,
            signals: Signals::default(),
            problem: None,
        };
        line.problem = match key {
            _ if line.value.is_empty() => Some((ExtensionProblem::Empty, String::new())),
            ExtensionKey::ContentSignal => line.read_signals(group),
            ExtensionKey::License => line.license_problem(),
            ExtensionKey::IndexNowKey => key_problem(&line.value),
        };
        line
    }

    fn read_signals(&mut self, group: Option<(i32, &mut Signals)>) -> Option<(ExtensionProblem, String)> {
        let mut problem = None;
        let mut earlier = Signals::default();
        let has_group = group.is_some();
        let known = match group {
            Some((line, known)) => {
                self.group_line = Some(line);
                known
            }
            None => &mut earlier,
        };
        for part in self.value.split(',').map(str::trim) {
            let found = match signal(part) {
                Err(kind) => Some(kind),
                Ok((number, value)) => {
                    let conflicts = known[number].is_some_and(|other| other != value);
                    known[number] = Some(value);
                    self.signals[number] = Some(value);
                    conflicts.then_some(ExtensionProblem::SignalConflict)
                }
            };
            problem = problem.or(found.map(|kind| (kind, part.to_owned())));
        }
        let outside = (ExtensionProblem::NoGroup, self.value.clone());
        problem.or((!has_group).then_some(outside))
    }

    fn license_problem(&self) -> Option<(ExtensionProblem, String)> {
        let parts = url::parse(&self.value);
        let is_web = parts
            .scheme
            .is_some_and(|scheme| ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web)));
        let is_valid = is_web && parts.problem.is_none();
        (!is_valid).then(|| (ExtensionProblem::NotAbsolute, self.value.clone()))
    }
}

/// Returns the number of a signal in `SIGNALS`, and its value.
fn signal(part: &str) -> Result<(usize, bool), ExtensionProblem> {
    let (name, value) = part.split_once('=').ok_or(ExtensionProblem::SignalForm)?;
    let (name, value) = (name.trim(), value.trim());
    let number = SIGNALS.iter().position(|known| name.eq_ignore_ascii_case(known));
    let number = number.ok_or(ExtensionProblem::SignalUnknown)?;
    match value {
        _ if value.eq_ignore_ascii_case("yes") => Ok((number, true)),
        _ if value.eq_ignore_ascii_case("no") => Ok((number, false)),
        _ => Err(ExtensionProblem::SignalForm),
    }
}

fn key_problem(key: &str) -> Option<(ExtensionProblem, String)> {
    let wrong = key.chars().find(|char| !(char.is_ascii_alphanumeric() || *char == '-'));
    match wrong {
        Some(char) => Some((ExtensionProblem::KeyCharacter, char.to_string())),
        None if KEY_LENGTH.contains(&key.len()) => None,
        None => Some((ExtensionProblem::KeyLength, key.len().to_string())),
    }
}
