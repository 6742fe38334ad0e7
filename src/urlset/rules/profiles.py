"""The profiles: for each, what changes in the severity of rules and in the limits. Nothing but data.

Where a profile and urlset's own view agree, the profile says nothing, so that a rule's own severity stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.rules.registry import FAMILIES
from urlset.rules.rule import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.options.judging import Limit

LEFT_OUT = None
"""In place of a severity: the profile leaves the rule out."""


class Changes(Struct, frozen=True):
    """What a profile changes.

    Attributes:
        severity: Prefixes of rule codes and the severity they get, or `LEFT_OUT`; the longest prefix decides.
        limits: Values of `rule.PARAMETERS`, by name.
    """

    severity: Mapping[str, Severity | None] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)


PROFILES: Mapping[str, Changes] = {
    # https://www.sitemaps.org/protocol.html: lastmod is W3C Datetime, changefreq one of seven words, priority from 0.0
    # to 1.0, loc shorter than 2,048 characters. Image, video, news and hreflang are extensions of Google.
    "protocol": Changes(
        severity={
            "MOD001": Severity.ERROR,
            "MOD002": Severity.ERROR,
            "MOD006": Severity.ERROR,
            "MOD005": LEFT_OUT,
            "HNT001": Severity.ERROR,
            "HNT002": Severity.ERROR,
            "HNT003": LEFT_OUT,
            "STR018": Severity.WARNING,
            "STR024": LEFT_OUT,
            "LOC006": Severity.ERROR,
            "LIM003": LEFT_OUT,
            "LIM004": LEFT_OUT,
            "DUP": LEFT_OUT,
            "IMG": LEFT_OUT,
            "VID": LEFT_OUT,
            "NWS": LEFT_OUT,
            "HRL": LEFT_OUT,
        },
    ),
    # Ignores changefreq and priority:
    # https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    # Rejects times without timezone, as users of several generators report.
    "google": Changes(
        severity={
            "HNT": Severity.HINT,
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
    # Reads XML and text alone. URLs of at most 1,024 characters: that many are allowed, so that reaching the limit is
    # no fault. Optional fields of at most 100, and no URL outside the sitemap's folder. What Google and Bing ignore is
    # none of its business. https://yandex.com/support/webmaster/en/error-dictionary/sitemap
    "yandex": Changes(
        severity={
            "HNT003": LEFT_OUT,
            "LOC006": LEFT_OUT,
            "LOC020": Severity.ERROR,
            "STR024": Severity.ERROR,
        },
        limits={"max_url_length": 1_024},
    ),
    # What makes libxml2 reject a document that it holds against sitemap.xsd or siteindex.xsd: that it is not
    # well-formed, and what XSD001 to XSD008 find. Every other rule of ours is left out.
    # https://www.sitemaps.org/protocol.html#validating
    "strict-xsd": Changes(
        severity={
            **{family.prefix: LEFT_OUT for family in FAMILIES},
            **dict.fromkeys(("ENC002", "ENC003", "ENC006", "STR001", "XML", "XSD"), Severity.ERROR),
            **dict.fromkeys(("XML009", "XML010", "XML012"), LEFT_OUT),
        },
    ),
}
"""Every profile of `config.Profile`, by its value."""
