//! The main text of a page: the content of `<main>` if it has text, or if there is little text outside of it, such as
//! the help of a blank page; else everything outside navigation and similar parts.

use super::stamps::Stamps;

/// Words of other text below which the hash covers the text of buttons, too, and below which text outside of an empty
/// `<main>` is not the main text. Pages with the same hash and as many words count as copies.
const FEW_WORDS: u64 = 50;

/// Text collected from the page.
#[derive(Default)]
pub(super) struct Text {
    /// All text, as long as `<main>` has no word.
    all: String,
    main: String,
    /// Whether `<main>` has a word.
    has_main: bool,
    /// Whether there is a `<main>`.
    saw_main: bool,
    /// The block of the last text.
    block: u32,
    buttons: Buttons,
}

/// The text of buttons. It is read like any other, but mostly names what a visitor can do, and often counts what others
/// did ("12 likes"), so that it is kept apart.
#[derive(Default)]
struct Buttons {
    all: String,
    main: String,
    block: u32,
}

impl Text {
    /// Notes that the page has a `<main>`.
    pub fn see_main(&mut self) {
        self.saw_main = true;
    }

    /// Adds text of a block. It continues the last text of that block, unless a new part started.
    pub fn add(&mut self, text: &str, block: u32, in_main: bool) {
        if block != self.block {
            self.part();
            self.block = block;
        }
        if in_main {
            self.main.push_str(text);
            if !self.has_main && words(text).next().is_some() {
                self.has_main = true;
                self.all = String::new();
            }
        }
        if !self.has_main {
            self.all.push_str(text);
        }
    }

    /// Adds text of a button.
    pub fn add_button(&mut self, text: &str, block: u32, in_main: bool) {
        let is_new = block != self.buttons.block;
        self.buttons.block = block;
        for (is_part, of) in [(true, &mut self.buttons.all), (in_main, &mut self.buttons.main)] {
            if is_part {
                if is_new {
                    of.push('\n');
                }
                of.push_str(text);
            }
        }
    }

    /// Starts a new part: what follows is not part of the same word.
    pub fn part(&mut self) {
        for text in [&mut self.all, &mut self.main] {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        }
    }

    /// Whether the main text is that of `<main>`.
    pub fn has_main(&self) -> bool {
        self.has_main || (self.saw_main && words(&self.all).map(counted).sum::<u64>() < FEW_WORDS)
    }

    /// Returns the text, in lines by block, and leaves none here.
    pub fn take(&mut self) -> String {
        std::mem::take(if self.has_main() { &mut self.main } else { &mut self.all })
    }

    /// Returns the hash and the number of words.
    pub fn finish(&self) -> (u64, u64) {
        let (text, buttons) = if self.has_main() {
            (&self.main, &self.buttons.main)
        } else {
            (&self.all, &self.buttons.all)
        };
        let mut count = 0;
        let mut stamps = Stamps::default();
        for word in words(text) {
            count += counted(word);
            stamps.add(word);
        }
        let has_few = count < FEW_WORDS;
        for word in words(buttons) {
            count += counted(word);
            if has_few {
                stamps.add(word);
            }
        }
        (stamps.finish(), count)
    }
}

/// Returns the runs of text without whitespace, as `split_whitespace` does, in half the time.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            match space(bytes, at) {
                0 => break,
                width => at += width,
            }
        }
        let begin = at;
        while at < bytes.len() && (IS_PLAIN[bytes[at] as usize] || space(bytes, at) == 0) {
            at += 1;
        }
        (at > begin).then(|| &text[begin..at])
    })
}

/// Whether a byte is not part of whitespace, whatever is next to it.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [true; 256];
    let mut byte = 0;
    while byte < 256 {
        is_plain[byte] = !matches!(byte as u8, b'\t'..=b'\r' | b' ' | 0xc2 | 0xe1..=0xe3);
        byte += 1;
    }
    is_plain
};

/// Returns the width of the whitespace at an offset, in bytes; 0 without whitespace, as inside a character.
#[inline(always)]
fn space(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'\t'..=b'\r' | b' ') => 1,
        Some(0xc2 | 0xe1..=0xe3) => wide_space(&bytes[at..]),
        _ => 0,
    }
}

fn wide_space(bytes: &[u8]) -> usize {
    match *bytes {
        [0xc2, 0x85 | 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// Counts the words in a run without whitespace: one, except in scripts without spaces between words, where each Han,
/// Hiragana and Katakana character counts, as in search engines and word processors.
fn counted(word: &str) -> u64 {
    if word.is_ascii() {
        return u64::from(word.bytes().any(|byte| byte.is_ascii_alphanumeric()));
    }
    let ideographs = word
        .chars()
        .filter(|c| matches!(*c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}'))
        .count() as u64;
    let others = word.chars().any(|c| {
        c.is_alphanumeric() && !matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
    });
    ideographs + u64::from(others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_in_the_standard_library() {
        for code in 0..=0xffff_u32 {
            let Some(ch) = char::from_u32(code) else { continue };
            for text in [format!("{ch}"), format!("a{ch}é"), format!(" é{ch} {ch}a{ch}{ch}")] {
                assert!(words(&text).eq(text.split_whitespace()), "{text:?}");
            }
        }
    }
}
