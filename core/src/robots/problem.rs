//! What can be wrong with a robots.txt or one of its lines: a closed set.

use crate::value::vocabulary;

vocabulary! {
    /// Something that was repaired or passed over in a robots.txt.
    RobotsProblem {
        TooLarge, "too-large", "The file is larger than the 500 KiB that crawlers are held to read; what lies behind them was not read.";
        TooManyRules, "too-many-rules", "Agents and rules make too large a table; it was cut. Verdicts use all rules.";
        TooManyStars, "too-many-stars", "The rules have more than 20,000 stars; rules with stars after that were ignored.";
        NotUtf8, "not-utf8", "The file is in UTF-16; it must be in UTF-8. It was converted.";
        Html, "html", "The file is an HTML page.";
        LineTooLong, "line-too-long", "The line is longer than the bound; it was passed over.";
        InvalidBytes, "invalid-bytes", "The line holds bytes that are no UTF-8.";
        MissingColon, "missing-colon", "There is no colon between key and value; the line was read as if there were one.";
        MisspeltKey, "misspelt-key", "The key is written in another way than RFC 9309 and the sitemap protocol write it; it was read as the key that is meant.";
        UnknownKey, "unknown-key", "RFC 9309 and the sitemap protocol have no such key; the line was passed over.";
        NoKey, "no-key", "The line has no key; it was passed over.";
        BareUrl, "bare-url", "A URL without `Sitemap:` before it; the line was passed over.";
        AgentInvalid, "agent-invalid", "The value of User-agent begins with no product token; the group is for nobody.";
        AgentLoose, "agent-loose", "Something follows the product token in User-agent; it was passed over.";
        RuleWithoutGroup, "rule-without-group", "A rule before the first User-agent line; it is for nobody and was passed over.";
        PatternNotPath, "pattern-not-path", "The rule's path begins with neither / nor *; it can match nothing.";
        SitemapEmpty, "sitemap-empty", "A Sitemap line without a value; it was passed over.";
        SitemapRelative, "sitemap-relative", "The value of Sitemap is not an absolute URL; it was resolved against that of robots.txt, if that is known.";
    }
}
