//! XML escapes in a URL. They are always a mistake there: no parameter is called `amp;`.

/// The characters with a predefined XML entity, by its name.
const NAMED: [(&str, char); 5] = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\'')];

/// Returns whether a value, read from XML or from a text list, contains an XML escape.
#[inline]
pub fn has_xml_escape(text: &str) -> bool {
    memchr::memchr_iter(b'&', text.as_bytes()).any(|at| xml_escape(&text[at + 1..]).is_some())
}

/// Returns the value with all its remaining XML escapes undone, however often it was escaped; `None` if it has none.
pub fn xml_unescaped(text: &str) -> Option<String> {
    undone(text, true)
}

/// Same, but reverts only one level where a value was escaped several times, as an XML parser does.
pub fn xml_unescaped_once(text: &str) -> Option<String> {
    undone(text, false)
}

fn undone(text: &str, wholly: bool) -> Option<String> {
    let mut out: Option<String> = None;
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'&', &text.as_bytes()[at..]) {
        let begin = at + found;
        let (mut last, mut end) = ('&', begin + 1);
        // The & that results from an escape can start the next one.
        while let Some((ch, length)) = xml_escape(&text[end..]) {
            (last, end) = (ch, end + length);
            if last != '&' || !wholly {
                break;
            }
        }
        at = end;
        if end > begin + 1 {
            let plain = out.get_or_insert_with(String::new);
            plain.push_str(&text[copied..begin]);
            plain.push(last);
            copied = end;
        }
    }
    out.map(|plain| plain + &text[copied..])
}

/// Returns the character that an escape stands for, and the length of the escape, given the text after its &. The
/// escape is by name, or by number as programs write it, such as `&#038;`.
fn xml_escape(text: &str) -> Option<(char, usize)> {
    let end = text.as_bytes().iter().take(8).position(|&byte| byte == b';')?;
    let name = &text[..end];
    let ch = match name.strip_prefix('#') {
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
        Some(number) => {
            let hex = number.strip_prefix('x').map(|digits| u32::from_str_radix(digits, 16));
            let code = hex.unwrap_or_else(|| number.parse()).ok()?;
            char::from_u32(code).filter(|ch| NAMED.iter().any(|(_, known)| known == ch))?
        }
    };
    Some((ch, end + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_are_undone_at_every_level() {
        for (given, wholly, once) in [
            ("?a&amp;b", Some("?a&b"), Some("?a&b")),
            (
                "?a&amp;amp;b&#38;c&#038;d&#x26;e",
                Some("?a&b&c&d&e"),
                Some("?a&amp;b&c&d&e"),
            ),
            ("?a&#38;amp;b", Some("?a&b"), Some("?a&amp;b")),
            ("?a&amp;amp;#38;amp;lt;b", Some("?a<b"), Some("?a&amp;#38;amp;lt;b")),
            ("?a&am&p;b", None, None),
            ("?a&ampb&", None, None),
            ("?a&lt;b", Some("?a<b"), Some("?a<b")),
            ("?a&copy;b&#x20ac;", None, None),
        ] {
            assert_eq!(xml_unescaped(given).as_deref(), wholly, "{given}");
            assert_eq!(xml_unescaped_once(given).as_deref(), once, "{given}");
            assert_eq!(has_xml_escape(given), wholly.is_some(), "{given}");
        }
    }

    proptest! {
        /// Undoing all levels equals undoing one level until none is left.
        #[test]
        fn undoing_all_levels_equals_undoing_one_repeatedly(text in "(a|é|&|amp;|lt;|#38;|#x26;|;){0,12}") {
            let mut rest = text.clone();
            while let Some(less) = xml_unescaped_once(&rest) {
                rest = less;
            }
            prop_assert_eq!(xml_unescaped(&text).unwrap_or(text), rest);
        }
    }
}
