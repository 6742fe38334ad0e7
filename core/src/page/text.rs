//! The main text of a page: what is in `<main>` if anything is, else all that is not navigation and the like.

use super::stamps;

/// Text as it is met in the page.
#[derive(Default)]
pub(super) struct Text {
    all: String,
    main: String,
    /// The block of what was heard last.
    block: u32,
}

impl Text {
    /// Text of a block, which goes on where the last one of that block ended unless a part began.
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

    /// What follows is not of the same word.
    pub fn part(&mut self) {
        for text in [&mut self.all, &mut self.main] {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
        }
    }

    /// Hash and number of words.
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

/// Words in what stands between white space: one, but for scripts that put none between words, where each character
/// of Han, Hiragana and Katakana counts, as search engines and word processors count them.
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
