"""Front matter: metadata at the start of a Markdown file, in YAML, TOML, or JSON."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from urlset.files.structured import decode_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES = 64 * 1024
"""Maximum length of front matter."""

MAX_DEPTH = 100
"""Maximum nesting of mappings and lists in YAML."""

MAX_NODES = 100_000
"""Maximum mappings, lists, and values in YAML, with what aliases repeat."""

UPDATED = (
    "lastmod", "updated", "last_modified_at", "lastModified", "last_modified", "modified", "last_update", "lastUpdated",
)  # fmt: skip
"""Keys for the date of the last change: of Hugo, Zola and Hexo, Jekyll, Astro, others, Docusaurus, VitePress."""

FRONT_MATTER = "front matter: "
"""Prefix of a key in the name of the place of a date."""

PUBLISHED_FROM = ("publishDate", "published_at", "scheduled", "pubDate", "published", "date")
"""Keys for the date of publication, the most specific first. Generators leave out what is in the future."""

EXPIRES = ("expiryDate", "expires", "unpublishDate", "unavailable_after")
"""Keys for the date from which a page is left out."""

UNWANTED = (
    "draft", "isDraft", "unlisted", "headless", "sitemap_exclude", "exclude_from_sitemap",
    "eleventyExcludeFromCollections",
)  # fmt: skip
"""Keys that are true for a page that is not listed: of Hugo and others, Docusaurus, Hugo, Jekyll, Eleventy."""

LISTING_KEYS = ("published", "publish", "in_sitemap", "show_in_sitemap")
"""Keys that are false for such a page."""

STATES = frozenset({"draft", "hidden", "private", "unlisted", "pending", "scheduled"})
"""Values of `status` for such a page, as in Pelican."""

NOINDEX = ("noindex", "no_index", "robotsNoIndex")
"""Keys that are true for a page with noindex, also in `seo`."""

_END = {
    "---": re.compile(r"^(?:---|\.\.\.)[ \t\r]*$", re.MULTILINE),
    "+++": re.compile(r"^\+\+\+[ \t\r]*$", re.MULTILINE),
}

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})


class FrontMatterError(ValueError):
    """Front matter is not in the format that its first line indicates; the text says where and why."""


def parse(text: str) -> dict[str, object]:
    r"""Return the front matter of a text; empty if it has none.

    Raises:
        FrontMatterError: It is invalid.

    Example:
        >>> parse("---\ntitle: About us\ndraft: true\nsitemap:\n  priority: 0.8\n---\nText")
        {'title': 'About us', 'draft': True, 'sitemap': {'priority': '0.8'}}
    """
    text = text.removeprefix("\ufeff")
    parts = split(text)
    if parts.mark == "---":
        return _yaml(parts.front)
    if parts.mark == "+++":
        try:
            return decode_toml(parts.front)
        except ValueError as error:
            raise FrontMatterError(str(error)) from None
    if text.startswith("{"):
        try:
            value, _ = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            # A text may begin with a brace.
            return {}
        return value if isinstance(value, dict) else {}
    return {}


class Parts(NamedTuple):
    """A text with front matter between two marks, in YAML or TOML.

    Attributes:
        mark: `---` or `+++`; empty without front matter, so that all is body.
    """

    mark: str
    front: str
    body: str


def split(text: str) -> Parts:
    r"""Separate the front matter of a text from what follows it. JSON has no marks, and stays in the body.

    Example:
        >>> split("+++\ntitle = 'About us'\n+++\nText")
        Parts(mark='+++', front="title = 'About us'\n", body='\nText')
    """
    text = text.removeprefix("\ufeff")
    mark = text[:3]
    first = text.find("\n")
    if mark not in _END or first < 0 or text[:first].strip() != mark:
        return Parts("", "", text)
    end = _END[mark].search(text, first + 1)
    if end is None:
        return Parts("", "", text)
    return Parts(mark, text[first + 1 : end.start()], text[end.end() :])


def _yaml(text: str) -> dict[str, object]:
    """Parse a YAML mapping, in which plain values other than true, false, and null stay strings."""
    import yaml

    try:
        _check_size(text)
        front = yaml.load(text, Loader=_loader())
    except FrontMatterError:
        raise
    except (yaml.YAMLError, ValueError) as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        # The line of `---` is the first.
        where = "" if mark is None else f"line {mark.line + 2}: "
        raise FrontMatterError(f"{where}{problem or str(error).splitlines()[0]}") from None
    return front if isinstance(front, dict) else {}


def _check_size(text: str) -> None:
    """Check what PyYAML does not limit: how deeply mappings and lists are nested, and how much aliases repeat."""
    import yaml

    sizes: dict[str, int] = {}
    open_sizes, open_anchors = [0], [""]
    for event in yaml.parse(text, Loader=_loader()):
        line = event.start_mark.line + 2
        anchor, size = getattr(event, "anchor", None) or "", 0
        if isinstance(event, yaml.CollectionStartEvent):
            open_sizes.append(1)
            open_anchors.append(anchor)
            if len(open_sizes) > MAX_DEPTH + 1:
                raise FrontMatterError(f"line {line}: nested more than {MAX_DEPTH} levels deep")
        elif isinstance(event, yaml.AliasEvent):
            if anchor in open_anchors:
                raise FrontMatterError(f"line {line}: the alias {anchor[:40]} refers to itself")
            size = sizes.get(anchor, 1)
        elif isinstance(event, yaml.ScalarEvent):
            size = sizes[anchor] = 1
        elif isinstance(event, yaml.CollectionEndEvent):
            size = sizes[open_anchors.pop()] = open_sizes.pop()
        open_sizes[-1] += size
        if open_sizes[-1] > MAX_NODES:
            raise FrontMatterError(f"line {line}: more than {MAX_NODES:,} values, including those that aliases repeat")


@cache
def _loader() -> type[object]:
    """A loader that only creates mappings, lists, and strings: no numbers, and no dates, which lose their zone."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    tags = {f"tag:yaml.org,2002:{name}" for name in ("bool", "null", "merge")}
    resolvers = {
        first: [(tag, pattern) for tag, pattern in patterns if tag in tags]
        for first, patterns in base.yaml_implicit_resolvers.items()
    }
    return type("FrontMatterLoader", (base,), {"yaml_implicit_resolvers": resolvers})


def values_by_key(front: Mapping[str, object]) -> dict[str, tuple[str, object]]:
    """Return the keys and values by key in one spelling: Hugo ignores the case of keys, and others use `_` or `-`.

    Example:
        >>> values_by_key({"publish_date": "2026-01-01"})
        {'publishdate': ('publish_date', '2026-01-01')}
    """
    return {normalize_key(key): (str(key), value) for key, value in front.items()}


@lru_cache(maxsize=10_000, typed=True)
def normalize_key(key: object) -> str:
    """Return what spellings of a key share. Most files have the same keys."""
    return str(key).replace("_", "").replace("-", "").lower()


def flag(front: Mapping[str, object], key: str) -> bool | None:
    """Return whether a key is true; None if it is missing or neither true nor false."""
    _, value = values_by_key(front).get(normalize_key(key), ("", None))
    if isinstance(value, str) and value.lower() in _TRUE | _FALSE:
        return value.lower() in _TRUE
    return value if isinstance(value, bool) else None


def dates(front: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the keys with modification dates and their values, in order of preference."""
    dated = []
    for key in UPDATED:
        value = front.get(key)
        if isinstance(value, dict):
            # Docusaurus: last_update: { date: 2025-01-02 }
            value = value.get("date")
        if isinstance(value, datetime | date):
            dated.append((f"{FRONT_MATTER}{key}", value.isoformat()))
        elif isinstance(value, str) and value:
            dated.append((f"{FRONT_MATTER}{key}", value))
    return dated


def instant(value: object) -> datetime | None:
    """Return a date in front matter as an instant; a day is midnight UTC, and a time without a zone is UTC."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
