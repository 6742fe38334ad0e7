//! The problems of a robots.txt and of its lines, and the keys of other specifications: closed sets.

use crate::value::vocabulary;

vocabulary! {
    /// A problem in a robots.txt that was repaired or ignored.
    RobotsProblem {
        TooLarge, "too-large", "The file is larger than 500 KiB, which is all that crawlers must read; the rest was not read.";
        TooManyRules, "too-many-rules", "The table of user agents and rules is too large and was cut. All rules are still applied.";
        TooManyStars, "too-many-stars", "The rules have more than 20,000 stars; rules with stars after that were ignored.";
        NotUtf8, "not-utf8", "The file is in UTF-16; it must be in UTF-8. Crawlers find no rule in it; only its Sitemap lines were read.";
        Html, "html", "The file is an HTML page.";
        LineTooLong, "line-too-long", "The line is longer than the limit; it was ignored.";
        InvalidBytes, "invalid-bytes", "The line contains invalid UTF-8.";
        MissingColon, "missing-colon", "The colon between key and value is missing; the line was read as if it were there.";
        MisspelledKey, "misspelled-key", "The key is not spelled as in RFC 9309 or the sitemap protocol; it was read as the intended key.";
        UnknownKey, "unknown-key", "No specification that crawlers follow defines this key; the line was ignored.";
        NoKey, "no-key", "The line has no key; it was ignored.";
        BareUrl, "bare-url", "A URL without `Sitemap:` before it; the line was ignored.";
        AgentInvalid, "agent-invalid", "The value of User-agent does not start with a product token; it matches no crawler.";
        AgentLoose, "agent-loose", "Text after the product token in User-agent; it was ignored.";
        RuleWithoutGroup, "rule-without-group", "A rule before the first User-agent line; it applies to no crawler and was ignored.";
        PatternNotPath, "pattern-not-path", "The path of the rule does not start with / or *; it never matches.";
        SitemapEmpty, "sitemap-empty", "A Sitemap line without a value; it was ignored.";
        SitemapRelative, "sitemap-relative", "The value of Sitemap is not an absolute URL; it was resolved against the URL of robots.txt, if known.";
        SitemapInvalid, "sitemap-invalid", "The value of Sitemap is not a valid http or https URL.";
        SitemapSeveral, "sitemap-several", "The Sitemap line has several URLs; crawlers read the whole value as one URL.";
        SitemapTwoSchemes, "sitemap-two-schemes", "The URL has two schemes, as in https://https://.";
        SitemapQuoted, "sitemap-quoted", "The URL is in quotation marks or angle brackets, which crawlers read as part of it.";
        SitemapEscaped, "sitemap-escaped", "The URL is escaped as in XML, with &amp; for &; robots.txt is plain text.";
        SitemapSeparator, "sitemap-separator", "The URL ends with a separator, which crawlers read as part of it.";
    }
}

vocabulary! {
    /// A key that another specification adds to robots.txt.
    ExtensionKey {
        ContentSignal, "Content-Signal", "How crawlers may use the content. <https://contentsignals.org/>.";
        ContentUsage, "Content-Usage", "How the content may be used, in a draft of the IETF. <https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/>.";
        CrawlDelay, "Crawl-delay", "Seconds between two requests, which Bing obeys. <https://www.bing.com/webmasters/help/how-to-create-a-robots-txt-file-cb7c31ec>.";
        CleanParam, "Clean-param", "Parameters of URLs that Yandex ignores. <https://yandex.com/support/webmaster/en/robot-workings/clean-param>.";
        License, "License", "URL of a license in RSL. <https://rslstandard.org/guide/robots-txt>.";
        IndexNowKey, "IndexNow-Key", "The IndexNow key of the host. <https://www.indexnow.org/documentation>.";
    }
}

vocabulary! {
    /// What is wrong with the value of such a line.
    ExtensionProblem {
        Empty, "empty", "The line has no value.";
        KeyPlural, "key-plural", "The key is in the plural, Content-Signals or Content-Usages; most crawlers ignore the line.";
        SignalForm, "signal-form", "A signal is not written as name=value.";
        SignalUnknown, "signal-unknown", "A signal is not search, ai-input, ai-train, or use.";
        SignalValue, "signal-value", "The value of a signal is not yes or no; for use, it is not immediate, reference, or full.";
        SignalConflict, "signal-conflict", "A signal has two values for the same user agent.";
        UsageForm, "usage-form", "The preferences are not a dictionary of structured fields (RFC 9651), so none of them counts.";
        UsageUnknown, "usage-unknown", "A preference is not for search, ai-use, or train-ai.";
        UsageValue, "usage-value", "The value of a preference is not y or n.";
        DelayInvalid, "delay-invalid", "The value is not a number of seconds.";
        NoGroup, "no-group", "The line is before the first User-agent line, so crawlers that read it by group ignore it.";
        NotAbsolute, "not-absolute", "The value is not an absolute http or https URL.";
        KeyLength, "key-length", "The key has fewer than 8 or more than 128 characters.";
        KeyCharacter, "key-character", "The key has characters other than a-z, A-Z, 0-9, and the hyphen.";
    }
}

impl ExtensionKey {
    /// Returns the key that a word is, in any case, and whether it is spelled correctly.
    pub fn of(written: &[u8]) -> Option<(Self, bool)> {
        let known = |written: &[u8]| {
            let is_it = |key: &&Self| written.eq_ignore_ascii_case(key.name().as_bytes());
            Self::ALL.iter().find(is_it).copied()
        };
        known(written).map(|key| (key, true)).or_else(|| {
            let singular = written.strip_suffix(b"s").or_else(|| written.strip_suffix(b"S"))?;
            known(singular).filter(|key| key.has_signals()).map(|key| (key, false))
        })
    }

    /// Returns whether its value has preferences for the use of the content.
    pub fn has_signals(self) -> bool {
        matches!(self, Self::ContentSignal | Self::ContentUsage)
    }

    /// Returns whether a line with it applies to the user agents of its group.
    pub fn is_of_group(self) -> bool {
        self.has_signals() || self == Self::CrawlDelay
    }
}
