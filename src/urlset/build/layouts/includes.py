"""Files that source files include, and that count as part of their pages."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from urlset.build.lastmod.text_walk import ending_of
from urlset.build.lastmod.visible_text import has_text
from urlset.files.bounded import MAX_PAGE_BYTES, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.build.layouts.source_folder import SourceFolder

MAX_DEPTH = 10
"""Maximum depth of included files in included files."""

_SPACE = r"[ \t]*"
_PATH = r"['\"]?([^\s'\"`{}()<>|]+?\.\w+)"

_FILLED_IN = (
    # https://facelessuser.github.io/pymdown-extensions/extensions/snippets/, also with one path in each line
    re.compile(
        rf"^{_SPACE}-+8<-+{_SPACE}(?:{_PATH}|$(?P<paths>.*?)^{_SPACE}-+8<-+{_SPACE}$)", re.MULTILINE | re.DOTALL
    ),
    # https://github.com/mondeja/mkdocs-include-markdown-plugin, https://jekyllrb.com/docs/includes/, Nunjucks
    re.compile(rf"\{{%-?\s*(?:include|include_relative|include-markdown)\s+{_PATH}"),
    # Shortcodes of Hugo sites by this name; the last two are those of the documentation of Kubernetes.
    re.compile(rf"\{{\{{[<%]\s*(?:include|readfile|code_sample|codenew)\s+(?:file=)?{_PATH}"),
    # https://vitepress.dev/guide/markdown#markdown-file-inclusion
    re.compile(rf"<!--\s*@include:\s*{_PATH}"),
)
"""Forms that are replaced before Markdown is parsed, so that they also include files in code."""

_PARSED = (
    # reStructuredText and MyST: https://docutils.sourceforge.io/docs/ref/rst/directives.html#include
    re.compile(rf"^{_SPACE}\.\. (?:include|literalinclude)::{_SPACE}(\S+)", re.MULTILINE),
    # Options follow the first line of a directive.
    re.compile(
        rf"^{_SPACE}\.\. (?:csv-table|raw)::[^\n]*\n(?:[ \t]+:[^\n]*\n){{0,10}}?[ \t]+:file:{_SPACE}(\S+)", re.MULTILINE
    ),
    re.compile(rf"^{_SPACE}[`:~]{{3,}}\{{(?:include|literalinclude)\}}{_SPACE}(\S+)", re.MULTILINE),
    re.compile(rf"^<<<\s+{_PATH}", re.MULTILINE),
    # Documents that MDX imports: https://mdxjs.com/docs/using-mdx/
    re.compile(r"^import\s[^;\n]*?from\s+['\"]([^'\"\n]+\.mdx?)['\"]", re.MULTILINE),
    # Files that MDX imports as text: https://vite.dev/guide/assets#importing-asset-as-string,
    # https://docusaurus.io/docs/markdown-features/react#importing-code-snippets
    re.compile(r"^import\s[^;\n]*?from\s+['\"](?:!!)?raw-loader!([^'\"\n]+)['\"]", re.MULTILINE),
    re.compile(r"^import\s[^;\n]*?from\s+['\"]([^'\"\n]+)\?raw['\"]", re.MULTILINE),
)
"""Forms that are Markdown or reStructuredText, and that are examples in code."""

_FORMS = (*_FILLED_IN, *_PARSED)

_SHOWN = ("<<<", "literalinclude", "raw-loader!", "?raw", "code_sample", "codenew")
"""Substrings of forms that show a file as it is."""

_WITHOUT_WORDS = (".css", ".scss", ".js", ".svg", ".png", ".jpg", ".json", ".xml")
"""Included files without words, or with words that a program makes."""

_MARKS = ("include", "readfile", ":file:", "8<-", *_SHOWN, ".md'", '.md"', ".mdx'", '.mdx"')
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
        """Return the files that a file includes, directly or not; or why the text of its page is not known."""
        found: dict[str, None] = {}
        why = self._add(path, text, found, 0)
        if why is None and not found and not has_text(text, ending_of(path)):
            return "its source has no text but a title, so that of the page comes from a template or a component"
        return list(found) if why is None else why

    def _add(
        self, path: str, text: str, found: dict[str, None], depth: int, forms: tuple[re.Pattern[str], ...] = _FORMS
    ) -> str | None:
        is_parsed = forms == _FORMS and any(mark in text for mark in _PROGRAM_MARKS)
        if is_parsed and (program := _AUTODOC.search(text)) is not None:
            return f"its text comes from program code: {program[0].strip()[:80]}"
        if depth > MAX_DEPTH:
            return f"files include each other more than {MAX_DEPTH} levels deep"
        for written, is_shown, inner_forms in _included(text, forms):
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
            if (why := self._add(inner, content, found, depth + 1, inner_forms)) is not None:
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


class _Include(NamedTuple):
    """A file that a text includes.

    Attributes:
        path: Its path, as written.
        is_shown: Whether the page shows it as it is.
        forms: How it includes other files itself.
    """

    path: str
    is_shown: bool
    forms: tuple[re.Pattern[str], ...]


def _included(text: str, forms: tuple[re.Pattern[str], ...]) -> Iterator[_Include]:
    """Yield the files that a text includes in some forms."""
    if not forms or not any(mark in text for mark in _MARKS):
        return
    # Text between these marks shows how to include a file, and includes none.
    text = _without_raw(text)
    fences = [fence.span() for fence in _FENCE.finditer(text)]
    for form in forms:
        for match in form.finditer(text):
            before = bisect_right(fences, (match.start(), len(text)))
            is_in_fence = before > 0 and match.start() < fences[before - 1][1]
            if is_in_fence and form in _PARSED:
                continue
            is_shown = is_in_fence or forms != _FORMS or any(mark in match[0] for mark in _SHOWN)
            inner = _FORMS if not is_shown else (form,) if form in _FILLED_IN else ()
            paths = [match[1]] if match[1] else match["paths"].split("\n")
            for path in paths:
                # A semicolon disables a line, and the rest are the lines or the section to include.
                name = path.strip().partition("{")[0].partition("#")[0].partition(":")[0]
                if name and not name.startswith(";"):
                    yield _Include(name, is_shown, inner)
