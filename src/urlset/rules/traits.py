"""Traits of documents and runs: uncommon properties without which a rule cannot find anything.

A rule names the traits that it needs in `needs`. Each is one of these:

- a trait of entries and their links, which the core notes once per URL (`core/src/value/traits.rs`)
- the `kind`, `error_kind`, or `compression` of a document, or its status, as `http-404` and `http-4xx`
- a trait in `DOCUMENT_TRAITS`, computed from the row of a document
- a trait in `ROW_TRAITS`, which at least one row of a table has
- a table with rows, such as `images` or `robots_files`

A rule may find nothing in a document with these traits, but it never finds anything in a document without them.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from urlset.net.placeholders import is_placeholder
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.queries import TRAIT_BITS
from urlset.tables import EPOCH, PAGE_LIST_KINDS, SITEMAP_KINDS
from urlset.web.indexability import SHELL_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from collections.abc import Set as AbstractSet

_SEVERAL_CANONICALS = "coalesce(len(canonical_links), 0) + coalesce(len(canonical_headers), 0) > 1"
_RELATIVE_CANONICAL = "NOT starts_with(lower(canonical_links[1]), 'http')"

ROW_TRAITS: Mapping[str, Mapping[str, str]] = {
    "link_sets": {
        "repeated-code": "repeated_codes > 0",
        "no-self-link": "self_links = 0",
        "no-x-default": "default_links = 0",
        "single-link": "links = 1",
    },
    "pages": {
        "page-links": "len(hreflang_hashes) > 0",
        "other-canonical": "NOT canonical_is_self",
        "not-indexable": "NOT is_indexable",
        "maybe-not-indexable": "is_indexable IS NOT TRUE",
        "page-text": f"words >= {SHELL_WORDS} AND content_hash IS NOT NULL",
        "page-lastmod": "lastmod_at IS NOT NULL",
        "several-canonicals": _SEVERAL_CANONICALS,
        "relative-canonical": _RELATIVE_CANONICAL,
    },
    "crawled": {
        "other-canonical-unlisted": "NOT canonical_is_self",
        "several-canonicals-unlisted": _SEVERAL_CANONICALS,
        "relative-canonical-unlisted": _RELATIVE_CANONICAL,
    },
    "robots_files": {
        "without-sitemap-line": "sitemaps = 0",
        "robots-unreachable": "availability = 'unreachable'",
    },
}
"""SQL predicates that are true for a row with the trait, by table and trait."""

_AS_VALUES = ("kind", "error_kind", "compression")
"""Columns of documents whose values are traits."""

_XML_KINDS = ("urlset", "sitemapindex", "rss", "atom")

_EXTENSIONS = {
    "/schemas/sitemap-image/": "images",
    "/schemas/sitemap-video/": "videos",
    "/schemas/sitemap-news/": "news",
    "w3.org/1999/xhtml": "alternates",
}
"""Columns that count the elements of a namespace, by part of its name."""

_OBSOLETE = ("mobile", "geo", "code", "pagemap")
"""Parts of obsolete namespace names."""


class _Document:
    """The row of a document, which may lack columns, and the limits of the run."""

    def __init__(self, row: Mapping[str, Any], limits: Mapping[str, Any]) -> None:
        self._row = row
        self.limits = limits

    def value(self, name: str) -> Any:
        return self._row.get(name)

    def text(self, name: str) -> str:
        return str(self._row.get(name) or "")

    def number(self, name: str) -> float:
        number: float = self._row.get(name) or 0
        return number

    def texts(self, name: str) -> tuple[str, ...]:
        return tuple(self._row.get(name) or ())

    def instant(self, name: str) -> datetime | None:
        at: datetime | int | None = self._row.get(name)
        if isinstance(at, int):
            return EPOCH + timedelta(microseconds=at)
        return None if at is None else _utc(at)

    def is_before(self, name: str, at: datetime) -> bool:
        instant = self.instant(name)
        return instant is not None and instant < _utc(at)

    def is_after(self, name: str, at: datetime) -> bool:
        instant = self.instant(name)
        return instant is not None and instant > _utc(at)


def _utc(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _is_on_other_site(document: _Document) -> bool:
    sites = document.texts("sites")
    if len(sites) != 1:
        return len(sites) > 1
    scheme, _, host = sites[0].partition("://")
    own = document.text("final_url").partition(":")[0]
    return document.value("host") not in (None, host) or own in {"http", "https"} - {scheme}


def _is_on_placeholder(document: _Document) -> bool:
    sites = document.texts("sites")
    return len(sites) == 1 and is_placeholder(
        sites[0].partition("://")[2], also_reserved=document.value("host") is not None
    )


def _has_mixed_schemes(document: _Document) -> bool:
    sites = document.texts("sites")
    # The others are not listed.
    return len(sites) >= 100 or len({site.partition(":")[0] for site in sites}) > 1


def _has_unused_namespace(document: _Document) -> bool:
    names = " ".join(document.texts("namespaces"))
    return any(part in names and not document.number(count) for part, count in _EXTENSIONS.items()) or any(
        part in names for part in _OBSOLETE
    )


def _is_near_limit(document: _Document) -> bool:
    share = min(document.limits["near_limit"], 1)
    return any(document.number(name) >= share * document.limits[f"max_{name}"] for name in ("entries", "bytes"))


def _has_equal_lastmods(document: _Document) -> bool:
    oldest = document.instant("lastmod_oldest")
    return (
        oldest is not None
        and document.number("entries") - document.number("lastmod_missing") >= 10
        and document.is_before("lastmod_newest", oldest + timedelta(seconds=1))
    )


DOCUMENT_TRAITS: Mapping[str, Callable[[_Document], bool]] = {
    # Its address and response.
    "fetched": lambda document: document.value("host") is not None,
    "not-from-robots": lambda document: (
        document.value("kind") in SITEMAP_KINDS
        and document.value("parent_id") is None
        and document.value("found_by") != "robots"
    ),
    "redirected": lambda document: len(document.texts("redirects")) > 0,
    "http-problem": lambda document: len(document.texts("http_problems")) > 0,
    "in-folder": lambda document: document.value("host") is not None and document.text("site_path").count("/") != 1,
    "misnamed": lambda document: (
        (document.value("compression") == "gzip") != document.text("site_path").endswith(".gz")
    ),
    # Its text and markup.
    "other-kind": lambda document: document.text("kind") not in ("", "robots", *SITEMAP_KINDS),
    "byte-order-mark": lambda document: document.value("has_bom") is True,
    "not-utf-8": lambda document: document.text("encoding").lower() not in ("", "utf-8"),
    "no-declaration": lambda document: (
        document.value("has_declaration") is False and document.value("kind") in _XML_KINDS
    ),
    "no-declared-encoding": lambda document: (
        document.value("has_declaration") is True and document.value("declared_encoding") is None
    ),
    "stylesheet": lambda document: document.value("stylesheet") is not None,
    "unused-namespace": _has_unused_namespace,
    "foreign-elements": lambda document: len(document.texts("foreign_namespaces")) > 0,
    # Its entries and their URLs.
    "no-entries": lambda document: document.value("entries") == 0 and document.value("kind") in SITEMAP_KINDS,
    "one-entry": lambda document: document.value("entries") == 1,
    "many-entries": lambda document: document.number("entries") >= 20,
    "near-limit": _is_near_limit,
    "long-loc": lambda document: document.number("loc_longest") >= document.limits["max_url_length"],
    "repeated-loc": lambda document: document.value("loc_repeats") != 0 and document.value("kind") != "robots",
    "no-home-page": lambda document: (
        document.value("kind") in PAGE_LIST_KINDS and not (document.value("traits") or 0) & TRAIT_BITS["home-page"]
    ),
    "mixed-slashes": lambda document: 0 < document.number("loc_slashes") < document.number("entries"),
    "often-mixed-slashes": lambda document: (
        min(document.number("loc_slashes"), document.number("entries") - document.number("loc_slashes")) >= 5
    ),
    "mixed-schemes": _has_mixed_schemes,
    "other-site": _is_on_other_site,
    "placeholder-host": _is_on_placeholder,
    # Their dates and hints.
    "some-lastmod-missing": lambda document: 0 < document.number("lastmod_missing") < document.number("entries"),
    "mixed-lastmods": lambda document: min(document.number("lastmod_days"), document.number("lastmod_times")) >= 5,
    "equal-lastmods": _has_equal_lastmods,
    "early-lastmod": lambda document: document.is_before("lastmod_oldest", datetime(1990, 1, 1, tzinfo=UTC)),
    "old-lastmods": lambda document: document.is_before("lastmod_newest", document.limits["now"] - timedelta(days=365)),
    "lastmods-of-now": lambda document: document.is_after(
        "lastmod_oldest", document.limits["now"] - timedelta(minutes=10)
    ),
    "future-lastmod": lambda document: document.is_after("lastmod_newest", document.limits["now"] + timedelta(days=1)),
    "hints": lambda document: document.number("hints") > 0,
    "equal-priorities": lambda document: (
        document.number("priorities") >= 10 and document.value("priority_lowest") == document.value("priority_highest")
    ),
}
"""Functions that return whether a document has a trait, by trait."""


def traits_of(
    documents: Iterable[Mapping[str, Any]], parameters: Mapping[str, object], needed: AbstractSet[str]
) -> set[str]:
    """Return the traits of some documents.

    Args:
        documents: Rows of `documents`.
        parameters: The limits of the run, and `now`.
        needed: The traits to look for; the result may contain others.
    """
    limits = {**DEFAULT_LIMITS, "now": EPOCH, **parameters}
    predicates = {name: has for name, has in DOCUMENT_TRAITS.items() if name in needed}
    traits: set[str] = set()
    bits = 0
    for row in documents:
        bits |= row.get("traits") or 0
        traits |= {row[name] for name in _AS_VALUES if row.get(name)}
        if (status := row.get("http_status")) is not None:
            traits |= {f"http-{status}", f"http-{status // 100}xx"}
        document = _Document(row, limits)
        for name in [name for name, has in predicates.items() if has(document)]:
            # One document with the trait is enough.
            traits.add(name)
            del predicates[name]
    return traits | {name for name, bit in TRAIT_BITS.items() if bits & bit}
