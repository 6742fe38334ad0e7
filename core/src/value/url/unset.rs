//! Variables without a value that were written into a URL: `None`, `undefined/about`, `https://null/`, `/a/undefined`.
//!
//! Python writes `None`, JavaScript `undefined`, `null`, `NaN` and `[object Object]`, Go `<nil>` and `%!s(<nil>)`, and
//! a format string that was not filled in keeps its `%s`, `{}` or `${…}`.

/// What the common languages write for a missing value, in lowercase, where nothing else can have that name: instead
/// of a URL, its scheme, host, or port.
const WORDS: [&str; 20] = [
    "undefined",
    "none",
    "null",
    "nan",
    "nil",
    "false",
    "(none)",
    "(null)",
    "(undefined)",
    "<nil>",
    "<null>",
    "<none>",
    "<undefined>",
    "<no value>",
    "n/a",
    "#n/a",
    "#ref!",
    "#value!",
    "#name?",
    "%s",
];

/// The same in a path or query, where a page can have such a name: only as the languages spell it.
const SEGMENTS: [&[u8]; 4] = [b"undefined", b"null", b"NaN", b"None"];

/// Top-level domains that a path without its slash follows: `https://example.comundefined`.
const TOPS: [&str; 16] = [
    "com", "org", "net", "io", "dev", "app", "co", "eu", "de", "fr", "uk", "es", "it", "nl", "ch", "info",
];

/// Returns whether a text without a usual scheme starts with a variable without a value.
pub(super) fn starts(text: &str) -> bool {
    let path = text.strip_prefix('/').unwrap_or(text);
    if is_word(text) || is_placeholder(path, false) {
        return true;
    }
    // `undefinedabout` and `[object Object]about` are no words of any language.
    if starts_with(path, "undefined") || starts_with(path, "[object ") {
        return true;
    }
    if let Some(length) = WORDS
        .iter()
        .filter(|word| starts_with(path, word))
        .map(|word| word.len())
        .max()
    {
        let rest = &path[length..];
        // The URL of a page follows, or another scheme: `None/about`, `null:8080/`, `Nonehttps://…`.
        if rest.is_empty() || rest.starts_with(['/', '?', '#', ':']) || starts_with(rest, "http") {
            return true;
        }
    }
    let first = path.split(['/', '?', '#']).next().unwrap_or(path);
    is_placeholder(first, true) || has_leftover(text)
}

/// Returns whether an authority, or its host or port, is a variable without a value.
#[inline]
pub(super) fn in_authority(authority: &str) -> bool {
    // Hosts of the public Internet have a dot, and few end in one of these letters.
    let is_suspect =
        !authority.contains('.') || authority.contains(':') || authority.ends_with(['d', 'e', 'l', 'n', 'N']);
    is_suspect && is_unset_authority(authority)
}

#[cold]
fn is_unset_authority(authority: &str) -> bool {
    let rest = authority.rsplit_once('@').map_or(authority, |(_, rest)| rest);
    let (host, port) = rest.split_once(':').unwrap_or((rest, ""));
    let last = host.rsplit('.').next().unwrap_or(host);
    let is_glued = |word: &str| {
        last.len() > word.len()
            && ends_with(last, word)
            && TOPS.contains(&last[..last.len() - word.len()].to_ascii_lowercase().as_str())
    };
    let is_name = |name: &str| is_word(name) || is_placeholder(name, true);
    // `https://www.undefined/` lacks its domain, and `https://example.comundefined` the slash before its path.
    let is_host =
        is_name(host) || host.contains('.') && is_word(last) || ["undefined", "null", "none"].into_iter().any(is_glued);
    is_host || !port.is_empty() && is_name(port)
}

/// Returns whether a URL that is not valid has something that only a program writes: `[object Object]`, `${id}`,
/// `%!s(MISSING)`, or `%s` as a whole part.
pub(super) fn has_leftover(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_object = lower.match_indices("[object").any(|(at, found)| {
        let rest = &lower[at + found.len()..];
        rest.starts_with([' ', '+']) || rest.starts_with("%20")
    });
    let is_dollar = lower.match_indices("${").any(|(at, _)| lower[at..].contains('}'));
    is_object
        || is_dollar
        || lower.contains("%!s(")
        || lower.contains("%!d(")
        || lower.contains("%!v(")
        || lower
            .split(['/', '?', '&', '=', '#'])
            .skip(1)
            .any(|part| is_placeholder(part, true))
}

/// Returns whether a part of a URL, or the start of one, is a placeholder of a format string.
fn is_placeholder(text: &str, whole: bool) -> bool {
    let ends = |at: usize| {
        if whole {
            at == text.len()
        } else {
            text[at..].starts_with(['/', '?', '#']) || at == text.len()
        }
    };
    if let Some(rest) = text.strip_prefix('%') {
        let name = match rest.strip_prefix('(') {
            Some(named) => named.find(')').map(|close| close + 3),
            None => Some(1),
        };
        return name.is_some_and(|at| {
            let letter = text.as_bytes().get(at);
            matches!(letter, Some(b's' | b'd' | b'v')) && ends(at + 1)
        });
    }
    let braced = text
        .strip_prefix("${")
        .or_else(|| text.strip_prefix("#{"))
        .or_else(|| text.strip_prefix('{'));
    braced.is_some_and(|inside| {
        let begin = text.len() - inside.len();
        inside
            .find(['{', '}', '/'])
            .is_some_and(|at| inside[at..].starts_with('}') && ends(begin + at + 1))
    })
}

/// Returns whether a segment of a path is what a language writes for a missing value. A page can have such a name.
#[inline]
pub fn in_path(path: &[u8]) -> bool {
    let mut end = path.len();
    while let Some(slash) = memchr::memrchr(b'/', &path[..end]) {
        if is_segment(&path[slash + 1..end]) {
            return true;
        }
        end = slash;
    }
    false
}

/// Returns whether the value of a parameter, up to the next one, is what a language writes for a missing value.
#[inline]
pub fn in_value(parameter: &[u8]) -> bool {
    // What follows another `?` is a parameter of its own, so that a URL of question marks is read once.
    let is_end = |byte: &u8| matches!(byte, b'=' | b'?' | b'&' | b';' | b'#');
    let Some(at) = parameter.iter().position(is_end).filter(|at| parameter[*at] == b'=') else {
        return false;
    };
    // No such value is longer than nine bytes.
    let value = &parameter[at + 1..parameter.len().min(at + 11)];
    let end = memchr::memchr3(b'&', b';', b'#', value).unwrap_or(value.len());
    is_segment(&value[..end])
}

#[inline]
fn is_segment(segment: &[u8]) -> bool {
    matches!(segment.len(), 3 | 4 | 9) && SEGMENTS.contains(&segment)
}

fn is_word(text: &str) -> bool {
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn starts_with(text: &str, beginning: &str) -> bool {
    text.get(..beginning.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(beginning))
}

fn ends_with(text: &str, ending: &str) -> bool {
    text.len()
        .checked_sub(ending.len())
        .and_then(|at| text.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::super::{UrlProblem, parse, traits};
    use crate::value::Trait;

    #[test]
    fn variables_without_a_value() {
        for (text, is_unset) in [
            ("None", true),
            ("none", true),
            ("undefined", true),
            ("NULL", true),
            ("[object Object]", true),
            ("NaN", true),
            ("<nil>", true),
            ("%s", true),
            ("%(base)s/about", true),
            ("{}/about", true),
            ("{base_url}/about", true),
            ("${BASE}/about", true),
            ("#N/A", true),
            ("undefined/about", true),
            ("/undefined/about", true),
            ("undefinedabout", true),
            ("None?a=1", true),
            ("Nonehttps://example.com/", true),
            ("undefinedhttps://example.com/", true),
            ("None://example.com/", true),
            ("null:8080/a", true),
            ("//undefined/a", true),
            ("https://undefined", true),
            ("https://None/about", true),
            ("HTTPS://null/", true),
            ("https://www.undefined/", true),
            ("https://example.comundefined", true),
            ("https://example.comNone/", true),
            ("https://[object Object]/a", true),
            ("https://example.com/[object Object]", true),
            ("https://example.com/[object%20Object]/a", true),
            ("https://example.com:undefined/", true),
            ("https://user@null:80/", true),
            ("https://%s/about", true),
            ("https://{host}/about", true),
            ("https://${host}/about", true),
            ("https://example.com/%s", true),
            ("https://example.com/${slug}/a", true),
            ("https://example.com/?id={id}", true),
            ("https://example.com/a-${id}", true),
            ("https://example.com/%!s(<nil>)", true),
            ("nonesuch/about", false),
            ("nullable", false),
            ("nonehttp-page", true),
            ("falsework/", false),
            ("/nonesuch", false),
            ("about", false),
            ("/", false),
            ("", false),
            ("https://undefined.example.com/", false),
            ("https://none.io/", false),
            ("https://nil.com/", false),
            ("https://example.none.com/", false),
            ("https://telecom.null.org/", false),
            ("https://example.com/undefined", false),
            ("https://example.com/100%", false),
            ("https://example.com/50%save", false),
            ("https://example.com/a{b}c", false),
            ("https://example.com/{{ page.url }}", false),
            ("{{ page.url }}", false),
            ("https://example.com/$20", false),
            ("ftp://example.com/", false),
        ] {
            let found = parse(text).problem == Some(UrlProblem::UnsetVariable);
            assert_eq!(found, is_unset, "{text}");
        }
    }

    #[test]
    fn segments_and_values_that_may_be_words() {
        for (text, is_doubtful) in [
            ("https://example.com/undefined", true),
            ("https://example.com/undefined/", true),
            ("https://example.com/a/null/b", true),
            ("https://example.com/NaN?a=b", true),
            ("https://example.com/blog/None", true),
            ("https://example.com/?id=undefined", true),
            ("https://example.com/a?b=1&id=null&c=2", true),
            ("https://example.com/none", false),
            ("https://example.com/nan/", false),
            ("https://example.com/undefined-behavior", false),
            ("https://example.com/nullable/", false),
            ("https://example.com/a-null", false),
            ("https://example.com/?null", false),
            ("https://example.com/?a=nullable", false),
            ("https://example.com", false),
        ] {
            let found = traits::of(text, &parse(text)).has(Trait::UnsetWord);
            assert_eq!(found, is_doubtful, "{text}");
        }
    }
}
