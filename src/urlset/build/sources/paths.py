"""Files of a directory: select them by globs, and map them to URLs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING
from urllib.parse import quote

from urlset import _core
from urlset.errors import InputError, UsageError, reason_of
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.options.sources import UrlStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_PATH_SAFE = "/-._~!$&'()*+,;=:@"
"""Characters allowed unencoded in a path: RFC 3986, section 3.3. A percent sign in a file name is a literal."""


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of a directory.

    Attributes:
        name: Its path relative to the directory, with slashes.
        size: Its size in bytes.
        mtime_ns: Modification time, in nanoseconds since 1970.
    """

    path: str
    name: str
    size: int
    mtime_ns: int


def files_of(folder: Path) -> Iterator[FolderFile]:
    """Return the files of a directory tree, sorted by path, without hidden ones except in `.well-known`.

    Raises:
        InputError: A directory cannot be listed, or has a link that leads out of the repository.
    """
    if not folder.is_dir():
        raise InputError(str(folder), "is a file, not a directory" if folder.exists() else "no such directory")
    yield from _walk(str(folder), "")


def _walk(place: str, below: str) -> Iterator[FolderFile]:
    try:
        with os.scandir(place) as listing:
            entries = sorted(listing, key=_order_in_directory)
    except OSError as error:
        raise InputError(place, f"cannot be listed: {reason_of(error)}") from None
    for entry in entries:
        if entry.name.startswith(".") and entry.name != ".well-known":
            continue
        name = below + entry.name
        # Links to folders are not followed: they may lead round in a circle.
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, name + "/")
            continue
        if entry.is_symlink() and leads_out(Path(entry.path)):
            raise InputError(entry.path, LEADS_OUT)
        try:
            stat = entry.stat()
        except OSError:
            # A dangling link; the error is reported when it is read.
            yield FolderFile(entry.path, name, -1, -1)
            continue
        if S_ISREG(stat.st_mode):
            yield FolderFile(entry.path, name, stat.st_size, stat.st_mtime_ns)


_OF_FOLDER = "ps_d"
"""The group of pathspec that matches if a pattern is that of a directory above."""

_CLASS = re.compile(r"\\.|(?P<characters>\[\^?\]?(?:\\.|[^\\\]])*\])", re.DOTALL)
"""A class of characters in a regular expression, or an escaped character outside of classes."""


def _order_in_directory(entry: os.DirEntry[str]) -> tuple[bool, str]:
    """Sort key: the index page of a directory first, then other files by name."""
    return (not entry.name.lower().startswith("index."), entry.name)


def matcher(globs: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tests whether the relative path of a file matches globs.

    Globs are patterns of `.gitignore`: https://git-scm.com/docs/gitignore#_pattern_format

    Raises:
        UsageError: A glob is invalid.

    Example:
        >>> matcher(["drafts/", "*.tmp.html"])("blog/drafts/a.html")
        True
        >>> matcher(["/drafts/*"])("blog/drafts/a.html")
        False
    """
    # Imported here because only builds from directories need it.
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore import GitIgnorePatternError

    try:
        spec = GitIgnoreSpec.from_lines(globs)
        # In linear time: the expressions of pathspec, which `re` would match in all ways that several `*` allow.
        patterns = [
            (bool(pattern.include), _core.Expression(_CLASS.sub(_of_characters, pattern.regex.pattern)))
            for pattern in spec.patterns
            if pattern.regex is not None and pattern.include is not None
        ]
    except (GitIgnorePatternError, ValueError) as error:
        raise UsageError(f"not a valid .gitignore pattern: {error}") from None
    if all(selects for selects, _ in patterns):
        expressions = [expression for _, expression in patterns]
        return lambda name: _matches_any(expressions, _bytes(name))
    places = [names.index(_OF_FOLDER) if _OF_FOLDER in (names := one.names) else None for _, one in patterns]
    marked = [(*pattern, place) for pattern, place in zip(patterns, places, strict=True)]
    return lambda name: _last_match(marked, _bytes(name))


def _of_characters(found: re.Match[str]) -> str:
    """Return a class in which no character is an operator, as in `[a&&b]`, and that matches one character of UTF-8.

    Repeated, it may match bytes: any number of them is any number of characters, in a smaller expression.
    """
    if found["characters"] is None:
        return found[0]
    characters = "[" + re.sub(r"[\[&~]", r"\\\g<0>", found[0][1:])
    is_repeated = found.string[found.end() : found.end() + 1] in ("*", "+")
    return characters if is_repeated else f"(?u:{characters})"


def _bytes(name: str) -> bytes:
    """Return a name as UTF-8, with `?` in place of each byte that is not UTF-8."""
    return name.encode("utf-8", "replace")


def _matches_any(expressions: Sequence[_core.Expression], name: bytes) -> bool:
    return any(expression.matches(name) for expression in expressions)


def _last_match(patterns: Sequence[tuple[bool, _core.Expression, int | None]], name: bytes) -> bool:
    """Return whether the last pattern that matches selects; one of a directory above yields to one of the file."""
    selected, rank = False, 0
    for selects, expression, of_folder in patterns:
        groups = expression.groups(name)
        if groups is None:
            continue
        is_of_folder = of_folder is not None and groups[of_folder] is not None
        if (selects and is_of_folder) or 2 - is_of_folder >= rank:
            selected, rank = selects, 2 - is_of_folder
    return selected


def included_by(globs: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tests whether globs include a file, whatever the case of its extension.

    Example:
        >>> included_by(["*.html"])("A.HTML")
        True
    """
    matches = matcher(globs)

    def is_included(name: str) -> bool:
        if matches(name):
            return True
        stem, dot, extension = name.rpartition(".")
        return not extension.islower() and matches(f"{stem}{dot}{extension.lower()}")

    return is_included


def url_path(name: str, style: UrlStyle, indexes: Sequence[str]) -> str:
    """Return the path of a URL, relative to the base URL of its source, for the relative path of a file.

    Args:
        name: The path of the file, with slashes.
        indexes: Names, without extension, of index files. Most servers distinguish case, so `Index.html` is not one.

    Example:
        >>> [url_path("blog/index.html", style, ["index"]) for style in UrlStyle]
        ['blog/', 'blog/', 'blog', 'blog/index.html']
        >>> [url_path("über uns.html", style, ["index"]) for style in UrlStyle]
        ['%C3%BCber%20uns.html', '%C3%BCber%20uns/', '%C3%BCber%20uns', '%C3%BCber%20uns.html']
    """
    folder, slash, file = name.rpartition("/")
    stem, dot, extension = file.rpartition(".")
    if not dot:
        stem = file
    if style is UrlStyle.EXACT:
        path = name
    elif stem in indexes and extension.islower():
        path = folder if style is UrlStyle.BARE else folder + slash
    elif style is UrlStyle.FILES:
        path = name
    else:
        path = f"{folder}{slash}{stem}{'/' if style is UrlStyle.SLASHES else ''}"
    return path if path.isascii() and _PLAIN.fullmatch(path) else quote(path, safe=_PATH_SAFE, errors="surrogateescape")


_PLAIN = re.compile(r"[A-Za-z0-9/._~-]*")


def alias_key(path: str) -> str:
    """Return a key that ignores index.html, extension, and trailing slash of a path.

    Example:
        >>> len({alias_key(path) for path in ("/a", "/a/", "/a.html", "/a/index.html", "/a/index.htm")})
        1
    """
    return _ALIAS.sub("", path)


_ALIAS = re.compile(r"(?:/(?:index(?:\.x?html?)?)?|\.x?html?)$", re.IGNORECASE)
