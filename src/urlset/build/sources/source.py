"""Code that sources share: base URLs, omissions, robots.txt, and their context."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from msgspec.structs import asdict

from urlset.build.refusal_log import MAX_EXAMPLES
from urlset.errors import OutputError, UsageError, reason_of
from urlset.model.build import LeftOutPage, Reason
from urlset.options.sources import LastmodSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from urlset.build.options import BaseUrl
    from urlset.build.sources.lastmod_resolver import LastmodResolver
    from urlset.model.source_mapping import SourceMapping
    from urlset.options.sources import HtmlFolder, SourceSpec
    from urlset.options.verbs import ReadOptions
    from urlset.text.progress import Progress
    from urlset.web.robots_txt import Robots


class OmissionList:
    """The list of all omissions, in JSON Lines format. All methods raise OutputError if it cannot be written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._convert_errors():
            self._file: IO[str] = path.open("w", encoding="utf-8")

    def add(self, page: LeftOutPage) -> None:
        with self._convert_errors():
            self._file.write(json.dumps(asdict(page), ensure_ascii=False) + "\n")

    def close(self) -> None:
        with self._convert_errors():
            self._file.close()

    @contextmanager
    def _convert_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError(f"{self._path}: cannot be written: {reason_of(error)}") from error


@dataclass(slots=True)
class SiteLog:
    """Counts the pages left out of a site, and keeps the first of them.

    Attributes:
        listing: Receives all of them; None without a list.
        counts: Number of pages, by reason.
        examples: The first 1,000 pages.
        notes: Further notes, as sentences.
        mappings: Which pages have known source files, for each directory of HTML.
    """

    listing: OmissionList | None = None
    counts: Counter[str] = field(default_factory=Counter)
    examples: list[LeftOutPage] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    mappings: list[SourceMapping] = field(default_factory=list)

    def leave_out(self, what: str, reason: str, detail: str = "") -> None:
        page = LeftOutPage(what, reason, detail)
        self.counts[reason] += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(page)
        if self.listing is not None:
            self.listing.add(page)

    def note(self, sentence: str) -> None:
        """Add a note, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)


@dataclass(frozen=True, slots=True)
class RobotsFilter:
    """Checks URLs against robots.txt.

    Attributes:
        robots: The robots.txt; None to allow everything.
        agent: The crawler to check for.
        name: The file, for messages.
    """

    robots: Robots | None = None
    agent: str = "*"
    name: str = "robots.txt"

    @property
    def forbids_anything(self) -> bool:
        return self.robots is not None and any(
            not rule.allow and rule.pattern for group in self.robots.groups for rule in group.rules
        )

    def forbidding_line(self, url: str) -> int | None:
        """Return the line that blocks a URL; None if it is allowed, on another origin, or not a URL."""
        if self.robots is None:
            return None
        # In the form that the writer outputs.
        url = url.replace("&amp;", "&")
        try:
            if not self.robots.covers(url):
                return None
            verdict = self.robots.verdict(self.agent, url)
        except UsageError:
            return None
        return None if verdict.allowed else verdict.line or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceContext:
    """The context of a source.

    Attributes:
        read: How to read and fetch existing sitemaps.
        order: The sources of lastmod in order of preference, unless the source has its own.
        content: Directory of the files that HTML pages are generated from; None to search for it.
        bare_paths: Whether paths without a leading slash are allowed.
        files: Takes the file and the source of each page of a directory of HTML, by URL; None if nobody needs them.
    """

    base: BaseUrl
    robots_filter: RobotsFilter
    log: SiteLog
    now: datetime
    read: ReadOptions
    order: tuple[LastmodSource, ...]
    resolver: LastmodResolver
    content: Path | None = None
    bare_paths: bool = False
    progress: Progress | None = None
    files: dict[str, tuple[str, HtmlFolder]] | None = None

    def place(self, spec: SourceSpec) -> str:
        """Return the base URL of the pages of a source, with a trailing slash."""
        return self.base.text + spec.path_prefix.lstrip("/")

    def lastmod_sources(self, spec: SourceSpec) -> tuple[LastmodSource, ...]:
        """Return the sources of lastmod for a source, in order of preference."""
        return self.order if spec.lastmod_from is None else spec.lastmod_from

    def lets_pass(self, url: str) -> bool:
        """Return whether robots.txt allows a URL; if not, record it."""
        line = self.robots_filter.forbidding_line(url)
        if line is None:
            return True
        self.log.leave_out(url, Reason.ROBOTS, f"{self.robots_filter.name}, line {line}")
        return False


def absolute(place: str, url: str, *, bare_paths: bool = False) -> str:
    """Return a URL in a list as an absolute URL; a path is relative to the base URL of the source.

    Other values are unchanged, and the writer rejects them if they are invalid.

    Args:
        place: The base URL, with a trailing slash.
        bare_paths: Whether paths without a leading slash are allowed.
    """
    if UNSET.match(url):
        return url
    if url.startswith("//"):
        return place.partition("//")[0] + url
    if url.startswith("/"):
        return place + url.lstrip("/")
    if url.startswith("./"):
        return place + url[2:]
    if not bare_paths or not url or SCHEME.match(url) or (HOST.match(url) and not PAGE.match(url)):
        return url
    return place + url


def entry_of_file(url: str, name: str) -> dict[str, Any]:
    """Return the entry of a page that is a file. In its path, a word such as `null` is a name and no missing value."""
    return {"loc": url, "is_file": True} if any(word in name for word in UNSET_WORDS) else {"loc": url}


UNSET_WORDS = ("undefined", "null", "NaN", "None")
"""Words that stand for a missing value in URLs."""

UNSET = re.compile(
    r"(?i)^(undefined|\[object |[$#]?\{[^{}/]*\}([/?#]|$)|%(\([^)]*\))?[sdv]([/?#]|$)"
    r"|(none|null|nan|nil|false|\((none|null|undefined)\)|<(nil|null|none|undefined|no value)>"
    r"|n/a|#n/a|#(ref|value)!|#name\?)([/?#:]|http|$))"
)
"""Beginning of a URL whose base URL is a variable without a value. The core has the same list, and refuses it."""

SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")
"""Beginning of a URL with a scheme, or of a host with a port; also valid as a DuckDB regular expression."""

HOST = re.compile(
    r"(?i)^(localhost|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+|[^/?#:@\s]*\.([^/?#:@\s.0-9_-]{2,}|xn--[^/?#:@\s.]+))([:/?#]|$)"
)
"""Beginning of a host, or of a file name."""

PAGE = re.compile(r"(?i)^[^/?#:@\s]*\.(html|htm|xhtml|shtml|php|asp|aspx|jsp|jspx|cfm|pdf|txt|xml|cgi)([/?#]|$)")
"""Beginning of a page name: no top-level domain has the name of these extensions. The core has the same list."""


def default_filler(spec: SourceSpec) -> Callable[[dict[str, object]], dict[str, object]]:
    """Add the defaults of a source to missing fields of an entry."""
    defaults = dict(spec.defaults)

    def fill(entry: dict[str, object]) -> dict[str, object]:
        for key, value in defaults.items():
            if entry.get(key) is None:
                entry[key] = value
        return entry

    return fill


def entry_filler(spec: SourceSpec, context: SourceContext) -> Callable[[dict[str, object]], dict[str, object]]:
    """Remove an unwanted lastmod from an entry that has its own data, then add the defaults."""
    fill = default_filler(spec)
    is_given = LastmodSource.GIVEN in context.lastmod_sources(spec)

    def with_defaults(entry: dict[str, Any]) -> dict[str, Any]:
        if not is_given:
            entry.pop("lastmod", None)
        context.resolver.explain_given(entry.get("loc", ""), entry.get("lastmod"))
        return fill(entry)

    return with_defaults
