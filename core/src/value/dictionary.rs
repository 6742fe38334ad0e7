//! Dictionaries of structured fields, <https://www.rfc-editor.org/rfc/rfc9651#section-3.2>. Like any reader of them, it
//! accepts a value as a whole or not at all.

/// One member of a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    pub key: &'a str,
    /// Its value if that is a token; `None` for every other type.
    pub token: Option<&'a str>,
    /// The member as written, without its parameters.
    pub text: &'a str,
}

/// Parses a dictionary, with members in the order of the text. Keys can occur repeatedly; the last one counts.
pub fn parse(text: &str) -> Option<Vec<Member<'_>>> {
    let mut reader = Reader { text, at: 0 };
    let mut members = Vec::new();
    reader.skip(b" ");
    while !reader.is_done() {
        members.push(reader.member()?);
        reader.skip(b" \t");
        if reader.is_done() {
            break;
        }
        reader.take(b',')?;
        reader.skip(b" \t");
        if reader.is_done() {
            return None;
        }
    }
    Some(members)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        let is_it = self.next() == Some(byte);
        self.at += usize::from(is_it);
        is_it.then_some(())
    }

    fn skip(&mut self, bytes: &[u8]) {
        self.run(|byte| bytes.contains(&byte));
    }

    /// Takes bytes as long as they are of a kind, which is ASCII.
    fn run(&mut self, is_of_it: impl Fn(u8) -> bool) -> &'a str {
        let begin = self.at;
        while self.next().is_some_and(&is_of_it) {
            self.at += 1;
        }
        &self.text[begin..self.at]
    }

    fn member(&mut self) -> Option<Member<'a>> {
        let begin = self.at;
        let key = self.key()?;
        let mut token = None;
        if self.take(b'=').is_some() {
            match self.take(b'(') {
                Some(()) => self.inner_list()?,
                None => token = self.bare_item()?,
            }
        }
        let text = &self.text[begin..self.at];
        self.parameters()?;
        Some(Member { key, token, text })
    }

    fn key(&mut self) -> Option<&'a str> {
        self.next().filter(|byte| byte.is_ascii_lowercase() || *byte == b'*')?;
        Some(self.run(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte)))
    }

    fn parameters(&mut self) -> Option<()> {
        while self.take(b';').is_some() {
            self.skip(b" ");
            self.key()?;
            if self.take(b'=').is_some() {
                self.bare_item()?;
            }
        }
        Some(())
    }

    fn inner_list(&mut self) -> Option<()> {
        loop {
            self.skip(b" ");
            if self.take(b')').is_some() {
                return Some(());
            }
            self.bare_item()?;
            self.parameters()?;
            self.next().filter(|byte| b" )".contains(byte))?;
        }
    }

    /// Returns a token, or `None` inside for an item of another type.
    fn bare_item(&mut self) -> Option<Option<&'a str>> {
        match self.next()? {
            b'A'..=b'Z' | b'a'..=b'z' | b'*' => {
                return Some(Some(self.run(|byte| {
                    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte)
                })));
            }
            b'-' | b'0'..=b'9' => self.number()?,
            b'@' => {
                self.at += 1;
                self.number()?;
            }
            b'"' => self.string()?,
            b'%' => {
                self.at += 1;
                self.string()?;
            }
            b'?' => {
                self.at += 1;
                self.next().filter(|byte| b"01".contains(byte))?;
                self.at += 1;
            }
            b':' => {
                self.at += 1;
                self.run(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
                self.take(b':')?;
            }
            _ => return None,
        }
        Some(None)
    }

    fn number(&mut self) -> Option<()> {
        let _ = self.take(b'-');
        let whole = self.run(|byte| byte.is_ascii_digit());
        let is_decimal = self.take(b'.').is_some();
        let fraction = self.run(|byte| is_decimal && byte.is_ascii_digit());
        let is_valid = match is_decimal {
            true => (1..=12).contains(&whole.len()) && (1..=3).contains(&fraction.len()),
            false => (1..=15).contains(&whole.len()),
        };
        is_valid.then_some(())
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            self.run(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\');
            if self.take(b'"').is_some() {
                return Some(());
            }
            self.take(b'\\')?;
            self.next().filter(|byte| b"\"\\".contains(byte))?;
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_dictionary_is_read_as_a_whole_or_not_at_all() {
        let cases = [
            ("", Some("")),
            ("train-ai=n", Some("train-ai:n")),
            ("  a=y,b=n\t,\tc=y  ", Some("a:y b:n c:y")),
            (
                "a, b;p=1;q, c=?0, *d=-1.5, e=\"x\\\" y\", f=(1 2;x \"z\"), g=:aGk=:, h=@12",
                Some("a b c *d e f g h"),
            ),
            ("a=y;x=\"?\", a=n", Some("a:y a:n")),
            ("a=y,", None),
            ("a=y b=n", None),
            ("a = y", None),
            ("a=", None),
            ("A=y", None),
            ("-a=y", None),
            (", a=y", None),
            ("a=y;", None),
            ("a=(1", None),
            ("a=(1,2)", None),
            ("a=\"x", None),
            ("a=1.", None),
            ("a=1234567890123456", None),
            ("a=\u{e9}", None),
            ("\u{e9}=y", None),
            // A parameter of the first member.
            ("search=n; train-ai=n", Some("search:n")),
        ];
        for (text, expected) in cases {
            let found = parse(text).map(|members| {
                let shown = members.iter().map(|member| match member.token {
                    Some(token) => format!("{}:{token}", member.key),
                    None => member.key.to_owned(),
                });
                shown.collect::<Vec<_>>().join(" ")
            });
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
