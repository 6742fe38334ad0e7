"""Front matter: what a Markdown file says of its page before its text, in YAML, TOML or JSON.

Of YAML only what front matter is made of is read: keys with a plain or quoted value, and tables of such keys below a
key. Anything else (lists, anchors, texts of several lines) is passed over, for none of it concerns a sitemap.
"""

from __future__ import annotations

import json
import re
import tomllib
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES = 64 * 1024
"""Front matter that is longer is none."""

UPDATED = (
    "lastmod", "updated", "last_modified_at", "lastModified", "last_modified", "modified", "last_update", "lastUpdated",
)  # fmt: skip
"""Keys for the day of the last change: of Hugo, Zola and Hexo, Jekyll, Astro, others, Docusaurus, VitePress."""

FRONT_MATTER = "front matter: "
"""Stands before the key in the name of the place of a date."""

PUBLISHED_FROM = ("publishDate", "pubDate", "date")
EXPIRES = ("expiryDate", "expires")

_YAML_LINE = re.compile(r"""([ ]*)(?:"([^"]+)"|'([^']+)'|([^\s#:\-"'{\[][^:#]*?))[ ]*:(?:[ \t]+(.*))?$""")
_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off"})


def parse(text: str) -> dict[str, Any]:
    r"""The front matter of a text; empty if it has none, or none that can be read.

    Example:
        >>> parse("---\ntitle: About us\ndraft: true\nsitemap:\n  priority: 0.8\n---\nText")
        {'title': 'About us', 'draft': True, 'sitemap': {'priority': '0.8'}}
    """
    text = text.removeprefix("\ufeff")
    if text.startswith("---"):
        return _yaml(_between(text, "---"))
    if text.startswith("+++"):
        try:
            return tomllib.loads(_between(text, "+++"))
        except (ValueError, RecursionError):
            return {}
    if text.startswith("{"):
        try:
            found, _ = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}
    return {}


def _between(text: str, mark: str) -> str:
    """What stands between the first line and the next one of the same mark."""
    lines = text.splitlines()
    if lines[0].strip() != mark:
        return ""
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() == mark or (mark == "---" and line.rstrip() == "..."):
            return "\n".join(lines[1:number])
    return ""


def _yaml(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    table: dict[str, Any] | None = None
    for line in text.splitlines():
        match = _YAML_LINE.match(line)
        if match is None:
            continue
        indent, value = len(match[1]), (match[5] or "").strip()
        key = next(name for name in match.groups()[1:4] if name is not None).strip()
        if indent == 0:
            table = None
            if not value or value.startswith("#"):
                table = found[key] = {}
            elif value.startswith("{"):
                found[key] = _flow(value)
            else:
                found[key] = _scalar(value)
        elif table is not None and value:
            table.setdefault(key, _scalar(value))
    return {key: value for key, value in found.items() if value != {}}


def _flow(value: str) -> dict[str, Any]:
    """A table on one line: `{ priority: 0.8, exclude: true }`."""
    found = {}
    for piece in value.strip("{} \t").split(","):
        key, colon, inner = piece.partition(":")
        if colon and inner.strip():
            found[key.strip().strip("\"'")] = _scalar(inner.strip())
    return found


def _scalar(value: str) -> str | bool | None:
    if value[0] in "\"'" and (end := value.find(value[0], 1)) > 0:
        return value[1:end]
    value = re.split(r"[ \t]+#", value, maxsplit=1)[0].strip()
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    return None if value in ("", "~", "null") else value


def flag(front: Mapping[str, Any], key: str) -> bool | None:
    """Whether a key is true; None if it is not there or neither true nor false."""
    value = front.get(key)
    if isinstance(value, str) and value.lower() in _TRUE | _FALSE:
        return value.lower() in _TRUE
    return value if isinstance(value, bool) else None


def dates(front: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What says when the page was last changed: the keys and their values, in the order in which they count."""
    found = []
    for key in UPDATED:
        value = front.get(key)
        if isinstance(value, dict):
            # Docusaurus: last_update: { date: 2025-01-02 }
            value = value.get("date")
        if isinstance(value, datetime | date):
            found.append((f"{FRONT_MATTER}{key}", value.isoformat()))
        elif isinstance(value, str) and value:
            found.append((f"{FRONT_MATTER}{key}", value))
    return found


def instant(value: object) -> datetime | None:
    """A date of front matter as an instant; a day is its beginning in UTC, a time without zone is taken for UTC."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
