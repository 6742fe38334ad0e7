//! The table `link_sets`: the hreflang links of each entry as a set.
//!
//! Whether language versions link to each other is a question about sets of URLs. Equal sets have equal hashes, so a
//! hundred million links can be compared by one number per entry; only where that is inconclusive do rules read the
//! links themselves.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::ArrowError;

use super::survey::Survey;
use super::value_columns::Columns;
use crate::value::hreflang::COUNTRY_CODES;
use crate::value::url::text_hash;
use crate::value::{Trait, Traits};

/// Maximum distinct codes remembered per document; any further code is parsed again each time.
const MAX_CODES: usize = 1_000;

/// Longest code that is stored as text, in bytes: no real one is longer than 35. A longer one is identified by its
/// hash.
const MAX_CODE: usize = 64;

/// A code of a document.
struct Code {
    /// In lowercase; `None` if it is long.
    text: Option<Box<str>>,
    hash: i64,
    /// The hash of its language, without script and region.
    language: i64,
    is_default: bool,
    /// The last entry that had it.
    ordinal: i32,
}

/// The codes of a document. Entries repeat them in the same order, so the next one is nearly always known.
#[derive(Default)]
pub struct Codes {
    codes: Vec<Code>,
    by_hash: HashMap<i64, usize>,
    next: usize,
    /// The traits of all codes.
    traits: Traits,
}

impl Codes {
    pub fn traits(&self) -> Traits {
        self.traits
    }

    fn find(&mut self, text: &str) -> &mut Code {
        let expected = if self.next < self.codes.len() { self.next } else { 0 };
        let next = self.codes.get(expected).and_then(|code| code.text.as_deref());
        let at = match next {
            Some(next) if next.eq_ignore_ascii_case(text) => expected,
            _ => self.look_up(text),
        };
        self.next = at + 1;
        &mut self.codes[at]
    }

    #[cold]
    fn look_up(&mut self, text: &str) -> usize {
        let text = text.to_ascii_lowercase();
        let hash = text_hash(&text);
        // Other letters may have one of them as their lowercase.
        if COUNTRY_CODES.contains(&text.as_str()) || !text.is_ascii() {
            self.traits.add(Trait::CountryCode);
        }
        if text.chars().count() == 5 {
            self.traits.add(Trait::RegionalCode);
        }
        if let Some(&at) = self.by_hash.get(&hash) {
            return at;
        }
        self.codes.truncate(MAX_CODES);
        if self.codes.len() < MAX_CODES {
            self.by_hash.insert(hash, self.codes.len());
        }
        self.codes.push(Code {
            hash,
            language: text_hash(language_of(&text)),
            is_default: text == "x-default",
            text: (text.len() <= MAX_CODE).then(|| text.into_boxed_str()),
            ordinal: -1,
        });
        self.codes.len() - 1
    }
}

/// Returns the language of a code in lowercase. Codes for one language, old or of its written forms, count as one.
fn language_of(code: &str) -> &str {
    match code.split('-').next().unwrap_or(code) {
        "nb" | "nn" => "no",
        "iw" => "he",
        "in" => "id",
        "ji" => "yi",
        "tl" => "fil",
        other => other,
    }
}

/// Returns whether a link is to the page for other devices, which is not a translation.
/// https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing
fn is_to_mobile(hreflangs: &StringArray, media: &StringArray, link: usize) -> bool {
    hreflangs.is_null(link) && media.is_valid(link) && !media.value(link).is_empty()
}

/// Adds the links to the survey of the document, whether or not their entries have a loc.
pub fn survey_links(urls: Option<&RecordBatch>, alternates: &RecordBatch, codes: &mut Codes, survey: &mut Survey) {
    let (owners, hrefs) = (ints(alternates, "ordinal"), longs(alternates, "href_hash"));
    let rels = column(alternates, "rel").as_string::<i32>();
    let hreflangs = column(alternates, "hreflang").as_string::<i32>();
    let media = column(alternates, "media").as_string::<i32>();
    let entries = urls.map(|urls| (ints(urls, "ordinal"), longs(urls, "loc_hash")));
    let has = |name| column(alternates, name).null_count() < alternates.num_rows();
    let is_missing = hrefs.null_count() + hreflangs.null_count() > 0;
    let mut has_problem = is_missing || has("href_problem") || has("hreflang_problem");
    let mut row = 0;
    for link in 0..owners.len() {
        if hreflangs.is_valid(link) {
            codes.find(hreflangs.value(link));
            has_problem |= rels.is_null(link) || !rels.value(link).eq_ignore_ascii_case("alternate");
        }
        if hrefs.is_null(link) || is_to_mobile(hreflangs, media, link) {
            continue;
        }
        let mut is_to_itself = false;
        if let Some((ordinals, loc_hashes)) = entries {
            while row < ordinals.len() && ordinals.value(row) < owners.value(link) {
                row += 1;
            }
            let is_known = row < ordinals.len() && ordinals.value(row) == owners.value(link);
            is_to_itself = is_known && loc_hashes.is_valid(row) && loc_hashes.value(row) == hrefs.value(link);
        }
        survey.link(hrefs.value(link), is_to_itself);
    }
    if has_problem {
        survey.traits.add(Trait::LinkProblem);
    }
    survey.traits |= codes.traits();
}

/// The columns under construction.
#[derive(Default)]
struct Sets {
    ordinal: Vec<i32>,
    line: Vec<i32>,
    col: Vec<i32>,
    loc_hash: Vec<i64>,
    links: Vec<i32>,
    targets: Vec<i32>,
    self_links: Vec<i32>,
    default_links: Vec<i32>,
    repeated_codes: Vec<i32>,
    targets_hash: Vec<i64>,
    default_hash: Vec<i64>,
    set_hash: Vec<i64>,
}

/// Builds a row for each entry of `urls` that has a loc and links with an href; `alternates` contains whole entries.
/// Returns `None` if there is no such entry.
pub fn link_sets(
    document_id: i32,
    urls: &RecordBatch,
    alternates: &RecordBatch,
    codes: &mut Codes,
) -> Result<Option<RecordBatch>, ArrowError> {
    let (ordinals, lines, cols) = (ints(urls, "ordinal"), ints(urls, "line"), ints(urls, "col"));
    let loc_hashes = longs(urls, "loc_hash");
    let (owners, hrefs) = (ints(alternates, "ordinal"), longs(alternates, "href_hash"));
    let hreflangs = column(alternates, "hreflang").as_string::<i32>();
    let media = column(alternates, "media").as_string::<i32>();
    let mut sets = Sets::default();
    let mut seen: Vec<i64> = Vec::new();
    let mut languages: Vec<(i64, i64)> = Vec::new();
    let empty = text_hash("");
    let (mut row, mut at) = (0, 0);
    while at < owners.len() {
        let owner = owners.value(at);
        while row < ordinals.len() && ordinals.value(row) < owner {
            row += 1;
        }
        let is_known = row < ordinals.len() && ordinals.value(row) == owner && loc_hashes.is_valid(row);
        let loc_hash = if is_known { loc_hashes.value(row) } else { 0 };
        seen.clear();
        languages.clear();
        let (mut links, mut own, mut defaults, mut repeated) = (0, 0, 0, 0);
        let (mut set_hash, mut default_hash) = (0_i64, None);
        while at < owners.len() && owners.value(at) == owner {
            let link = at;
            at += 1;
            if hrefs.is_null(link) || hrefs.value(link) == empty || is_to_mobile(hreflangs, media, link) {
                continue;
            }
            let href = hrefs.value(link);
            links += 1;
            own += i32::from(href == loc_hash);
            let mut code_hash = 0;
            if hreflangs.is_valid(link) && !hreflangs.value(link).is_empty() {
                let code = codes.find(hreflangs.value(link));
                if code.is_default {
                    defaults += 1;
                    default_hash = Some(default_hash.map_or(href, |least: i64| least.min(href)));
                } else {
                    languages.push((href, code.language));
                }
                repeated += i32::from(code.ordinal == owner);
                code.ordinal = owner;
                code_hash = code.hash;
            }
            set_hash = set_hash.wrapping_add((href ^ code_hash).wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64));
            seen.push(href);
        }
        if !is_known || links == 0 {
            continue;
        }
        seen.sort_unstable();
        seen.dedup();
        if seen.len() < links as usize {
            languages.sort_unstable();
            let is_shared = |pair: &[(i64, i64)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
            if languages.windows(2).any(is_shared) {
                codes.traits.add(Trait::SharedTarget);
            }
        }
        sets.ordinal.push(owner);
        sets.line.push(lines.value(row));
        sets.col.push(cols.value(row));
        sets.loc_hash.push(loc_hash);
        sets.links.push(links);
        sets.targets.push(seen.len() as i32);
        sets.self_links.push(own);
        sets.default_links.push(defaults);
        sets.repeated_codes.push(repeated);
        sets.targets_hash.push(seen.iter().fold(0, |all, href| all ^ href));
        sets.default_hash.push(default_hash.unwrap_or(0));
        sets.set_hash.push(set_hash);
    }
    if sets.ordinal.is_empty() {
        return Ok(None);
    }
    sets.finish(document_id).map(Some)
}

/// Returns the table without rows.
pub fn no_link_sets() -> Result<RecordBatch, ArrowError> {
    Sets::default().finish(0)
}

impl Sets {
    fn finish(self, document_id: i32) -> Result<RecordBatch, ArrowError> {
        let ints = |values: Vec<i32>| -> ArrayRef { Arc::new(Int32Array::from(values)) };
        let longs = |values: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(values)) };
        let mut columns = Columns::default();
        columns.push("document_id", ints(vec![document_id; self.ordinal.len()]));
        columns.push("ordinal", ints(self.ordinal));
        columns.push("line", ints(self.line));
        columns.push("col", ints(self.col));
        columns.push("loc_hash", longs(self.loc_hash));
        columns.push("links", ints(self.links));
        columns.push("targets", ints(self.targets));
        columns.push("self_links", ints(self.self_links));
        columns.push("default_links", ints(self.default_links));
        columns.push("repeated_codes", ints(self.repeated_codes));
        columns.push("targets_hash", longs(self.targets_hash));
        columns.push("default_hash", longs(self.default_hash));
        columns.push("set_hash", longs(self.set_hash));
        columns.finish()
    }
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> &'a ArrayRef {
    batch
        .column_by_name(name)
        .expect("the tables of one reader have the columns of their schemas")
}

fn ints<'a>(batch: &'a RecordBatch, name: &str) -> &'a Int32Array {
    column(batch, name).as_primitive::<Int32Type>()
}

fn longs<'a>(batch: &'a RecordBatch, name: &str) -> &'a Int64Array {
    column(batch, name).as_primitive::<Int64Type>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_recognized_at_any_length_and_in_any_order() {
        let mut codes = Codes::default();
        let text = |number: usize| {
            format!(
                "{}{number}",
                "a".repeat(if number.is_multiple_of(2) { 10_000 } else { 3 })
            )
        };
        for number in 0..MAX_CODES {
            let code = codes.find(&text(number));
            assert_eq!(code.ordinal, -1);
            code.ordinal = number as i32;
        }
        for number in (0..MAX_CODES).rev() {
            assert_eq!(codes.find(&text(number).to_ascii_uppercase()).ordinal, number as i32);
        }
        assert!(codes.find("x-default").is_default && !codes.find("x-Default2").is_default);
        // Beyond the limit, a code is parsed again and replaces the previous one.
        assert_eq!((codes.codes.len(), codes.by_hash.len()), (MAX_CODES + 1, MAX_CODES));
        assert!(
            codes
                .codes
                .iter()
                .all(|code| code.text.as_ref().is_none_or(|text| text.len() <= MAX_CODE))
        );
        assert_eq!(codes.find(&text(5)).ordinal, 5);
    }
}
