"""The validation profiles: the rule severities and limits that each of them changes. Data only.

A profile lists only differences; all other rules keep their default severity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.rules.rule import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.options.judging import Limit

DISABLED = None
"""In place of a severity: the profile disables the rule."""


class Changes(Struct, frozen=True):
    """The changes of a profile.

    Attributes:
        severity: Code prefixes and the severity of those rules, or `LEFT_OUT`; the longest matching prefix decides.
        limits: Values for names in `families.DEFAULT_LIMITS`.
    """

    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)


PROFILES: Mapping[str, Changes] = {
    # https://www.sitemaps.org/protocol.html: lastmod is a W3C Datetime, changefreq one of seven words, priority from
    # 0.0 to 1.0, loc shorter than 2,048 characters. Image, video, news, and hreflang are extensions by Google.
    "protocol": Changes(
        severity={
            "MOD001": Severity.ERROR,
            "MOD002": Severity.ERROR,
            "MOD006": Severity.ERROR,
            "MOD005": DISABLED,
            "HNT001": Severity.ERROR,
            "HNT002": Severity.ERROR,
            "HNT003": DISABLED,
            "STR018": Severity.WARNING,
            "STR024": DISABLED,
            "LOC006": Severity.ERROR,
            "LIM003": DISABLED,
            "LIM004": DISABLED,
            "DUP": DISABLED,
            "IMG": DISABLED,
            "VID": DISABLED,
            "NWS": DISABLED,
            "HRL": DISABLED,
        },
    ),
    # Ignores changefreq and priority:
    # https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    # Rejects times without a time zone and the empty lastmod of an index, as users of several generators report.
    "google": Changes(
        severity={
            "HNT": Severity.HINT,
            "IDX025": Severity.ERROR,
            "MOD002": Severity.ERROR,
        },
    ),
    # Ignores changefreq and priority, and rejects dates in the future:
    # https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search
    "bing": Changes(
        severity={
            "HNT": Severity.HINT,
            "MOD005": Severity.ERROR,
        },
    ),
    # Reads only XML and text. Allows URLs of up to 1,024 characters, so a URL of exactly that length is valid. Limits
    # optional fields to 100 bytes, and allows no URLs outside the sitemap's folder. Which fields Google and Bing ignore
    # does not matter here. https://yandex.com/support/webmaster/en/error-dictionary/sitemap
    "yandex": Changes(
        severity={
            "HNT003": DISABLED,
            "LOC006": DISABLED,
            "LOC020": Severity.ERROR,
            "STR024": Severity.ERROR,
        },
        limits={"max_url_length": 1_024},
    ),
}
"""All profiles, by their value in `config.Profile`."""
