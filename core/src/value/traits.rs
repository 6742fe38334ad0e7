//! What is uncommon about an entry, as bits: found once while it is read, so that a rule need not ask every row.

use std::ops::BitOrAssign;

vocabulary! {
    /// One thing that most entries do not have. Not a fault by itself.
    Trait {
        LocProblem, "loc-problem", "loc is missing, or something is wrong with it.";
        Fragment, "fragment", "loc has a fragment.";
        UserInfo, "user-info", "loc has user info before its host.";
        Tracking, "tracking", "loc has a parameter of a campaign, a click or a session.";
        DoubleEscape, "double-escape", "The path of loc has an escape whose percent sign is escaped.";
        UpperCase, "upper-case", "Scheme or host of loc have upper-case letters.";
        DefaultPort, "default-port", "loc names the port that its scheme has anyway.";
        InnerHost, "inner-host", "The host of loc is a private address or a name that is never public.";
        TestHost, "test-host", "The host of loc is called as test systems are: staging, uat and the like.";
        DotSegment, "dot-segment", "The path of loc has an empty segment, or a segment of one or two dots.";
        File, "file", "The path of loc ends in the extension of a style sheet, script, image, font, archive or feed.";
        IndexPage, "index-page", "The path of loc ends in index or default with an extension: /index.html.";
        WideHost, "wide-host", "The host of loc has characters beyond ASCII.";
        LastmodProblem, "lastmod-problem", "Something is wrong with lastmod.";
        ChangefreqOften, "changefreq-often", "changefreq is always, hourly or daily.";
        ChangefreqProblem, "changefreq-problem", "changefreq is none of the seven words, nor empty.";
        PriorityProblem, "priority-problem", "priority is no number from 0.0 to 1.0, nor empty.";
        LongField, "long-field", "lastmod, changefreq or priority is longer than 100 characters.";
        HomePage, "home-page", "loc is the page that a site begins with, or that of a language: /, /index.html, /de/.";
        Sensitive, "sensitive", "loc has a parameter that is secret or of one person: a password, a key, a token, a session.";
    }
}

impl Trait {
    /// The bit that stands for it.
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

    /// Takes a trait away.
    pub fn remove(&mut self, one: Trait) {
        self.0 &= !one.bit();
    }

    pub fn has(self, one: Trait) -> bool {
        self.0 & one.bit() != 0
    }

    /// The bits as a signed number.
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
