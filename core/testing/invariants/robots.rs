//! Invariants of robots.txt.

use super::{is_valid, same};
use crate::robots::{Dialect, Group, Reason, Robots, Rule, target};

/// Maximum rules of a group whose verdicts are compared with those of each rule alone.
const RULES: usize = 40;
/// Longest pattern among them, in bytes.
const PATTERN: usize = 1_000;

/// Parses the file, builds its tables, and computes verdicts.
pub(super) fn hold(bytes: &[u8]) {
    let robots = Robots::parse(bytes, Some("https://e.com/robots.txt"));
    let table = robots.rules_table(1).expect("memory suffices");
    let rows = table.num_rows();
    assert!(rows <= bytes.len() * bytes.len() / 64 + 16, "{rows} rows of robots");
    is_valid(&table);
    is_valid(&robots.sitemap_table(1).expect("memory suffices"));
    for path in ["/a/b?c", "/robots.txt"] {
        for dialect in [Dialect::Rfc, Dialect::Google] {
            let reason = robots.verdict(&["googlebot"], dialect, target(path).expect("it starts with a slash"));
            std::hint::black_box(reason.is_allowed());
        }
    }
    for group in robots.groups.iter().take(4) {
        hold_group(group);
    }
}

fn written<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> Robots {
    let mut text = "User-agent: *\n".to_owned();
    for rule in rules {
        let key = if rule.allow { "Allow" } else { "Disallow" };
        text.push_str(&format!("{key}: {}\n", rule.pattern));
    }
    Robots::parse(text.as_bytes(), None)
}

/// Writes the rules of a group to a file, all together and each alone, and compares the verdicts.
fn hold_group(group: &Group) {
    // Invalid UTF-8 cannot be written as it was.
    let rules: Vec<&Rule> = group
        .rules
        .iter()
        .filter(|rule| rule.pattern.len() <= PATTERN && !rule.pattern.contains('\u{fffd}'))
        .take(RULES)
        .collect();
    let together = written(rules.iter().copied());
    let read_again: Vec<&Rule> = together.groups.iter().flat_map(|group| &group.rules).collect();
    let said = |rules: &[&Rule]| -> Vec<(bool, String)> {
        rules.iter().map(|rule| (rule.allow, rule.pattern.clone())).collect()
    };
    same("written rules are read back", said(&read_again), said(&rules));
    let alone: Vec<Robots> = rules.iter().map(|rule| written([*rule])).collect();
    let paths = rules.iter().map(|rule| rule.pattern.replace('*', "x").replace('$', ""));
    for path in paths.take(8).chain(["/a/b?c".to_owned()]) {
        let Some(target) = target(&path) else { continue };
        let decide = |robots: &Robots| match robots.verdict(&["bot"], Dialect::Rfc, target) {
            Reason::Rule { rule, .. } => Some(rule.allow),
            _ => None,
        };
        let each: Vec<bool> = alone.iter().filter_map(decide).collect();
        let decided = decide(&together);
        let fits = decided.map_or(each.is_empty(), |allow| each.contains(&allow));
        assert!(fits, "{path:?}: together {decided:?}, each alone {each:?}");
    }
}
