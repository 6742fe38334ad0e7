"""The families of rules, and the limits that their SQL uses by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset import _core

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.options.judging import Limit

PARAMETER_NAME = re.compile(r"[\w.-]+", re.ASCII)
"""The URL parameter names that `secret_parameters` and `sensitive_parameters` may contain."""

_PROTOCOL = _core.protocol_limits()
_NAMES = _core.parameter_lists()


class FamilyLimit(Struct, frozen=True):
    """A limit that profiles and the configuration can change. Rules use it as `$name`, and their texts as `{name}`.

    Attributes:
        name: Its name, unique among all families.
        default: A number, or a list of names, which in SQL is a string of regular expression alternatives.
        about: What it limits, and its source; empty for a limit of the core, whose `limits.rs` has both.
    """

    name: str
    default: Limit
    about: str = ""


class Family(Struct, frozen=True):
    """A group of related rules.

    Attributes:
        prefix: The letters that their codes start with.
        folder: The package in `urlset.rules` that contains them.
        title: Their subject, as a heading.
        limits: Limits on their subject.
    """

    prefix: str
    folder: str
    title: str
    limits: tuple[FamilyLimit, ...] = ()


_OF_URLS = (
    FamilyLimit("max_url_length", _PROTOCOL["max_url_length"]),
    FamilyLimit("secret_parameters", _NAMES["secret_parameters"]),
    FamilyLimit("sensitive_parameters", _NAMES["sensitive_parameters"]),
)
_OF_FILES = (
    FamilyLimit("max_entries", _PROTOCOL["max_entries"]),
    FamilyLimit("max_bytes", _PROTOCOL["max_bytes"]),
    FamilyLimit("near_limit", 0.9, "Share of a limit from which a value counts as near it. Our choice."),
)
_OF_IMAGES = (FamilyLimit("max_images_per_url", _PROTOCOL["max_images_per_url"]),)
_OF_NEWS = (FamilyLimit("max_news_per_file", _PROTOCOL["max_news_per_file"]),)
_OF_PAGES = (FamilyLimit("min_page_words", 20, "Minimum words of main text for a page not to be thin. Our choice."),)
_OF_LINKS = (FamilyLimit("max_clicks", 5, "Most clicks from the home page to a page. Our choice."),)
_OF_LOGS = (
    FamilyLimit("min_log_days", 7, "Minimum days that access logs cover before reporting what they lack. Our choice."),
    FamilyLimit("max_sitemap_days", 7, "Most days between two requests of a search engine for a sitemap. Our choice."),
    FamilyLimit("max_refetch_days", 14, "Most days until a search engine requests a changed page. Our choice."),
    FamilyLimit("min_unlisted_hits", 10, "Minimum requests of crawlers for unlisted pages of a section. Our choice."),
    FamilyLimit("max_wasted_share", 0.3, "Largest share of a crawler's requests that may be wasted. Our choice."),
)

FAMILIES: tuple[Family, ...] = (
    Family("FET", "fetching", "Fetching"),
    Family("ROB", "robots", "robots.txt"),
    Family("ENC", "encoding", "Encoding and compression"),
    Family("XML", "xml", "Well-formedness"),
    Family("STR", "structure", "Structure and namespaces"),
    Family("LOC", "loc", "URLs", _OF_URLS),
    Family("MOD", "lastmod", "Dates"),
    Family("HNT", "hints", "Change frequency and priority"),
    Family("LIM", "limits", "Limits", _OF_FILES),
    Family("IDX", "index", "Sitemap indexes"),
    Family("TXT", "text", "Text sitemaps"),
    Family("FED", "feeds", "Feeds"),
    Family("DUP", "duplicates", "Duplicates"),
    Family("IMG", "image", "Images", _OF_IMAGES),
    Family("VID", "video", "Videos"),
    Family("NWS", "news", "News", _OF_NEWS),
    Family("HRL", "hreflang", "hreflang"),
    Family("PGE", "pages", "Listed pages", _OF_PAGES),
    Family("LNK", "links", "Links", _OF_LINKS),
    Family("INW", "indexnow", "IndexNow keys"),
    Family("LOG", "logs", "Access logs", _OF_LOGS),
    Family("LLM", "llms", "llms.txt"),
    Family("TWN", "twins", "Markdown twins"),
    Family("COV", "coverage", "Coverage"),
    Family("SIT", "site", "The site as a whole"),
    Family("DEP", "deployment", "Deployments"),
)
"""All families, in the order of lists and pages: from fetching and encoding to the extensions."""

TITLES: Mapping[str, str] = {**{family.prefix: family.title for family in FAMILIES}, "XSD": "Official schemas"}
"""The subject of each prefix. What `--xsd` reports has the code XSD000 where only rules can be reported."""

DEFAULT_LIMITS: dict[str, Limit] = {limit.name: limit.default for family in FAMILIES for limit in family.limits}
"""The default limits, of the protocol and of urlset, by name."""

PARAMETERS: frozenset[str] = frozenset({"now", *DEFAULT_LIMITS})
"""What a rule's SQL may use as `$name`; the engine replaces each with its value as a literal."""
