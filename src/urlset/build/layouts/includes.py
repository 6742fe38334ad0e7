"""Files that source files include, and that count as part of their pages."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.files.bounded import MAX_PAGE_BYTES, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.build.layouts.source_folder import SourceFolder

MAX_DEPTH = 10
"""Maximum depth of included files in included files."""

_SPACE = r"[ \t]*"
_PATH = r"['\"]?([^\s'\"`{}()<>|]+?\.\w+)"

_FORMS = (
    # reStructuredText and MyST: https://docutils.sourceforge.io/docs/ref/rst/directives.html#include
    re.compile(rf"^{_SPACE}\.\. (?:include|literalinclude)::{_SPACE}(\S+)", re.MULTILINE),
    # Options follow the first line of a directive.
    re.compile(
        rf"^{_SPACE}\.\. (?:csv-table|raw)::[^\n]*\n(?:[ \t]+:[^\n]*\n){{0,10}}?[ \t]+:file:{_SPACE}(\S+)", re.MULTILINE
    ),
    re.compile(rf"^{_SPACE}[`:~]{{3,}}\{{(?:include|literalinclude)\}}{_SPACE}(\S+)", re.MULTILINE),
    # https://facelessuser.github.io/pymdown-extensions/extensions/snippets/
    re.compile(rf"^{_SPACE}-+8<-+{_SPACE}{_PATH}", re.MULTILINE),
    # https://github.com/mondeja/mkdocs-include-markdown-plugin, https://jekyllrb.com/docs/includes/, Nunjucks
    re.compile(rf"\{{%-?\s*(?:include|include_relative|include-markdown)\s+{_PATH}"),
    # Shortcodes of Hugo sites by this name
    re.compile(rf"\{{\{{[<%]\s*(?:include|readfile)\s+(?:file=)?{_PATH}"),
    # https://vitepress.dev/guide/markdown#markdown-file-inclusion
    re.compile(rf"<!--\s*@include:\s*{_PATH}"),
    re.compile(rf"^<<<\s+{_PATH}", re.MULTILINE),
    # Documents that MDX imports: https://mdxjs.com/docs/using-mdx/
    re.compile(r"^import\s[^;\n]*?from\s+['\"]([^'\"\n]+\.mdx?)['\"]", re.MULTILINE),
)

_WITHOUT_WORDS = (".css", ".scss", ".js", ".svg", ".png", ".jpg", ".json", ".xml")
"""Included files without words, or with words that a program makes."""

_MARKS = ("include", "readfile", ":file:", "8<-", "<<<", ".md'", '.md"', ".mdx'", '.mdx"')
_PROGRAM_MARKS = (".. auto", ":::")
"""Substrings of the texts that can match an expression; texts without them are not searched."""

_AUTODOC = re.compile(
    r"^[ \t]*(?:\.\. auto(?:module|class|function|summary|method|doc\w*)::"
    r"|:::[ \t]+(?:\w+(?:\.\w+)+|mkdocs-\w+)[ \t]*$)",
    re.MULTILINE,
)
"""Words that are in a program: https://www.sphinx-doc.org/en/master/usage/extensions/autodoc.html, mkdocstrings, and
https://github.com/mkdocs/mkdocs-click."""


class Includes:
    """Finds included files.

    Args:
        top: No file outside of this directory is read.
        places: Directories that paths may be relative to, besides that of the including file.
    """

    def __init__(self, top: Path, places: Sequence[Path]) -> None:
        self._top = os.path.realpath(top)
        self._places = places
        self.code: set[str] = set()
        """The files that pages show as they are, among those that were found."""

    @classmethod
    def of(cls, source: SourceFolder) -> Includes:
        """Return what finds the files that source files of pages include."""
        project, layout = source.project, source.layout
        places = [project / name for name in layout.includes]
        return cls(source.top, [source.folder, project / source.settings.content, project, *places])

    def files_of(self, path: str, text: str) -> list[str] | str:
        """Return the files that a file includes, directly or not; or which one is not known."""
        found: dict[str, None] = {}
        why = self._add(path, text, found, 0)
        return list(found) if why is None else why

    def _add(self, path: str, text: str, found: dict[str, None], depth: int) -> str | None:
        if any(mark in text for mark in _PROGRAM_MARKS) and (program := _AUTODOC.search(text)) is not None:
            return f"its text comes from program code: {program[0].strip()[:80]}"
        if depth > MAX_DEPTH:
            return f"files include each other more than {MAX_DEPTH} levels deep"
        for written, is_shown in _included(text):
            if written.lower().endswith(_WITHOUT_WORDS) and not is_shown:
                continue
            inner = self._place(path, written)
            if inner is None:
                return f"it includes {written[:80]}, which was not found"
            if is_shown:
                self.code.add(inner)
            if inner in found:
                continue
            found[inner] = None
            try:
                content = read_file(inner, MAX_PAGE_BYTES).decode("utf-8", "replace")
            except OSError:
                return f"it includes {written[:80]}, which cannot be read"
            if not is_shown and (why := self._add(inner, content, found, depth + 1)) is not None:
                return why
        return None

    def _place(self, path: str, written: str) -> str | None:
        written = written.replace("\\_", "_")
        name = written.removeprefix("@/").removeprefix("@site/").lstrip("/")
        for place in (Path(path).parent, *self._places):
            there = Path(os.path.realpath(place / name))
            if there.is_relative_to(self._top) and there.is_file():
                return str(there)
        return None


_FENCE = re.compile(
    r"^[ \t]*(?P<fence>`{3,}+|~{3,}+)(?!\{)[^\n]*\n.*?(?:^[ \t]*(?P=fence)|\Z)", re.MULTILINE | re.DOTALL
)
_RAW = re.compile(r"\{%-?[ \t]*(?P<end>end)?raw[ \t]*-?%\}")


def _without_raw(text: str) -> str:
    """Return a text without what is between `{% raw %}` and `{% endraw %}`."""
    kept, at, is_raw = [], 0, False
    for mark in _RAW.finditer(text):
        if not is_raw:
            kept.append(text[at : mark.start()])
        at, is_raw = mark.end(), mark["end"] is None
    return "".join(kept if is_raw else [*kept, text[at:]])


def _included(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the paths of included files, and whether the page shows them as they are."""
    if not any(mark in text for mark in _MARKS):
        return
    # Code that shows how to include a file includes none.
    shown = _without_raw(_FENCE.sub("", text))
    for form in _FORMS:
        for match in form.finditer(shown):
            is_shown = match[0].startswith("<<<") or "literalinclude" in match[0]
            yield match[1].partition("{")[0].partition("#")[0].partition(":")[0], is_shown
