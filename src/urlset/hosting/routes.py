"""Redirects, rewrites, and headers of hosts, and the patterns of paths to which they apply.

The files are untrusted. A pattern has at most one wildcard that matches any number of segments, so that matching takes
time in proportion to the path; other patterns, and regular expressions, are reported as not applied.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from urlset.sizes import MiB, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_OF_HOST_FILE = 4 * MiB
"""Maximum bytes of a configuration file of a host."""

MAX_ROUTES = 20_000
"""Maximum redirects, rewrites, and headers of a directory; Netlify recommends wildcards from 10,000 redirects on."""

LONGEST_PATH = 2_048
"""Maximum characters of a path to which patterns with wildcards apply."""

MAX_CAPTURES = 16
"""Maximum placeholders of a pattern."""

_PLACE = re.compile(r":([A-Za-z_]\w*)")
_INSERTED = re.compile(r":([A-Za-z_]\w*)[*+?]?|\$([1-9])")


class UnsupportedError(ValueError):
    """A rule of a host that is not applied. The text says why."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The paths that a rule applies to.

    Attributes:
        literal: The start that all of them share; without wildcards, the whole path.
        regex: What matches them; None without wildcards.
    """

    literal: str
    regex: re.Pattern[str] | None = None

    def match(self, path: str) -> Mapping[str, str] | None:
        """Return what the wildcards stand for; None if the path does not match."""
        if self.regex is None:
            return {} if path == self.literal else None
        if not path.startswith(self.literal) or len(path) > LONGEST_PATH:
            return None
        found = self.regex.fullmatch(path)
        return None if found is None else {name: value or "" for name, value in found.groupdict().items()}


class PatternBuilder:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._literal: list[str] = []
        self._is_literal = True
        self._splats = 0
        self._in_segment = 0
        self._captures = 0

    def text(self, text: str) -> None:
        """Add text that matches itself."""
        if "/" in text:
            self._in_segment = 0
        self._parts.append(re.escape(text))
        if self._is_literal:
            self._literal.append(text)

    def segment(self, name: str | None = None, *, least: int = 1) -> None:
        """Add a wildcard for characters of one segment."""
        self._wildcard(name)
        self._in_segment += 1
        if self._in_segment > 1:
            raise UnsupportedError("several wildcards in one segment of a path")
        self._parts.append(self._group(name, "[^/]*" if least == 0 else "[^/]+"))

    def splat(self, name: str | None = None, *, slash: bool = False) -> None:
        """Add a wildcard for any number of segments; with `slash`, for none or some that end with a slash."""
        self._wildcard(name)
        self._splats += 1
        if self._splats > 1:
            raise UnsupportedError("several wildcards that match any number of segments")
        self._in_segment = 0
        self._parts.append(self._group(name, ".*") if not slash else "(?:.*/)?")

    def add_rest(self, name: str, *, several: bool) -> None:
        """Add a wildcard for a slash and one or several segments, which may be missing."""
        self._wildcard(name)
        self._splats += 1
        if self._splats > 1:
            raise UnsupportedError("several wildcards that match any number of segments")
        self._parts.append(f"(?:/{self._group(name, '.+' if several else '[^/]+')})?")

    def choice(self, names: list[str]) -> None:
        self._is_literal = False
        self._parts.append(f"(?:{'|'.join(map(re.escape, names))})")

    def pattern(self) -> Pattern:
        literal = "".join(self._literal)
        return Pattern(literal) if self._is_literal else Pattern(literal, re.compile("".join(self._parts), re.DOTALL))

    def _wildcard(self, name: str | None) -> None:
        self._is_literal = False
        self._captures += name is not None
        if self._captures > MAX_CAPTURES:
            raise UnsupportedError(f"more than {MAX_CAPTURES} placeholders")

    def _group(self, name: str | None, inner: str) -> str:
        if name is None:
            return inner
        if f"(?P<{name}>" in "".join(self._parts):
            raise UnsupportedError(f"placeholder {name} is repeated")
        return f"(?P<{name}>{inner})"


def star_pattern(text: str) -> Pattern:
    """Return a pattern of `_redirects` and `_headers`: `:name` is one segment, and `*` anything, `:splat`."""
    builder = PatternBuilder()
    at = 0
    while at < len(text):
        if text[at] == "*":
            builder.splat("splat")
            at += 1
        elif (place := _PLACE.match(text, at)) is not None:
            builder.segment(place[1])
            at = place.end()
        else:
            builder.text(text[at])
            at += 1
    return builder.pattern()


@dataclass(frozen=True, slots=True)
class Route:
    """A redirect, a rewrite, or a status code for the paths of a pattern.

    Attributes:
        target: Where they lead: a path or a URL, with `:name` for what wildcards stand for; empty for none.
        status: A status code of redirects; 200 for a rewrite; others for an error with the target as its page.
        shadows: Whether it applies even if there is a file.
        any_slash: Whether a trailing slash of the path makes no difference.
    """

    pattern: Pattern
    target: str
    status: int
    shadows: bool = True
    any_slash: bool = False

    def leads_to(self, path: str) -> str | None:
        """Return where a path leads; None if the route does not apply to it."""
        found = self.pattern.match(path)
        if found is None and self.any_slash and path != "/":
            found = self.pattern.match(path[:-1] if path.endswith("/") else f"{path}/")
        if found is None:
            return None
        if not found:
            return self.target
        return _INSERTED.sub(lambda place: found.get(place[1] or f"_{place[2]}", place[0]), self.target)


@dataclass(frozen=True, slots=True)
class HeaderRule:
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
        headers: Headers, in order.
        error_page: The error page that they set, as a path; None to keep that of the host.
        fallback: The file for URLs without a file, unless one of `not_fallback` matches; None for none.
        not_fallback: Paths to which it does not apply.
        types: Content types by extension, with the dot.
        changes: Fields of `Host` that they set.
    """

    routes: list[Route] = field(default_factory=list)
    headers: list[HeaderRule] = field(default_factory=list)
    error_page: str | None = None
    fallback: str | None = None
    not_fallback: list[Pattern] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    _skipped: Counter[tuple[str, str]] = field(default_factory=Counter)
    _examples: dict[tuple[str, str], str] = field(default_factory=dict)

    def skip(self, file: str, where: str, why: str) -> None:
        """Record a line that is not applied: where it is, such as `line 3`, and why."""
        key = (file, why)
        self._skipped[key] += 1
        self._examples.setdefault(key, where)

    def add(self, rule: Route | HeaderRule) -> bool:
        """Add a rule; False if there are too many."""
        if len(self.routes) + len(self.headers) >= MAX_ROUTES:
            return False
        if isinstance(rule, Route):
            self.routes.append(rule)
        else:
            clean = tuple((name, value and _printable(value)) for name, value in rule.headers)
            self.headers.append(replace(rule, headers=clean))
        return True

    def notes(self) -> Iterator[str]:
        """Yield what was not applied, counted and with the first place of each kind."""
        for (file, why), count in self._skipped.items():
            more = f", the first at {self._examples[file, why]}" if count > 1 else f" at {self._examples[file, why]}"
            yield f"{file}: {quantity(count, 'rule')} not applied{more}: {why}"


def _printable(text: str) -> str:
    """Return the value of a header as a server could send it."""
    return "".join(character for character in text if character.isprintable())
