"""Options of the writer: how entries are checked, written, and split into files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, structs

from urlset.errors import UsageError
from urlset.options.declare import (
    EVERYWHERE,
    SETTING,
    Face,
    OptionFacts,
    OptionGroup,
    Panel,
    Text,
    option,
    option_from,
    option_group,
)

PYTHON = frozenset({Face.PYTHON})

MAX_ENTRIES = 50_000
MAX_BYTES = 52_428_800
MAX_NEWS = 1_000
"""The limits of the protocol: `core/src/limits.rs` has them with their sources."""

MAX_MOVES = 50_000
"""Maximum parts to merge in one build: as many as one index lists."""

MAX_FEED_ENTRIES = 10_000
"""Maximum number of entries of a feed. Feed readers only use the newest ones."""

DateForm = Literal["date", "local-date", "datetime"]
Gzip = Literal["none", "parts", "all"]
IndexDateForm = Literal["date", "datetime", "none"]
RefuseOrKeep = Literal["refuse", "keep"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PREFIX = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_BUILT_IN = frozenset({"xhtml", "image", "video", "news", "xml", "xmlns"})
_MAX_NAMESPACES = 28


def _facts(
    panel: Panel,
    what: str,
    example: str,
    metavar: str = "",
    *,
    more: str = "",
    default_text: str = "",
    faces: frozenset[Face] = EVERYWHERE,
    is_place: bool = False,
    rare: bool = False,
    commas: bool = False,
) -> OptionFacts:
    return OptionFacts(
        help=what,
        panel=panel,
        example=example,
        metavar=metavar,
        more=more,
        default_text=default_text,
        faces=faces,
        is_place=is_place,
        rare=rare,
        commas=commas,
    )


_output = partial(_facts, Panel.OUTPUT)
_entries = partial(_facts, Panel.ENTRIES)


@option_group
class WriteOptions(OptionGroup):
    """How entries are checked, written, and split into files."""

    TABLE: ClassVar[str] = "build"

    name: Text = option("sitemap", _output("Base name of the index, or of the only sitemap", '"sitemap"', "NAME"))
    gzip: Gzip = option("none", _output("Files to compress: none, parts (not indexes), or all", '"parts"', "WHAT"))
    gzip_level: Annotated[int, Meta(ge=1, le=9)] = option(6, _output("Compression level", "9", "N", faces=SETTING))
    lastmod: DateForm = option(
        "date",
        _output(
            "Format of lastmod: date (UTC), local-date, or datetime",
            '"datetime"',
            "FORMAT",
            more="local-date is the day in the given offset: `2025-11-14T19:30-08:00` becomes `2025-11-14`. With "
            "date, it becomes `2025-11-15`.",
        ),
    )
    index_lastmod: IndexDateForm = option(
        "datetime",
        _output(
            "Format of each part's newest lastmod in an index: datetime, date, or none",
            '"date"',
            "FORMAT",
            faces=SETTING,
        ),
    )
    index: Literal["auto", "always"] = option(
        "auto",
        _output("When to write an index: auto (for several parts), or always", '"always"', "WHEN", faces=SETTING),
    )
    layout: Literal["sequential", "stable"] = option(
        "sequential",
        _output(
            "How URLs are assigned to parts: sequential (in order), or stable (each URL stays in its part)",
            '"stable"',
            "LAYOUT",
            more="With stable, parts are sorted by URL, and there is always an index. New URLs go into the last part. "
            "The part of each URL is remembered in your state directory, so keep it between builds.",
        ),
    )
    max_moves: Annotated[int, Meta(ge=0, le=MAX_MOVES)] = option(
        4,
        _output(
            "Stable layout: maximum parts to merge into others in one build, if less than 70% full",
            "10",
            "N",
            faces=SETTING,
        ),
    )
    pretty: bool = option(False, _output("Indent the XML, with one element per line", "true", faces=SETTING))
    stylesheet: str | None = option(
        None, _output("XSL stylesheet that each file refers to", '"/sitemap.xsl"', "URL", faces=SETTING)
    )
    max_entries: Annotated[int, Meta(ge=1, le=MAX_ENTRIES)] = option(
        MAX_ENTRIES, _output("Maximum URLs in one file", "10_000", "N", rare=True)
    )
    max_bytes: Annotated[int, Meta(ge=1, le=MAX_BYTES)] = option(
        MAX_BYTES,
        _output("Maximum size of one file before compression", "10_000_000", "BYTES", default_text="50 MiB", rare=True),
    )
    max_news: Annotated[int, Meta(ge=1, le=MAX_NEWS)] = option(
        MAX_NEWS, _output("Maximum news records in one file", "500", "N", faces=SETTING)
    )
    feed: Path | None = option(
        None,
        structs.replace(
            _output(
                "Also write a feed of the URLs with the newest lastmod: Atom if FILE is atom.xml or ends with .atom, "
                "otherwise RSS",
                '"public/feed.atom"',
                "FILE",
                is_place=True,
                rare=True,
            ),
            is_output=True,
        ),
    )
    feed_entries: Annotated[int, Meta(ge=1, le=MAX_FEED_ENTRIES)] = option(
        100, _output("Maximum number of entries in the feed", "50", "N", faces=SETTING)
    )
    publish: Literal["rename"] = option(
        "rename",
        structs.replace(
            _output(
                "How to replace published files: rename (one by one)",
                '"rename"',
                "MODE",
                rare=True,
                more="A build that is killed between two renames is completed by the next build.",
            ),
            removed={
                "atomic": "files are renamed one by one; to switch a whole set at once, build to a new directory, and "
                "point the web server or a link to it"
            },
        ),
    )
    empty: Literal["refuse", "write", "none"] = option(
        "refuse",
        _output(
            "What to do if every entry is left out: refuse, write an empty sitemap, or write none",
            '"none"',
            "WHAT",
            more="Without any entry in the sources, refuse writes an empty sitemap.",
            rare=True,
        ),
    )
    allow_shrink: bool = option(
        False, _output("Allow replacing a published set with one of less than half its URLs", "true", rare=True)
    )
    strict: bool = option(False, _entries("Stop at the first invalid entry, and publish nothing", "true"))
    require_lastmod: bool = option(
        False,
        _entries(
            "Leave out entries without lastmod",
            "true",
            rare=True,
            more="In a build of a directory, a date does not count if it is in the future, more than a day later than "
            "`git-text` proves, later than that of the last build with the same main text, or the same for all pages.",
        ),
    )
    doubtful: RefuseOrKeep = option(
        "refuse",
        _entries(
            "What to do with doubtful values: refuse, or keep",
            '"keep"',
            "WHAT",
            more="These are URLs with a fragment, a user name, a campaign or session parameter, a sensitive parameter "
            "such as `token` (`limits.secret-parameters` and `limits.sensitive-parameters` list them), or a path that "
            "is encoded twice or has empty or dot segments; and a lastmod before 1990.",
            faces=SETTING,
        ),
    )
    duplicates: RefuseOrKeep = option(
        "refuse",
        _entries("What to do with a URL that was already written: refuse, or keep", '"keep"', "WHAT", faces=SETTING),
    )
    bad_fields: Literal["refuse", "drop"] = option(
        "drop",
        _entries(
            "What to do with an invalid optional field: drop only the field, or refuse the entry",
            '"refuse"',
            "WHAT",
            faces=SETTING,
        ),
    )
    forbidden: Literal["refuse", "strip"] = option(
        "refuse",
        _entries(
            "What to do with characters that XML does not allow: refuse the entry, or strip them",
            '"strip"',
            "WHAT",
            faces=SETTING,
        ),
    )
    hosts: tuple[Text, ...] = option(
        (),
        _entries(
            "Also allow URLs on HOST, * for any; can be repeated",
            '["shop.example.com"]',
            "HOST",
            commas=True,
            rare=True,
        ),
    )
    bare_paths: bool = option(
        False,
        _entries(
            "Treat URLs such as about/team as paths",
            "true",
            more="By default, a path starts with `/` or `./`; other URLs without a scheme are refused.",
            rare=True,
        ),
    )
    namespaces: Mapping[str, str] = option_from(
        dict,
        _entries("Custom namespaces, from prefix to URL; their fields are named `prefix:name`", "", faces=PYTHON),
    )
    sensitive_parameters: tuple[Text, ...] | None = option(
        None, _entries("Names of sensitive URL parameters; by default those of LOC022 and LOC023", "", faces=PYTHON)
    )
    refused_to: Path | None = option(
        None,
        _entries("File that every entry and field that is left out is written to, as JSON lines", "", faces=PYTHON),
    )
    now: datetime | None = option(
        None, _entries("Current time, to detect dates in the future; by default the system time", "", faces=PYTHON)
    )

    def check(self) -> None:
        if self.feed is not None and os.fspath(self.feed) == "-":
            raise UsageError("feed: cannot be written to standard output; name a file")
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                f"name: must consist of letters, digits, dots, hyphens, and underscores, not {self.name!r}"
            )
        _check_namespaces(self.namespaces)
        if self.stylesheet is not None and not (self.stylesheet.strip() and self.stylesheet.isprintable()):
            raise UsageError(f"stylesheet: must be the URL of a stylesheet, not {self.stylesheet!r}")
        if self.now is not None and self.now.tzinfo is None:
            raise UsageError("now: requires a time zone, as in datetime.now(UTC)")


def _check_namespaces(namespaces: Mapping[str, str]) -> None:
    for prefix, uri in namespaces.items():
        if not _PREFIX.fullmatch(prefix) or prefix.lower().startswith("xml") or prefix in _BUILT_IN:
            raise UsageError(f"namespaces: {prefix!r} cannot be the prefix of a custom namespace")
        if not uri.strip() or not uri.isprintable():
            raise UsageError(
                f"namespaces: the URL of {prefix!r} must not be empty or contain control characters, not {uri!r}"
            )
    if len(namespaces) > _MAX_NAMESPACES:
        raise UsageError(f"namespaces: must be at most {_MAX_NAMESPACES}, not {len(namespaces)}")
