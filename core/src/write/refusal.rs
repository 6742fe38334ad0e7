//! The reasons for which an entry or a field is not written.

use std::ops::Deref;

use crate::value::vocabulary;

vocabulary! {
    /// The reason for which an entry, or a field of it, is not written.
    Reason {
        NotAnEntry, "not-an-entry", "The input is not a URL, mapping or typed entry, or a field has a value of an unsupported type.";
        LocMissing, "loc-missing", "The entry has no URL.";
        UrlInvalid, "url-invalid", "A URL is not an absolute http or https URL; the detail gives the reason.";
        UrlBare, "url-bare", "The URL has no scheme and does not start with a slash. Write the full URL, start the path with a slash, or set bare-paths.";
        UrlSchemeless, "url-schemeless", "The URL has no scheme and starts with something like a host name. Add https://, or start it with a slash if it is a path.";
        UrlTooLong, "url-too-long", "A URL has 2,048 characters or more once it is percent-encoded.";
        UrlDoubtful, "url-doubtful", "The URL has a fragment, user info, a tracking or sensitive parameter, double percent-encoding, empty or dot segments, or undefined, null, NaN or None in place of a value; the detail says which.";
        OtherHost, "other-host", "The URL is on a host that is not allowed in this sitemap.";
        Duplicate, "duplicate", "The URL was already written.";
        LastmodMissing, "lastmod-missing", "The entry has no lastmod, and one is required.";
        DateInvalid, "date-invalid", "A date is invalid; the detail gives the reason.";
        DateDoubtful, "date-doubtful", "A lastmod is before 1990, when the web did not exist.";
        DateFuture, "date-future", "A lastmod is more than a day in the future.";
        ForbiddenCharacter, "forbidden-character", "A value has a character that XML forbids.";
        FieldMissing, "field-missing", "A record lacks a required field.";
        FieldInvalid, "field-invalid", "The value of a field is invalid; the detail says what is allowed.";
        TooMany, "too-many", "The entry has more records or values of a kind than allowed.";
        HreflangInvalid, "hreflang-invalid", "An hreflang code is invalid; the detail gives the reason.";
        HreflangRepeated, "hreflang-repeated", "An hreflang code has two URLs.";
        HreflangSelfMissing, "hreflang-self-missing", "The entry's language versions do not include the entry itself, and its own code is unknown.";
        EntryTooLarge, "entry-too-large", "The entry alone exceeds the size limit of a sitemap.";
    }
}

/// The refusal of one entry or field. It is behind a pointer, because nearly all results that could contain one do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(Box<Details>);

/// The details of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    pub reason: Reason,
    /// The affected field: `loc`, `video.title`; empty for the entry as a whole.
    pub field: String,
    /// The exact problem, if the reason leaves it open.
    pub detail: String,
    /// The affected value, cut to a readable length.
    pub value: String,
}

/// Longest part of an affected value that is kept, in characters.
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

    /// An entry that no sitemap has room for.
    #[cold]
    pub fn too_large(loc: &str, bytes: u64, most: u64) -> Self {
        let detail = format!("{bytes} bytes as the only entry of a sitemap; at most {most} are allowed");
        Self::new(Reason::EntryTooLarge, "", &detail, loc)
    }
}

impl Deref for Refusal {
    type Target = Details;

    fn deref(&self) -> &Details {
        &self.0
    }
}
