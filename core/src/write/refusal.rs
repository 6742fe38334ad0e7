//! Why an entry or a field is not written.

use std::ops::Deref;

use crate::value::vocabulary;

vocabulary! {
    /// Why an entry, or a field of it, is not written.
    Reason {
        NotAnEntry, "not-an-entry", "It is no URL, no mapping and no typed entry, or a field holds what no such field can.";
        LocMissing, "loc-missing", "The entry has no URL.";
        UrlInvalid, "url-invalid", "A URL is not an absolute http or https URL; the detail says what is wrong with it.";
        UrlBare, "url-bare", "The URL has no scheme and does not begin with a slash: write it in full, begin a path with a slash, or set bare-paths.";
        UrlSchemeless, "url-schemeless", "The URL begins with what looks like a host name and has no scheme: begin it with https://, or with a slash if it is a path.";
        UrlTooLong, "url-too-long", "A URL has 2,048 characters or more once it is percent-encoded.";
        UrlDoubtful, "url-doubtful", "The URL has a fragment, a user, a tracking or sensitive parameter, double percent-encoding, or empty or dot segments; the detail says which.";
        OtherHost, "other-host", "The URL is on a host that this sitemap is not for.";
        Duplicate, "duplicate", "The URL was written before.";
        LastmodMissing, "lastmod-missing", "The entry has no lastmod, and one is required.";
        DateInvalid, "date-invalid", "A date cannot be read; the detail says why.";
        DateDoubtful, "date-doubtful", "A lastmod lies before 1990, when there was no web.";
        DateFuture, "date-future", "A lastmod lies more than a day in the future.";
        ForbiddenCharacter, "forbidden-character", "A value has a character that XML forbids.";
        FieldMissing, "field-missing", "A record lacks a field that it must have.";
        FieldInvalid, "field-invalid", "A field has a value that it may not have; the detail says what it may.";
        TooMany, "too-many", "There are more records or values of a kind than one entry may have.";
        HreflangInvalid, "hreflang-invalid", "An hreflang code is wrong; the detail says how.";
        HreflangRepeated, "hreflang-repeated", "One hreflang code has two URLs.";
        HreflangSelfMissing, "hreflang-self-missing", "The entry's language versions do not include the entry itself, and its own code is not given.";
        EntryTooLarge, "entry-too-large", "The entry alone is larger than a sitemap may be.";
    }
}

/// One entry or field that is not written. It is behind a pointer, since nearly every result that could hold one does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(Box<Details>);

/// What is known of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    pub reason: Reason,
    /// The field at fault: `loc`, `video.title`; empty when it is the entry as a whole.
    pub field: String,
    /// What exactly is wrong, where the reason leaves that open.
    pub detail: String,
    /// The value at fault, cut to what a person would read.
    pub value: String,
}

/// Longest piece of a value at fault that is kept, in characters.
const MAX_VALUE: usize = 200;

impl Refusal {
    #[cold]
    pub fn new(reason: Reason, field: &str, detail: &str, value: &str) -> Self {
        Self(Box::new(Details {
            reason,
            field: field.to_owned(),
            detail: detail.to_owned(),
            value: value.chars().take(MAX_VALUE).collect(),
        }))
    }
}

impl Deref for Refusal {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}
