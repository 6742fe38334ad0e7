"""Converts regular expressions from RE2, which DuckDB uses, to Java's, which Spark uses."""

from __future__ import annotations

import re

# In RE2, `.` excludes only the line feed, and (?i) compares by Unicode. Java needs the flags `d` and `u` for both.
_ALWAYS = "(?d)"
_IGNORING_CASE = re.compile(r"\(\?([a-z]*)i([a-z]*)\)")


class PatternError(Exception):
    """The pattern has no equivalent."""


def java_pattern(pattern: str, flags: str = "") -> str:
    """Return the equivalent of an RE2 pattern.

    Args:
        pattern: The pattern.
        flags: DuckDB's options for it: `i` ignores case, `s` has `.` match line feeds; `g` is not part of the pattern.

    Raises:
        PatternError: An option is unknown.
    """
    if unknown := set(flags) - set("cgis"):
        raise PatternError(f"the option {min(unknown)!r} of a regular expression is not supported on Spark")
    inline = "".join(flag for flag in "is" if flag in flags)
    if inline:
        pattern = f"(?{inline}){pattern}"
    return _ALWAYS + _IGNORING_CASE.sub(r"(?\1iu\2)", _with_java_syntax(pattern))


def _with_java_syntax(pattern: str) -> str:
    """Replace what means something else in Java: `$` before a final line feed, and `[` and `&&` in a class."""
    parts: list[str] = []
    in_class = False
    place = 0
    while place < len(pattern):
        character = pattern[place]
        if character == "\\":
            parts.append(pattern[place : place + 2])
            place += 2
            continue
        if in_class:
            if character == "]" and parts[-1] not in ("[", "[^"):
                in_class = False
                parts.append("]")
            else:
                parts.append(f"\\{character}" if character in "[]&" else character)
        elif character == "[":
            in_class = True
            parts.append("[^" if pattern.startswith("[^", place) else "[")
            place += len(parts[-1])
            continue
        else:
            parts.append(r"\z" if character == "$" else character)
        place += 1
    return "".join(parts)


def first_only(pattern: str) -> tuple[str, int]:
    """Return a Java pattern that matches once: also the rest of the text, in the group with the returned number."""
    groups = len(re.findall(r"(?<!\\)\((?!\?)", re.sub(r"\\.|\[\^?\]?[^\]]*\]", "x", pattern)))
    return f"(?:{pattern})((?s:.*))\\z", groups + 1
