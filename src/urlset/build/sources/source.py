"""What sources share: the place of their pages, what is left out and why, what they are given to work with."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import IO, TYPE_CHECKING, Any

from urlset.build.ledger import MAX_EXAMPLES
from urlset.buildwords import LastmodSource
from urlset.errors import MisuseError, OutputError
from urlset.model.build import LeftOut, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from urlset.build.options import BaseUrl
    from urlset.build.sources.dating import Dating
    from urlset.buildspec import SourceSpec
    from urlset.config import Progress, ReadOptions
    from urlset.robots import Robots


class LeftOutList:
    """The list of all that is left out: a file with a line of JSON for each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._written():
            self._file: IO[str] = path.open("w", encoding="utf-8")

    def add(self, one: LeftOut) -> None:
        """Adds one.

        Raises:
            OutputError: It cannot be written.
        """
        with self._written():
            self._file.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Ends the list.

        Raises:
            OutputError: It cannot be written.
        """
        with self._written():
            self._file.close()

    @contextmanager
    def _written(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError(f"{self._path} cannot be written: {(error.strerror or str(error)).lower()}") from error


@dataclass(slots=True)
class Tally:
    """Counts what is left out of a site, and keeps the first of them.

    Attributes:
        listing: Gets all of them; None for none.
        counts: How many, by reason.
        examples: The first 1,000.
        notes: What a user should know besides, in sentences.
    """

    listing: LeftOutList | None = None
    counts: Counter[str] = field(default_factory=Counter)
    examples: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def leave_out(self, what: str, reason: str, detail: str = "") -> None:
        """Takes note of a page that is left out."""
        one = LeftOut(what, reason, detail)
        self.counts[reason] += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(one)
        if self.listing is not None:
            self.listing.add(one)

    def note(self, sentence: str) -> None:
        """Takes note of something that a user should know, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)


@dataclass(frozen=True, slots=True)
class Gate:
    """What robots.txt lets pass.

    Attributes:
        robots: The robots.txt; None for none, which lets everything pass.
        agent: The crawler that is meant.
        name: The file, for messages.
    """

    robots: Robots | None = None
    agent: str = "*"
    name: str = "robots.txt"

    @property
    def forbids_anything(self) -> bool:
        """Whether it could keep any page back."""
        return self.robots is not None and any(
            not rule.allow and rule.pattern for group in self.robots.groups for rule in group.rules
        )

    def forbidding_line(self, url: str) -> int | None:
        """The line that forbids a URL; None if it may be fetched, and for what is no URL or one of another origin."""
        if self.robots is None:
            return None
        # As the writer writes it.
        url = url.replace("&amp;", "&")
        try:
            if not self.robots.covers(url):
                return None
            verdict = self.robots.verdict(self.agent, url)
        except MisuseError:
            return None
        return None if verdict.allowed else verdict.line or 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a source is given to work with.

    Attributes:
        base: Where the sitemaps are published.
        gate: What robots.txt lets pass.
        tally: Takes note of what is left out.
        now: The present moment.
        read: How sitemaps that there are already are read and fetched.
        order: Who is asked when a page was last changed, unless its source says otherwise.
        dating: Asks them.
        bare_paths: Whether paths need not begin with a slash.
        progress: Told how far it is.
    """

    base: BaseUrl
    gate: Gate
    tally: Tally
    now: datetime
    read: ReadOptions
    order: tuple[LastmodSource, ...]
    dating: Dating
    bare_paths: bool = False
    progress: Progress | None = None

    def place(self, spec: SourceSpec) -> str:
        """The URL below which the pages of a source are, with a slash at its end."""
        return self.base.text + spec.path_prefix.lstrip("/")

    def asked(self, spec: SourceSpec) -> tuple[LastmodSource, ...]:
        """Who is asked when a page of a source was last changed, in this order."""
        return self.order if spec.lastmod_from is None else spec.lastmod_from

    def lets_pass(self, url: str) -> bool:
        """Whether a URL may be listed as far as robots.txt goes; takes note if not."""
        line = self.gate.forbidding_line(url)
        if line is None:
            return True
        self.tally.leave_out(url, Reason.ROBOTS, f"{self.gate.name}, line {line}")
        return False


def absolute(place: str, url: str, *, bare_paths: bool = False) -> str:
    """A URL as a list has it, made absolute: a path is meant below the place of the source.

    What is no path stays as it is, and the writer says what is wrong with it.

    Args:
        place: The place, with a slash at its end.
        url: The URL.
        bare_paths: Whether paths need not begin with a slash.
    """
    if url.startswith("//"):
        return place.partition("//")[0] + url
    if url.startswith("/"):
        return place + url.lstrip("/")
    if url.startswith("./"):
        return place + url[2:]
    if not bare_paths or not url or SCHEME.match(url) or (HOST.match(url) and not PAGE.match(url)):
        return url
    return place + url


SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")
"""How a URL with a scheme begins, and a host with a port; in the regular expressions of DuckDB, too."""

HOST = re.compile(
    r"(?i)^(localhost|[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+|[^/?#:@\s]*\.([^/?#:@\s.0-9_-]{2,}|xn--[^/?#:@\s.]+))([:/?#]|$)"
)
"""How a host begins, and a name of a file."""

PAGE = re.compile(r"(?i)^[^/?#:@\s]*\.(html|htm|xhtml|shtml|php|asp|aspx|jsp|jspx|cfm|pdf|txt|xml|cgi)([/?#]|$)")
"""How a name of a page begins: no top-level domain is called like these endings. The core has the same list."""


def defaulted(spec: SourceSpec) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Puts the defaults of a source into an entry, where it has nothing."""
    defaults = dict(spec.defaults)

    def fill(entry: dict[str, Any]) -> dict[str, Any]:
        for key, value in defaults.items():
            if entry.get(key) is None:
                entry[key] = value
        return entry

    return fill


def filled(spec: SourceSpec, run: Run) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """For entries that come with what they have: a lastmod that nobody asked for goes, then come the defaults."""
    fill = defaulted(spec)
    is_given = LastmodSource.GIVEN in run.asked(spec)

    def given(entry: dict[str, Any]) -> dict[str, Any]:
        if not is_given:
            entry.pop("lastmod", None)
        run.dating.given(entry.get("loc", ""), entry.get("lastmod"))
        return fill(entry)

    return given
