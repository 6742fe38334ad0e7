//! The main text of a page: the content of `<main>` if it has text, else everything outside navigation and similar
//! parts.

use super::stamps;

/// Text collected from the page.
#[derive(Default)]
pub(super) struct Text {
    all: String,
    main: String,
    /// The block of the last text.
    block: u32,
}

impl Text {
    /// Adds text of a block. It continues the last text of that block, unless a new part started.
    pub fn add(&mut self, text: &str, block: u32, in_main: bool) {
        if block != self.block {
            self.part();
            self.block = block;
        }
        self.all.push_str(text);
        if in_main {
            self.main.push_str(text);
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

    /// Returns the hash and the number of words.
    pub fn finish(&self) -> (u64, u64) {
        let is_empty = self.main.split_whitespace().next().is_none();
        let text = if is_empty { &self.all } else { &self.main };
        let words: Vec<&str> = if text.is_ascii() {
            text.split_ascii_whitespace().collect()
        } else {
            text.split_whitespace().collect()
        };
        (stamps::hash(&words), words.iter().map(|word| count(word)).sum())
    }
}

/// Counts the words in a run without whitespace: one, except in scripts without spaces between words, where each Han,
/// Hiragana and Katakana character counts, as in search engines and word processors.
fn count(word: &str) -> u64 {
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
