//! The hash of the main text without the parts that change by themselves with a build or the calendar: copyright years,
//! update dates and build stamps, relative times, hashes in asset names.
//!
//! A date is a stamp only next to a word that marks it ("updated", "built", "©"). Any other date in the text is
//! content, and a change of it is a change of the page.

use std::hash::Hasher;

use twox_hash::XxHash64;

/// Maximum words of a stamp, not counting the one that starts it.
const MAX_STAMP: usize = 14;

/// Words after one that can decide about it.
const AHEAD: usize = MAX_STAMP + 1;

/// Words, or bytes of text, that are collected before they are hashed together.
const PIECE: usize = 4_096;

/// Hashes the words that count.
#[derive(Default)]
pub(super) struct Stamps<'a> {
    /// Words that are not hashed yet.
    words: Vec<&'a str>,
    /// Text that is not hashed yet.
    text: Vec<u8>,
    hasher: XxHash64,
}

impl<'a> Stamps<'a> {
    #[inline]
    pub fn add(&mut self, word: &'a str) {
        self.words.push(word);
        if self.words.len() >= PIECE {
            self.pass(PIECE - AHEAD);
        }
    }

    /// Returns the hash of the words added.
    pub fn finish(mut self) -> u64 {
        self.pass(self.words.len());
        self.hasher.finish()
    }

    /// Hashes at least this many words.
    fn pass(&mut self, most: usize) {
        let words = std::mem::take(&mut self.words);
        let mut place = 0;
        while place < most {
            place += self.step(&words[place..]);
        }
        self.words = words;
        self.words.drain(..place);
        self.hasher.write(&self.text);
        self.text.clear();
    }

    /// Takes the first word, and those that belong to it. Returns how many.
    #[inline]
    fn step(&mut self, words: &[&str]) -> usize {
        let word = words[0];
        if is_usual(word) && !words.get(2).is_some_and(|third| may_be_ago(third)) {
            self.text.extend_from_slice(word.as_bytes());
            self.text.push(b' ');
            return 1;
        }
        // The word before the year may be the copyright mark: "2026 © Example".
        let is_year_of_mark = word.starts_with(|c: char| c.is_ascii_digit())
            && is_years(core(word))
            && words.get(1).is_some_and(|next| is_copyright(next));
        let skipped = if is_year_of_mark { 1 } else { relative(words) };
        if skipped > 0 {
            return skipped;
        }
        write(&mut self.text, word);
        1 + if is_copyright(word) {
            years(&words[1..])
        } else if opens_stamp(word) {
            stamp(&words[1..], is_build(word))
        } else {
            0
        }
    }
}

/// Returns whether a word counts as it is and affects no word before or after it: letters, then optionally a
/// punctuation mark, and its first letter and length match none of the words that affect what follows.
fn is_usual(word: &str) -> bool {
    let bytes = match word.as_bytes() {
        [letters @ .., b'.' | b',' | b';' | b':' | b'!' | b'?'] => letters,
        bytes => bytes,
    };
    let [first, ..] = bytes else { return false };
    let lengths = LENGTHS[usize::from((first | 0x20).wrapping_sub(b'a')) % 32];
    bytes.len() < 32 && lengths >> bytes.len() & 1 == 0 && bytes.iter().all(u8::is_ascii_alphabetic)
}

/// By first letter, a bit for each length of a word that affects what follows.
const LENGTHS: [u32; 32] = {
    let mut lengths = [0; 32];
    let mut number = 0;
    while number < MARKS.len() {
        let mark = MARKS[number].as_bytes();
        if mark[0].is_ascii_lowercase() && mark.len() < 32 {
            lengths[(mark[0] - b'a') as usize] |= 1 << mark.len();
        }
        number += 1;
    }
    lengths[(b'c' - b'a') as usize] |= 1 << "copyright".len();
    lengths
};

/// Returns whether a word can be "ago", by its start.
fn may_be_ago(word: &str) -> bool {
    match word.as_bytes() {
        [first, second, _, ..] if first.is_ascii_alphanumeric() => {
            first.eq_ignore_ascii_case(&b'a') && second.eq_ignore_ascii_case(&b'g')
        }
        bytes => bytes.len() >= 3,
    }
}

fn write(text: &mut Vec<u8>, word: &str) {
    if is_copyright(word) || has_cjk_mark(word) {
        // "©2026", "最終更新:2026年11月21日": the mark and its date are one word.
        word.chars()
            .filter(|c| !c.is_numeric())
            .for_each(|c| text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()));
    } else if let Some((before, after)) = asset_hash(word) {
        text.extend_from_slice(before.as_bytes());
        text.extend_from_slice(after.as_bytes());
    } else {
        text.extend_from_slice(word.as_bytes());
    }
    text.push(b' ');
}

/// Returns a word without the punctuation around it.
fn core(word: &str) -> &str {
    let is_plain = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    if is_plain(word.as_bytes().first()) && is_plain(word.as_bytes().last()) {
        return word;
    }
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_copyright(word: &str) -> bool {
    match word.as_bytes() {
        [b'(', b'c' | b'C', b')', ..] => true,
        bytes if bytes.is_ascii() => bytes.len() >= 9 && core(word).eq_ignore_ascii_case("copyright"),
        _ => word.contains('©') || core(word).eq_ignore_ascii_case("copyright"),
    }
}

/// Returns whether a word is years: "2026", "2019-2026", "2019–present".
fn is_years(core: &str) -> bool {
    let is_year = |part: &str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = core.split(['-', '–', '—', '/', ',']);
    parts.next().is_some_and(is_year) && parts.all(|part| is_year(part) || part.eq_ignore_ascii_case("present"))
}

/// Returns how many of the words after a copyright mark are years and the dashes between them. Another mark can come
/// first: "Copyright © 2026".
fn years(words: &[&str]) -> usize {
    let mut end = 0;
    for (place, word) in words.iter().take(6).enumerate() {
        let core = core(word);
        if is_years(core) || end > 0 && core.eq_ignore_ascii_case("present") {
            end = place + 1;
        } else if !(core.is_empty() || is_copyright(word)) {
            break;
        }
    }
    // Marks in between are not hashed, so "Copyright" and "Copyright ©" are equivalent.
    end
}

/// Returns the number of words in a relative time: "5 minutes ago", "an hour ago".
fn relative(words: &[&str]) -> usize {
    let [number, unit, ago, ..] = words else { return 0 };
    if !core(ago).eq_ignore_ascii_case("ago") {
        return 0;
    }
    let number = core(number);
    let counts = number.parse::<u32>().is_ok() || number.eq_ignore_ascii_case("a") || number.eq_ignore_ascii_case("an");
    let unit = lower(core(unit));
    let unit = unit.strip_suffix('s').unwrap_or(&unit);
    let is_unit = matches!(
        unit,
        "second" | "sec" | "minute" | "min" | "hour" | "day" | "week" | "month" | "year"
    );
    if counts && is_unit { 3 } else { 0 }
}

fn lower(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// Words that precede the date or mark of the page's own build or update, in the languages that static sites and
/// content management systems use most. Lowercase.
const MARKS: [&str; 35] = [
    // English
    "updated",
    "modified",
    "revised",
    "edited",
    "generated",
    "rendered",
    "compiled",
    "deployed",
    "built",
    "build",
    "revision",
    "rev",
    "commit",
    "snapshot", // German
    "aktualisiert",
    "aktualisierung",
    "geändert",
    "änderung",
    "stand",
    "generiert", // French
    "actualisé",
    "modifié",
    "modification",
    "généré", // Spanish, Portuguese, Italian
    "actualizado",
    "actualización",
    "modificado",
    "atualizado",
    "aggiornato",
    "aggiornamento", // Dutch, Polish
    "bijgewerkt",
    "gewijzigd",
    "zaktualizowano", // Russian
    "обновлено",
    "изменено",
];

fn opens_stamp(word: &str) -> bool {
    let core = core(word);
    // Lengths of the shortest and the longest one, in bytes; most words differ in length or first letter.
    if !(3..=18).contains(&core.len()) {
        return false;
    }
    let first = core.as_bytes()[0].to_ascii_lowercase();
    MARKS
        .iter()
        .any(|mark| mark.as_bytes()[0] == first && is_same(mark, core))
        || !first.is_ascii() && MARKS.contains(&&*lower(core))
}

/// Returns whether a word equals a lowercase word, ignoring case.
fn is_same(lower_case: &str, word: &str) -> bool {
    match word.is_ascii() {
        true => lower_case.eq_ignore_ascii_case(word),
        false => lower_case == lower(word),
    }
}

/// Returns whether a plain number after this word is a build number.
fn is_build(word: &str) -> bool {
    matches!(&*lower(core(word)), "build" | "revision" | "rev" | "commit")
}

fn has_cjk_mark(word: &str) -> bool {
    !word.is_ascii() && ["更新", "修改", "업데이트"].iter().any(|mark| word.contains(mark))
}

/// The role of a word in a stamp.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// Sufficient by itself: a date, a time, a hash.
    Whole,
    /// The name of a month or weekday.
    Name,
    Number,
    /// A connecting word: "on", "at", "UTC".
    Joint,
    Other,
}

/// Returns how many words after one that starts a stamp belong to it: 0 unless they include a complete date, time or
/// hash. "built in 1889" is a fact, "built on 2026-11-21" a stamp.
fn stamp(words: &[&str], is_build: bool) -> usize {
    let (mut end, mut numbers, mut names, mut is_whole) = (0, 0, 0, false);
    for (place, word) in words.iter().take(MAX_STAMP).enumerate() {
        match piece(word) {
            Piece::Whole => is_whole = true,
            Piece::Name => names += 1,
            Piece::Number => numbers += 1,
            Piece::Joint if end == place && place > 0 && is_unit(word) => {}
            Piece::Joint => continue,
            Piece::Other => break,
        }
        end = place + 1;
    }
    let is_date = names > 0 && numbers > 0 || numbers > 2;
    if is_whole || is_date || is_build && numbers > 0 {
        end
    } else {
        0
    }
}

fn piece(word: &str) -> Piece {
    let core = core(word);
    if core.is_empty() {
        return Piece::Joint;
    }
    let digits = core.bytes().filter(u8::is_ascii_digit).count();
    if digits == 0 {
        let lower = lower(core);
        return if JOINTS.contains(&&*lower) {
            Piece::Joint
        } else if is_name(&lower) {
            Piece::Name
        } else {
            Piece::Other
        };
    }
    let is_hex = core.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex && core.len() >= 7 || is_date_or_time(core) || core.contains('年') {
        return Piece::Whole;
    }
    // "21", "21st", "0.034s", "v2".
    let letters = core.chars().filter(|c| c.is_alphabetic()).count();
    if letters <= 2 { Piece::Number } else { Piece::Other }
}

/// Returns whether a word is groups of digits joined by punctuation: "2026-11-21", "21.11.2026", "10:42",
/// "2026-11-21T10:42:00Z".
fn is_date_or_time(core: &str) -> bool {
    let groups = core
        .split(|c: char| !c.is_ascii_digit())
        .filter(|group| !group.is_empty())
        .count();
    let is_plain = core
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.' | ':' | '+' | ',' | 'T' | 'Z' | 't' | 'z' | 'h'));
    is_plain && (groups >= 3 || groups == 2 && core.contains([':', 'h']))
}

const JOINTS: [&str; 38] = [
    "on", "at", "in", "of", "the", "by", "date", "time", "last", "is", "was", "from", "with", "utc", "gmt", "cet",
    "cest", "est", "edt", "pst", "pdt", "am", "pm", "ago", "seconds", "second", "ms",
    "sec", // German, French, Spanish
    "um", "vom", "uhr", "le", "à", "el", "de", "a", "las", "du",
];

/// Returns whether a word is the unit of the number before it.
fn is_unit(word: &str) -> bool {
    const UNITS: [&str; 16] = [
        "utc", "gmt", "cet", "cest", "est", "edt", "pst", "pdt", "am", "pm", "ago", "seconds", "second", "ms", "sec",
        "uhr",
    ];
    UNITS.iter().any(|unit| core(word).eq_ignore_ascii_case(unit))
}

/// Returns whether a word is the name of a month or weekday in English, German, French, Spanish, Portuguese, Italian or
/// Dutch, by its first three letters, which suffice next to a number.
fn is_name(lower: &str) -> bool {
    const STARTS: [&str; 44] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed", "thu",
        "fri", "sat", "sun", "mär", "mai", "okt", "dez", "fév", "avr", "jui", "aoû", "déc", "ene", "abr", "ago", "dic",
        "fev", "set", "out", "gen", "mag", "giu", "lug", "ott", "mrt", "mei", "die", "mit",
    ];
    let third = lower.char_indices().nth(3).map_or(lower.len(), |(at, _)| at);
    STARTS.contains(&&lower[..third]) && lower.chars().count() <= 10
}

/// Splits a file name that contains a hash, "app.3f2a1b.js", into the parts before and after the hash.
fn asset_hash(word: &str) -> Option<(&str, &str)> {
    const TYPES: [&str; 14] = [
        ".js", ".mjs", ".css", ".map", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".woff", ".woff2",
        ".wasm",
    ];
    // The last occurrence of each type counts, if the end or punctuation follows. Few words contain a dot.
    let mut seen = [false; TYPES.len()];
    let mut is_type = |at: &usize| {
        let rest = &word[*at..];
        TYPES.iter().zip(&mut seen).any(|(kind, seen)| {
            let is_last = rest.starts_with(kind) && !std::mem::replace(seen, true);
            is_last && !rest[kind.len()..].starts_with(|c: char| c.is_alphanumeric())
        })
    };
    let end = memchr::memrchr_iter(b'.', word.as_bytes()).find(&mut is_type)?;
    let start = word[..end].rfind(['.', '-', '_'])? + 1;
    let hash = &word[start..end];
    let is_hash = hash.len() >= 6
        && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
        && hash.bytes().any(|byte| byte.is_ascii_digit());
    is_hash.then(|| (&word[..start], &word[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> u64 {
        let mut stamps = Stamps::default();
        text.split(' ').for_each(|word| stamps.add(word));
        stamps.finish()
    }

    /// Wherever a piece ends, the words of a stamp stay together.
    #[test]
    fn pieces_do_not_matter() {
        let stamp = "Last updated on Monday, November 21, 2026 at 10:42 UTC in 0.034 seconds by x, an hour ago";
        let other = "Last updated on Monday, November 22, 2026 at 11:43 UTC in 0.035 seconds by x, 5 days ago";
        for before in PIECE - 30..PIECE + 5 {
            let words = "word ".repeat(before);
            let text = format!("{words}{stamp} {words}end");
            assert_eq!(hash(&text), hash(&format!("{words}{other} {words}end")), "{before}");
            assert_ne!(hash(&text), hash(&format!("{words}{stamp} {words}END")), "{before}");
        }
    }

    /// Words that affect what follows, in every spelling, take the path that checks them.
    #[test]
    fn stamp_words_are_not_usual() {
        for word in MARKS
            .into_iter()
            .chain(["copyright", "©", "(c)", "2026", "app.3f2a1b.js", "更新"])
        {
            for written in [
                word.to_owned(),
                word.to_uppercase(),
                format!("{word}:"),
                format!("({word}),"),
            ] {
                assert!(!is_usual(&written), "{written}");
            }
        }
        for word in ["ago", "AGO", "Ago.", "(ago)", "“ago”", "…ago"] {
            assert!(may_be_ago(word), "{word}");
        }
    }

    #[test]
    fn most_words_are_usual() {
        for word in ["a", "The", "garden,", "Paper.", "unpublished", "internationalisation"] {
            assert!(is_usual(word) && !may_be_ago(word), "{word}");
        }
    }

    #[test]
    fn skipped_words_after_usual_words() {
        assert_eq!(hash("seen an hour ago, here"), hash("seen 5 minutes ago here"));
        assert_eq!(
            hash("page Updated: 2026-11-21 here"),
            hash("page Updated: 2026-11-22 here")
        );
        assert_ne!(hash("an hour past here"), hash("an hour passed here"));
    }
}
