"""Translate a glob into a regular expression, in one pass."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

NEGATED = "its source has a negated glob"

MAX_DEPTH = 20
"""Maximum choices within each other."""

_PLACE = re.compile(r":([A-Za-z_]\w*)(\*?)")
_CLASS = re.compile(r"\[([!^]?)((?:[\w./-]|\\.)+)\]")
_RANGE = re.compile(r"\{[\w-]+\.\.[\w-]+(?:\.\.\d+)?\}")
_REPEATED = {"@": "", "?": "?", "*": "*", "+": "+", "!": ""}


@dataclass
class Glob:
    """Reads a glob once.

    Attributes:
        takes_negated: Whether `!(a)` stands for `a` instead of everything else in its segment.
        why: Why the expression matches more than the glob; empty if it matches the same.
        literal: The text before the first wildcard.
        negations: Number of `!(…)`.
        ends_with_negation: Whether the last one is the whole last segment.
    """

    source: str
    takes_negated: bool = False
    why: str = ""
    literal: str = ""
    negations: int = 0
    ends_with_negation: bool = False
    is_plain: bool = True
    _at: int = 0
    _names: set[str] = field(default_factory=set)

    def read(self) -> str:
        """Return the regular expression."""
        return self._sequence("", 0)

    def _sequence(self, ends: str, depth: int) -> str:
        """Read up to one of some characters, which is not consumed."""
        parts: list[str] = []
        source = self.source
        while self._at < len(source) and source[self._at] not in ends:
            one, after = source[self._at], source[self._at + 1 : self._at + 2]
            if one in _REPEATED and after == "(":
                parts.append(self._group(one, depth))
            elif source.startswith("**", self._at):
                if (segments := self._any_segments()) != (parts[-1] if parts else ""):
                    parts.append(segments)
            elif one == "*":
                parts.append(self._wildcard("[^/]*", 1))
            elif one == "?":
                parts.append(self._wildcard("[^/]", 1))
            elif one == "{":
                parts.append(self._braces(depth))
            elif one == "[" and (found := _CLASS.match(source, self._at)) is not None:
                negation = "^/" if found[1] else ""
                parts.append(self._wildcard(f"[{negation}{found[2]}]", len(found[0])))
            elif one in ":/" and (place := _PLACE.match(source, self._at + (one == "/"))) is not None:
                parts.append(self._place(place, "/" if one == "/" else ""))
            else:
                size = 2 if one == "\\" and after else 1
                parts.append(re.escape(after if size == 2 else one))
                if self.is_plain:
                    self.literal += after if size == 2 else one
                self._at += size
        return "".join(parts)

    def _wildcard(self, expression: str, size: int) -> str:
        self.is_plain = False
        self._at += size
        return expression

    def _any_segments(self) -> str:
        size = 2
        while self.source.startswith("*", self._at + size):
            size += 1
        if self.source.startswith("/", self._at + size) and self.source[: self._at].endswith("/"):
            return self._wildcard("(?:.*/)?", size + 1)
        return self._wildcard(".*", size)

    def _place(self, place: re.Match[str], slash: str) -> str:
        name, star = place[1], place[2]
        size = place.end() - self._at
        if name in self._names:
            self.why = self.why or f"placeholder {name} is repeated"
            return self._wildcard(".*", size)
        self._names.add(name)
        if not star:
            return self._wildcard(f"{slash}(?P<{name}>[^/]+)", size)
        # The slash before a placeholder for the rest may be missing with it.
        return self._wildcard(f"(?:/(?P<{name}>.*))?" if slash else f"(?P<{name}>.*)", size)

    def _choices(self, separator: str, close: str, depth: int) -> list[str] | None:
        """Read alternatives up to the closing character, which is consumed; None if there is none."""
        found: list[str] = []
        while depth < MAX_DEPTH:
            found.append(self._sequence(separator + close, depth + 1))
            if self._at >= len(self.source):
                return None
            self._at += 1
            if self.source[self._at - 1] == close:
                return found
        return None

    def _braces(self, depth: int) -> str:
        self.is_plain = False
        if (found := _RANGE.match(self.source, self._at)) is not None:
            self.why = self.why or "its source has a range in braces"
            return self._wildcard("[^/]*", len(found[0]))
        self._at += 1
        choices = self._choices(",", "}", depth)
        return self._unclosed() if choices is None else f"(?:{'|'.join(choices)})"

    def _group(self, sign: str, depth: int) -> str:
        self.is_plain = False
        is_segment = self.source[: self._at].endswith("/")
        self._at += 2
        why = self.why
        choices = self._choices("|", ")", depth)
        if choices is None:
            return self._unclosed()
        choice = f"(?:{'|'.join(choices)}){_REPEATED[sign]}"
        if sign != "!" or self.takes_negated:
            return choice
        self.negations += 1
        self.ends_with_negation = is_segment and not depth and self._at == len(self.source) and not self.why
        self.why = why or self.why or NEGATED
        return "[^/]*"

    def _unclosed(self) -> str:
        """Return what matches everything: the rest of the source cannot be read."""
        self.why = self.why or "its source has a choice that is not closed"
        self._at = len(self.source)
        return ".*"
