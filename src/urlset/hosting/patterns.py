"""The patterns of paths to which the rules of hosts apply, each translated into a regular expression of the core.

The files are untrusted. The engine of the core takes time in proportion to the pattern times the path. What it cannot
express becomes a pattern that matches more, and says why: whether the rule applies to such a path is unknown.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.hosting.globs import NEGATED, Glob
from urlset.hosting.regular import Regular, linear

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST_SOURCE = 4_096
"""Maximum characters of a pattern: Vercel allows 4,096, Cloudflare 1,000."""

LONGEST_PATH = 8_192
"""Maximum characters of a path to which patterns with wildcards apply."""

_PLACE = re.compile(r":([A-Za-z_]\w*)")
_PLAIN = re.compile(r"[^*:(){}\[\]?!@+|^$\\]*")
_START = re.compile(r"\^((?:[\w/-]|\\[./-])*)(?=(.?))")
_AZURE_END = re.compile(r"\.(?:([\w-]+)|\{([\w,-]+)\})")


class UnsupportedError(ValueError):
    """A rule of a host that is not applied. The text says why."""


class Pattern(Struct, frozen=True):
    """The paths that a rule applies to.

    Attributes:
        literal: The start that all of them share; without wildcards, the whole path.
        regular: What matches them; None without wildcards.
        never: Paths among them to which the rule does not apply.
    """

    literal: str
    regular: Regular | None = None
    never: Regular | None = None

    @property
    def why(self) -> str:
        """Why it may match more paths than the host does; empty if it matches the same."""
        return "" if self.regular is None else self.regular.why

    @property
    def cost(self) -> int:
        return 0 if self.regular is None else self.regular.cost

    def match(self, path: str) -> Mapping[str, str] | None:
        """Return what the wildcards stand for, by name and by `_1`, `_2`; None if the path does not match."""
        if self.regular is None:
            return {} if path == self.literal else None
        if not path.startswith(self.literal) or len(path) > LONGEST_PATH:
            return None
        groups = self.regular.groups(path)
        if groups is None or (self.never is not None and self.never.groups(path) is not None):
            return None
        found = {f"_{number}": group for number, group in enumerate(groups)}
        found |= {name: group for name, group in zip(self.regular.names, groups, strict=False) if name is not None}
        return found


ANY = Pattern("", Regular.of(""))
"""The pattern of all paths."""


def below(path: str) -> Pattern:
    """Return a pattern of all paths below a directory, which ends with a slash."""
    return Pattern(path, Regular.of(""))


def regular_pattern(text: str, *, ignore_case: bool = False) -> Pattern:
    """Return a pattern of a regular expression that is searched in a path."""
    if len(text) > LONGEST_SOURCE:
        return _too_long("")
    start = None if ignore_case or "|" in text else _START.match(text)
    # A character that may be missing or be repeated is not part of the start.
    literal = "" if start is None or start[2] in tuple("*+?{") else start[1].replace("\\", "")
    return Pattern(literal if literal.startswith("/") else "", Regular.of(text, ignore_case=ignore_case))


def _too_long(source: str) -> Pattern:
    """Return a pattern for all paths with the start of a source that is too long to be applied."""
    plain = _PLAIN.match(source)
    assert plain is not None
    return Pattern(plain[0], Regular(None, f"its source is longer than {LONGEST_SOURCE:,} characters"))


class PatternBuilder:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._literal: list[str] = []
        self._is_literal = True
        self._names: set[str] = set()
        self._why = ""

    def text(self, text: str) -> None:
        """Add text that matches itself."""
        self._parts.append(re.escape(text))
        if self._is_literal:
            self._literal.append(text)

    def wildcard(self, expression: str) -> None:
        """Add a regular expression."""
        self._is_literal = False
        self._parts.append(expression)

    def capture(self, expression: str, name: str | None = None, *, before: str = "", optional: bool = False) -> None:
        """Add a placeholder.

        Args:
            name: Its name; None for a number only.
            before: A regular expression that precedes it.
            optional: Whether both may be missing.
        """
        if name in self._names:
            self.widen(f"placeholder {name} is repeated")
            name = None
        if name is not None:
            self._names.add(name)
        group = f"{before}({expression})" if name is None else f"{before}(?P<{name}>{expression})"
        self.wildcard(f"(?:{group})?" if optional else group)

    def widen(self, why: str) -> None:
        """Record that the pattern matches more than the host does."""
        self._is_literal = False
        self._why = self._why or why

    def pattern(self) -> Pattern:
        literal = "".join(self._literal)
        if self._is_literal:
            return Pattern(literal)
        regular = Regular.of(f"^(?:{''.join(self._parts)})$")
        return Pattern(literal, replace(regular, why=self._why or regular.why))


def star_pattern(text: str) -> Pattern:
    """Return a pattern of `_redirects` and `_headers`: `:name` is one segment, and `*` anything, the first `:splat`."""
    if len(text) > LONGEST_SOURCE:
        return _too_long(text)
    builder = PatternBuilder()
    at = stars = 0
    while at < len(text):
        if text[at] == "*":
            stars += 1
            builder.capture(".*", "splat") if stars == 1 else builder.wildcard(".*")
            at += 1
        elif (place := _PLACE.match(text, at)) is not None:
            builder.capture("[^/]+", place[1])
            at = place.end()
        else:
            builder.text(text[at])
            at += 1
    return builder.pattern()


def any_of(sources: Sequence[str]) -> Regular | None:
    """Return a regular expression of paths in which `*` is anything; None without any, or with too many."""
    never = "|".join(re.escape(source).replace(r"\*", ".*") for source in sources)
    regular = Regular.of(f"^(?:{never})$") if sources else None
    return None if regular is None or regular.expression is None else regular


def except_for(pattern: Pattern, never: Regular | None) -> Pattern:
    """Return a pattern that leaves out the paths of another."""
    if never is None:
        return pattern
    return Pattern(pattern.literal, pattern.regular or Regular.of(f"^{re.escape(pattern.literal)}$"), never)


def azure_pattern(route: str) -> Pattern:
    """Return a route pattern: a wildcard at its end, which a choice of extensions may follow.

    https://learn.microsoft.com/azure/static-web-apps/configuration#wildcards
    """
    if len(route) > LONGEST_SOURCE:
        return _too_long(route)
    start, star, end = route.partition("*")
    builder = PatternBuilder()
    builder.text(start)
    if star:
        builder.wildcard(".*")
    if end:
        found = _AZURE_END.fullmatch(end)
        if found is None:
            builder.widen("its route has a wildcard that is not at the end")
            return builder.pattern()
        choice = [found[1]] if found[1] else found[2].split(",")
        builder.wildcard(rf"\.(?:{'|'.join(map(re.escape, choice))})")
    return builder.pattern()


def vercel_pattern(source: str) -> Pattern:
    """Return a pattern of path-to-regexp: `:name`, `:name*`, `:name(regex)`, `(regex)`, `{group}?`.

    https://vercel.com/docs/project-configuration/vercel-json#redirects, which names path-to-regexp 6.
    """
    if len(source) > LONGEST_SOURCE:
        return _too_long(source)
    builder, at = PatternBuilder(), 0
    while at < len(source):
        one = source[at]
        if one == "\\" and at + 1 < len(source):
            builder.text(source[at + 1])
            at += 2
            continue
        prefix = one if one in "/." and source.startswith((":", "("), at + 1) else ""
        begin = at + len(prefix)
        place = _PLACE.match(source, begin)
        if place is not None or source.startswith("(", begin):
            at = begin if place is None else place.end()
            inner, at = _custom(source, at, builder) if source.startswith("(", at) else ("[^/]+?", at)
            sign = source[at] if at < len(source) and source[at] in "*+?" else ""
            at += len(sign)
            name = None if place is None else place[1]
            _add_place(builder, prefix, inner, sign, name)
        elif one in "{}":
            sign = source[at + 1] if one == "}" and source[at + 1 : at + 2] in ("*", "+", "?") else ""
            builder.wildcard("(?:" if one == "{" else f"){sign}")
            at += 1 + len(sign)
        else:
            builder.text(one)
            at += 1
    return builder.pattern()


def _custom(source: str, at: int, builder: PatternBuilder) -> tuple[str, int]:
    """Return the regular expression in parentheses at a place of a source, and where it ends."""
    end, depth, in_class = at, 0, False
    while end < len(source):
        one = source[end]
        end += 1
        if one == "\\":
            end += 1
        elif in_class:
            in_class = one != "]"
        elif one == "[":
            in_class = True
        elif one == "(":
            depth += 1
        elif one == ")":
            depth -= 1
            if not depth:
                break
    bound = linear(source[at + 1 : end - 1])
    if bound.why:
        builder.widen(bound.why)
        return ".*", end
    return bound.text, end


def _add_place(builder: PatternBuilder, prefix: str, inner: str, sign: str, name: str | None) -> None:
    """Add a placeholder of path-to-regexp, which its sign repeats together with the slash before it."""
    if not sign:
        builder.text(prefix)
    before = re.escape(prefix) if sign else ""
    if sign in ("*", "+") and prefix:
        inner = f"(?:{inner})(?:{before}(?:{inner}))*"
    elif sign in ("*", "+"):
        inner = f"(?:{inner}){sign}"
    builder.capture(inner, name, before=before, optional=sign in ("*", "?"))


def glob_pattern(source: str) -> Pattern:
    """Return a pattern of a glob of Firebase: `*` is in one segment, `**` any segments, `{a,b}` and `@(a|b)` a choice.

    https://firebase.google.com/docs/hosting/full-config#glob_pattern_matching; placeholders such as `:post*` are there,
    too.
    """
    if len(source) > LONGEST_SOURCE:
        return _too_long(source)
    if not source.startswith(("/", "**")) or source.startswith("**/"):
        source = f"/{source}"
    glob = Glob(source)
    text = glob.read()
    if glob.is_plain:
        return Pattern(glob.literal)
    regular = replace(Regular.of(f"^(?:{text})$"), why=glob.why)
    never = None
    if glob.why == NEGATED and glob.negations == 1 and glob.ends_with_negation:
        # What the last segment must not be.
        never = Regular.of(f"^(?:{Glob(source, takes_negated=True).read()})$")
        never = never if never.expression is not None and not never.why else None
    return Pattern(glob.literal, regular, never)
