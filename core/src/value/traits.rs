//! Uncommon traits of an entry, as bits: found once while reading, so that a rule need not search every row.

use std::ops::BitOrAssign;

vocabulary! {
    /// A trait that most entries do not have. Not a problem by itself.
    Trait {
        LocProblem, "loc-problem", "loc is missing or has a problem.";
        Fragment, "fragment", "loc has a fragment.";
        UserInfo, "user-info", "loc has a user name or password before the host.";
        Tracking, "tracking", "loc has a campaign, click or session parameter.";
        DoubleEscape, "double-escape", "The path of loc is percent-encoded twice.";
        UpperCase, "upper-case", "The scheme or host of loc has uppercase letters.";
        DefaultPort, "default-port", "loc has the default port of its scheme.";
        InnerHost, "private-host", "The host of loc is a private IP address or a name that is never public.";
        TestHost, "test-host", "The host of loc has a name typical of test systems, such as staging or uat.";
        DotSegment, "dot-segment", "The path of loc has an empty, . or .. segment.";
        File, "file", "The path of loc has the file extension of a stylesheet, script, image, font, archive or feed.";
        IndexPage, "index-page", "The path of loc ends in index or default with the extension of a page, such as /index.html.";
        WideHost, "non-ascii-host", "The host of loc has non-ASCII characters.";
        LastmodProblem, "lastmod-problem", "lastmod has a problem.";
        ChangefreqOften, "changefreq-often", "changefreq is always, hourly or daily.";
        ChangefreqProblem, "changefreq-problem", "changefreq is neither empty nor one of the seven allowed values.";
        PriorityProblem, "priority-problem", "priority is neither empty nor a number from 0.0 to 1.0.";
        LongField, "long-field", "lastmod, changefreq or priority is longer than 100 characters.";
        HomePage, "home-page", "loc is the home page of the site or of one of its languages, such as /, /index.html or /de/.";
        Sensitive, "sensitive", "loc has a secret or personal parameter, such as a password, key, token or session.";
        LinkProblem, "link-problem", "Only for documents: the rel, hreflang or href of a link is missing or has a problem.";
        LinkWithin, "link-within", "Only for documents: a hreflang link may point to another entry of the document.";
        CountryCode, "country-code", "Only for documents: a hreflang code is also that of a country with another language.";
        RegionalCode, "regional-code", "Only for documents: a hreflang code has five characters, such as de-CH.";
        UnsetWord, "unset-word", "A segment of the path or the value of a parameter is undefined, null, NaN or None.";
        Misread, "misread", "The path or query of loc may have UTF-8 that was read in another encoding and encoded again.";
        SharedTarget, "shared-target", "Only for documents: hreflang links of one entry give the same URL for different languages.";
    }
}

impl Trait {
    /// The bit of this trait.
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A set of traits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits(u32);

impl Traits {
    #[inline]
    pub fn add(&mut self, one: Trait) {
        self.0 |= one.bit();
    }

    /// Removes a trait.
    pub fn remove(&mut self, one: Trait) {
        self.0 &= !one.bit();
    }

    pub fn has(self, one: Trait) -> bool {
        self.0 & one.bit() != 0
    }

    /// The bits as a signed integer.
    #[inline]
    pub fn bits(self) -> i32 {
        self.0 as i32
    }
}

impl BitOrAssign for Traits {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
