"""Redirects, rewrites, and headers of hosts.

A rule that is not applied stays in its place: a path without a file that it could answer has no known response.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from heapq import merge
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from urlset.hosting.patterns import ANY, Pattern, UnsupportedError
from urlset.net.status import REDIRECTS
from urlset.text.sizes import MiB, quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from urlset.hosting.rewriting import Rewriter

T = TypeVar("T")

MAX_OF_HOST_FILE = 4 * MiB
"""Maximum bytes of a configuration file of a host."""

MAX_ROUTES = 20_000
"""Maximum redirects, rewrites, and headers of a directory; Netlify recommends wildcards from 10,000 redirects on."""

MAX_COST = 128 * MiB
"""Maximum bytes of their compiled patterns, about."""

FUNCTION = "it runs a function"

TOO_MANY = "there are too many"

Status = Annotated[int, msgspec.Meta(ge=100, le=599)]
"""A status code in a configuration file."""

_INSERTED = re.compile(r":(\w+)[*+?]?|\$([1-9])")
_AUTHORITY = re.compile(r"https?://[^/?#]*", re.IGNORECASE)


class NotServedError(ValueError):
    """A configuration file cannot be used. The text says why."""


def sentence_of(error: Exception) -> str:
    """Return the text of an error of msgspec as a part of a sentence."""
    text = str(error)
    return text[:1].lower() + text[1:]


def status_of(value: object) -> int:
    """Return a status code.

    Raises:
        UnsupportedError: The value is not a status code.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 100 <= value <= 599:
        raise UnsupportedError("its status code is not a number from 100 to 599")
    return value


class Route(Struct, frozen=True):
    """A redirect, a rewrite, or a status code for the paths of a pattern.

    Attributes:
        target: Where they lead: a path or a URL, with `:name` for what wildcards stand for; empty for none.
        status: A status code of redirects; 200 for a rewrite; others for an error with the target as its page.
        shadows: Whether it applies even if there is a file.
        any_slash: Whether a trailing slash of the path makes no difference.
        why: Why it is not applied, so that the response is unknown; empty if it is.
        place: Where it is, such as `vercel.json:3`.
        source: The pattern as written; empty if the file does not state one.
        is_function: Whether it runs a function before files are looked for, which usually passes on requests for files.
        setting: The setting from which it follows, such as `cleanUrls`; empty if the file states it.
    """

    pattern: Pattern
    target: str
    status: int
    shadows: bool = True
    any_slash: bool = False
    why: str = ""
    place: str = ""
    source: str = ""
    is_function: bool = False
    setting: str = ""

    @property
    def name(self) -> str:
        """What to call it: its place, with its setting if it has one."""
        return f"{self.setting} ({self.place})" if self.setting else self.place

    def leads_to(self, path: str) -> str | None:
        """Return where a path leads; None if the route does not apply to it."""
        found = self.pattern.match(path)
        if found is None and self.any_slash and path != "/":
            found = self.pattern.match(other_slash(path))
        if found is None:
            return None
        if not found:
            return self.target

        def value(place: re.Match[str]) -> str:
            name = place[1] or place[2]
            return found.get(name, found.get(f"_{name}", place[0]))

        return _INSERTED.sub(value, self.target)

    def could_answer(self, target: str, path: str) -> bool:
        """Return whether a path without a file could have a page by this route, which is not applied.

        An error is not a page, and a redirect that changes only scheme or host leads to the same missing file.
        """
        return self.status < 400 and not (self.status in REDIRECTS and changes_only_host(target, path))


def other_slash(path: str) -> str:
    return path[:-1] if path.endswith("/") else f"{path}/"


def changes_only_host(target: str, path: str) -> bool:
    """Return whether a redirect of a path leads to the same path of any host."""
    found = _AUTHORITY.match(target)
    return found is not None and (target[found.end() :].partition("?")[0].partition("#")[0] or "/") == path


class RouteTable:
    """Routes in order, with those without wildcards found by their path."""

    def __init__(self, routes: list[Route]) -> None:
        self._routes = routes
        self._with_wildcards: list[int] = []
        self._by_path: defaultdict[str, list[int]] = defaultdict(list)
        for number, route in enumerate(routes):
            if route.pattern.regular is not None:
                self._with_wildcards.append(number)
                continue
            self._by_path[route.pattern.literal].append(number)
            if route.any_slash:
                self._by_path[other_slash(route.pattern.literal)].append(number)

    def of(self, path: str) -> Iterator[tuple[Route, str]]:
        """Yield the routes that apply to a path, and where they lead."""
        for number in merge(self._by_path.get(path, ()), self._with_wildcards):
            route = self._routes[number]
            if (target := route.leads_to(path)) is not None:
                yield route, target


class HeaderRule(Struct, frozen=True):
    """Headers for the responses to the paths of a pattern.

    Attributes:
        headers: Lower-case names and values; a value of None removes the header.
        replaces: Whether they replace those of earlier rules instead of being added.
    """

    pattern: Pattern
    headers: tuple[tuple[str, str | None], ...]
    replaces: bool = False


@dataclass
class HostRules:
    """What the files of a host add.

    Attributes:
        routes: Redirects and rewrites, in order.
        functions: Functions that run before them.
        headers: Headers, in order.
        rewriter: The rewrite rules of Apache; None without any.
        error_page: The error page that they set, as a path; None to keep that of the host.
        fallback: The file for URLs without a file, unless one of `not_fallback` matches; None for none.
        not_fallback: Paths to which it does not apply.
        types: Content types by extension, with the dot.
        hidden: Files that are not published.
        changes: Fields of `Host` that they set.
        settings: The names of the settings from which these fields follow.
        files: The files that were read, by their names.
    """

    routes: list[Route] = field(default_factory=list)
    functions: list[Route] = field(default_factory=list)
    headers: list[HeaderRule] = field(default_factory=list)
    rewriter: Rewriter | None = None
    error_page: str | None = None
    fallback: str | None = None
    not_fallback: list[Pattern] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    hidden: list[Pattern] = field(default_factory=list)
    changes: dict[str, Any] = field(default_factory=dict)
    settings: list[str] = field(default_factory=list)
    files: dict[str, Path] = field(default_factory=dict)
    _cost: int = 0
    _is_full: bool = False
    _skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    _examples: dict[tuple[str, str], str] = field(default_factory=dict)

    @cached_property
    def table(self) -> RouteTable:
        """The routes, once all files are read."""
        return RouteTable(self.functions + self.routes)

    def skip(self, file: str, where: str, why: str) -> None:
        """Record a line that is not applied, and that answers no request: where it is, such as `line 3`, and why."""
        key = (file, why)
        self._skipped[key] += 1
        self._examples.setdefault(key, where)

    @property
    def is_full(self) -> bool:
        """Whether no more rules are applied, so that making their patterns would only take time."""
        count = len(self.routes) + len(self.functions) + len(self.headers)
        return count >= MAX_ROUTES or self._cost > MAX_COST

    def until_full(
        self, file: str, places: Iterable[tuple[str, T]], *, answers: bool = True
    ) -> Iterator[tuple[str, T]]:
        """Yield rules with their places until there are too many; the others are recorded.

        Args:
            answers: Whether they could answer paths without a file.
        """
        for where, item in places:
            if not self.is_full:
                yield where, item
                continue
            self.skip(file, where, TOO_MANY)
            if answers:
                self._doubt_all(file, where)

    def spend(self, pattern: Pattern) -> None:
        """Count the cost of a pattern that is not that of a route or a header."""
        self._cost += pattern.cost

    def skip_file(self, file: str, why: str) -> None:
        """Record a file that is not applied: its rules could answer any path."""
        self.skip(file, "its start", why)
        self.doubt(ANY, file, "its start", why)

    def skip_route(self, route: Route, file: str, where: str, why: str) -> None:
        """Record a route that is not applied, but could answer a path without a file."""
        self.skip(file, where, why)
        if not self._takes(route.pattern):
            self._doubt_all(file, where)
        else:
            self.routes.append(replace(route, why=why, place=place_of(file, where)))

    def skip_function(self, pattern: Pattern, file: str, where: str) -> None:
        """Record a function that runs before redirects and files."""
        self.skip(file, where, FUNCTION)
        if not self._takes(pattern):
            self._doubt_all(file, where)
        else:
            place = place_of(file, where)
            self.functions.append(Route(pattern, "", 200, why=FUNCTION, place=place, is_function=True))

    def add(self, rule: Route | HeaderRule, file: str, where: str) -> None:
        """Add a rule; one whose pattern may match more than the host does is not applied."""
        if not self._takes(rule.pattern):
            self.skip(file, where, TOO_MANY)
            if isinstance(rule, Route):
                self._doubt_all(file, where)
        elif isinstance(rule, HeaderRule):
            if rule.pattern.why:
                self.skip(file, where, rule.pattern.why)
                return
            clean = tuple((name, value and _printable(value)) for name, value in rule.headers)
            self.headers.append(replace(rule, headers=clean))
        elif rule.pattern.why:
            self.skip(file, where, rule.pattern.why)
            self.routes.append(replace(rule, why=rule.pattern.why, place=place_of(file, where)))
        else:
            self.routes.append(replace(rule, place=place_of(file, where)))

    def _takes(self, pattern: Pattern) -> bool:
        is_full = self.is_full
        self._cost += pattern.cost
        return not is_full and self._cost <= MAX_COST

    def _doubt_all(self, file: str, where: str) -> None:
        """Record, once, that rules beyond the limit could answer any path."""
        if not self._is_full:
            self._is_full = True
            self.doubt(ANY, file, where, TOO_MANY)

    def doubt(self, pattern: Pattern, file: str, where: str, why: str) -> None:
        """Record that something that is not applied could answer paths without a file."""
        self.routes.append(Route(pattern, "", 200, shadows=False, why=why, place=place_of(file, where)))

    def notes(self) -> Iterator[str]:
        """Yield what was not applied, counted and with the first place of each kind."""
        for (file, why), count in self._skipped.items():
            more = f", the first at {self._examples[file, why]}" if count > 1 else f" at {self._examples[file, why]}"
            yield f"{file}: {quantity(count, 'rule')} not applied{more}: {why}"


def place_of(file: str, where: str) -> str:
    """Return the place of a rule as editors read it.

    Example:
        >>> place_of("vercel.json", "line 3"), place_of("netlify.toml", "redirect 2")
        ('vercel.json:3', 'netlify.toml (redirect 2)')
    """
    kind, _, number = where.partition(" ")
    return f"{file}:{number}" if kind == "line" else file if where == "its start" else f"{file} ({where})"


def _printable(text: str) -> str:
    """Return the value of a header as a server could send it."""
    return "".join(character for character in text if character.isprintable())
