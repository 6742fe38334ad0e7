"""Regular expressions of host files, as far as they can be matched in linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from urlset import _core

_LOOKAROUND = re.compile(r"\(\?<?[=!]")
_REFERENCE = re.compile(r"\\(?:[1-9]|k[<{'])")
_MANY = re.compile(r"\{\d+(?:,\d*)?\}")

LOOKAROUND = "its regular expression has a lookaround"
_REFERS = "its regular expression refers to a group"
_ATOMIC = "its regular expression has a group or a repetition that gives nothing back"


@dataclass(frozen=True, slots=True)
class Bound:
    """A regular expression that matches at least what another one matches.

    Attributes:
        why: Why it may match more; empty if it matches the same.
    """

    text: str
    why: str = ""


def linear(text: str) -> Bound:
    r"""Return a regular expression without what takes more than linear time.

    What is left out only makes the expression match more: an assertion about the text around, that a group is repeated,
    and that a repetition gives nothing back.

    Example:
        >>> linear("^(?!admin/)(.*)$")
        Bound(text='^(.*)$', why='its regular expression has a lookaround')
        >>> linear(r"^blog/(\d+)$")
        Bound(text='^blog/(\\d+)$', why='')
    """
    kept: list[str] = []
    why, at, skipped = "", 0, 0
    in_class = False
    depth = 0
    while at < len(text):
        one = text[at]
        size, keeps = 1, True
        if one == "\\":
            size = 2
            if not in_class and _REFERENCE.match(text, at):
                why, keeps = why or _REFERS, False
                if not skipped:
                    kept.append("(?:.*)")
        elif in_class:
            in_class = one != "]"
        elif one == "[":
            in_class = True
            # A bracket at the start of a class stands for itself.
            size = 3 if text.startswith("[^]", at) else 2 if text.startswith("[]", at) else 1
        elif one == "(":
            depth += 1
            if not skipped and _LOOKAROUND.match(text, at):
                why, skipped = why or LOOKAROUND, depth
            elif text.startswith("(?>", at):
                why, size, keeps = why or _ATOMIC, 3, False
                if not skipped:
                    kept.append("(?:")
        elif one == ")":
            keeps = depth != skipped
            if depth == skipped:
                skipped = 0
            depth -= 1
        elif one == "+" and at and text[at - 1] in "*+?}" and not text.endswith("\\", 0, at - 1):
            why, keeps = why or _ATOMIC, False
        if keeps and not skipped:
            kept.append(text[at : at + size])
        at += size
    return Bound("".join(kept), why)


def cost_of(text: str) -> int:
    """Return about how many bytes a regular expression takes once it is compiled, and at most."""
    return 128 * 1024 if _MANY.search(text) else 1_024 + 100 * len(text)


@dataclass(frozen=True)
class Regular:
    """A regular expression of a host file that is searched in a path.

    Attributes:
        why: Why it may match more than the host does; empty if it matches the same.
    """

    expression: _core.Expression | None
    why: str = ""
    cost: int = 0

    @classmethod
    def of(cls, text: str, *, ignore_case: bool = False) -> Regular:
        bound = linear(text)
        try:
            return cls(_core.Expression(bound.text, ignore_case=ignore_case), bound.why, cost_of(bound.text))
        except ValueError as error:
            return cls(None, bound.why or f"its regular expression is not supported ({error})")

    @cached_property
    def names(self) -> list[str | None]:
        return [] if self.expression is None else self.expression.names

    def groups(self, text: str) -> list[str] | None:
        """Return the groups of the first match, the whole match first; None if there is no match."""
        if self.expression is None:
            return [text]
        found = self.expression.groups(text.encode("utf-8", "surrogateescape"))
        if found is None:
            return None
        return ["" if group is None else group.decode("utf-8", "surrogateescape") for group in found]
