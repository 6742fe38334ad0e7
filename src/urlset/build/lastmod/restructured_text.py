"""The words of reStructuredText, without docutils: the visible text of directives, roles, and targets."""

from __future__ import annotations

import re

_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|([^|]+)\|[ \t]+)?([A-Za-z][\w.:+-]*?)[ \t]*::(?:[ \t]+(.*)|$)")
_TARGET = re.compile(r"\.\.[ \t]+_(?:`[^`]*`|[^:\\`]|\\.)*:(?:[ \t]|$)|__[ \t]")
_FOOTNOTE = re.compile(r"\.\.[ \t]+\[([^\]]+)\](?:[ \t]+(.*)|$)")
_OPTION = re.compile(r":[\w-]+:(?:[ \t]|$)")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$|[=+-][=+ \t-]*$")
_LITERAL = re.compile(r"``(.+?)``(?!`)", re.DOTALL)
# The length of names is limited, because a search begins at each colon.
_NAME = r":[A-Za-z][\w.+:-]{0,99}:"
_ROLE = re.compile(rf"{_NAME}`([^`]*)`|`([^`]*)`{_NAME}|`([^`]*)`(?:__?)?", re.DOTALL)
_EXPLICIT = re.compile(r"^(.*?)(?<!\s)\s*+<[^<>]*>$", re.DOTALL)
_REFERENCE = re.compile(r"(?<=\w)__?(?![\w`])|\[([\w#*.-]+)\]_|\|([^|\n]+)\|_{0,2}")

_SILENT = frozenset({
    "autosummary", "contents", "currentmodule", "default-role", "highlight", "image", "include", "index",
    "literalinclude", "meta", "module", "program", "py:currentmodule", "py:module", "raw", "role", "rst-class",
    "sectnum", "tabularcolumns", "testcleanup", "testsetup", "toctree", "class", "target-notes",
})  # fmt: skip
"""Directives that show nothing, or the content of another file."""

_NO_ARGUMENT = frozenset({
    "code", "code-block", "sourcecode", "figure", "math", "parsed-literal", "list-table", "only", "container",
    "highlight", "doctest", "testcode", "testoutput", "ifconfig", "plantuml", "graphviz",
})  # fmt: skip
"""Directives that show their content, but not their argument."""


def words(text: str) -> str:
    r"""Return the text without markup, line by line.

    Example:
        >>> words("Title\n=====\n\nSee :ref:`the guide <guide>`.\n\n.. _guide: x\n").split()
        ['Title', 'See', 'the', 'guide.']
    """
    shown: list[str] = []
    lines = text.expandtabs(8).split("\n")
    # Indentation of a comment or of a silent directive, whose block is skipped; -1 outside.
    skipped = -1
    # Indentation of a directive whose options may follow; -1 after them.
    options = -1
    for line in lines:
        stripped = line.lstrip(" ")
        indentation = len(line) - len(stripped)
        if not stripped:
            if options >= 0:
                options = -1
            shown.append("")
            continue
        if skipped >= 0:
            if indentation > skipped:
                continue
            skipped = -1
        if options >= 0:
            if indentation > options and _OPTION.match(stripped):
                continue
            if indentation <= options:
                options = -1
        if stripped.startswith((".. ", "__ ")) or stripped == "..":
            directive = _DIRECTIVE.match(stripped)
            if directive is not None:
                name, argument = directive[2].lower(), directive[3] or ""
                if name in _SILENT:
                    skipped = indentation
                    continue
                options = indentation
                is_plain = name in _NO_ARGUMENT
                label = "" if is_plain or argument or directive[1] else name
                shown.append(label if is_plain or not argument else argument)
            elif _TARGET.match(stripped):
                skipped = indentation
            elif (footnote := _FOOTNOTE.match(stripped)) is not None:
                shown.append(footnote[2] or "")
            else:
                skipped = indentation
            continue
        if _ADORNMENT.match(stripped):
            continue
        shown.append(stripped)
    return _inline("\n".join(shown))


def _inline(text: str) -> str:
    literals: list[str] = []

    def literal(found: re.Match[str]) -> str:
        literals.append(found[1])
        return f"\x01{len(literals) - 1}\x01"

    text = _LITERAL.sub(literal, text.replace("\x01", ""))
    text = _ROLE.sub(lambda found: _shown(found[1] or found[2] or found[3] or ""), text)
    text = _REFERENCE.sub(lambda found: found[1] or found[2] or "", text)
    text = re.sub(r"::(?=\s)", ":", text)
    text = re.sub(r"\\\s", "", text)
    text = re.sub(r"(?m)^(?:[-*+•]|\(?(?:\d+|#|[a-zA-Z])[.)])[ ]", "", text)
    return re.sub("\x01(\\d+)\x01", lambda found: literals[int(found[1])], text)


def _shown(role: str) -> str:
    explicit = _EXPLICIT.match(role)
    if explicit is not None and explicit[1]:
        return explicit[1]
    if role.startswith("~"):
        return role.rpartition(".")[2].lstrip("~")
    return role.lstrip("!").strip("<>")
