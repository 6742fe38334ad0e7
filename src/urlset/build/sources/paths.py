"""Files of a folder: which of them are meant, and which URL each has."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from stat import S_ISREG
from typing import TYPE_CHECKING
from urllib.parse import quote

from urlset.buildwords import UrlStyle
from urlset.errors import InputError, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_PATH_SAFE = "/-._~!$&'()*+,;=:@"
"""What a path may hold unencoded: RFC 3986, section 3.3. A percent sign in the name of a file is a percent sign."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file of a folder.

    Attributes:
        path: Where it is.
        name: Its path below the folder, with slashes.
        size: Its size in bytes.
        mtime_ns: When it was last written, in nanoseconds since 1970.
    """

    path: str
    name: str
    size: int
    mtime_ns: int


def files_of(folder: Path) -> Iterator[Found]:
    """The files of a folder and of the folders in it, sorted by path; hidden ones are none, `.well-known` is.

    Raises:
        InputError: A folder cannot be listed.
    """
    if not folder.is_dir():
        raise InputError(str(folder), "is a file and no folder" if folder.exists() else "no such folder")
    yield from _walk(str(folder), "")


def _walk(place: str, below: str) -> Iterator[Found]:
    try:
        with os.scandir(place) as listing:
            entries = sorted(listing, key=_as_listed)
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
        try:
            stat = entry.stat()
        except OSError:
            # A link that leads nowhere; what is wrong with it is said when it is read.
            yield Found(entry.path, name, -1, -1)
            continue
        if S_ISREG(stat.st_mode):
            yield Found(entry.path, name, stat.st_size, stat.st_mtime_ns)


def _as_listed(entry: os.DirEntry[str]) -> tuple[bool, str]:
    """A folder's own page comes first, then all others by name."""
    return (not entry.name.lower().startswith("index."), entry.name)


def matcher(globs: Iterable[str]) -> re.Pattern[str]:
    """A pattern for the path of a file below the folder, with a slash before it, from globs as `.gitignore` has them.

    `*` and `?` do not stand for a slash, `**` does. A glob without a slash is meant for names at any depth, one with a
    slash from the folder on. One that names a folder is meant for all that is in it.

    Example:
        >>> bool(matcher(["drafts/", "*.tmp.html"]).fullmatch("/blog/drafts/a.html"))
        True
        >>> bool(matcher(["/drafts/*"]).fullmatch("/blog/drafts/a.html"))
        False
    """
    patterns = [_pattern(glob) for glob in globs]
    return re.compile("|".join(patterns) if patterns else r"(?!)", re.DOTALL)


@cache
def _pattern(glob: str) -> str:
    body = glob.removesuffix("/")
    anchored = "/" in body
    body = body.removeprefix("/")
    out = "/" if anchored else "/(?:.*/)?"
    position = 0
    while position < len(body):
        if body.startswith("**/", position):
            out += "(?:.*/)?"
            position += 3
        elif body.startswith("**", position):
            out += ".*"
            position += 2
        elif body[position] == "*":
            out += "[^/]*"
            position += 1
        elif body[position] == "?":
            out += "[^/]"
            position += 1
        elif body[position] == "[" and (end := body.find("]", position + 2)) > 0:
            inside = body[position + 1 : end].replace("\\", "\\\\")
            out += f"[{'^' + inside[1:] if inside.startswith('!') else inside}]"
            position = end + 1
        else:
            out += re.escape(body[position])
            position += 1
    # A folder stands for what is in it.
    return f"{out}/.*" if glob.endswith("/") else f"{out}(?:/.*)?"


def url_path(name: str, style: UrlStyle, indexes: Sequence[str]) -> str:
    """The path of a URL, below the place of its source, for the path of a file below its folder.

    Args:
        name: The path of the file, with slashes.
        style: How it is mapped.
        indexes: Names, without ending, of the files that stand for their folder.

    Example:
        >>> [url_path("blog/index.html", style, ["index"]) for style in UrlStyle]
        ['blog/', 'blog/', 'blog', 'blog/index.html']
        >>> [url_path("über uns.html", style, ["index"]) for style in UrlStyle]
        ['%C3%BCber%20uns.html', '%C3%BCber%20uns/', '%C3%BCber%20uns', '%C3%BCber%20uns.html']
    """
    folder, slash, file = name.rpartition("/")
    stem, dot, _ = file.rpartition(".")
    if not dot:
        stem = file
    if style is UrlStyle.EXACT:
        path = name
    elif stem.lower() in indexes:
        path = folder if style is UrlStyle.BARE else folder + slash
    elif style is UrlStyle.FILES:
        path = name
    else:
        path = f"{folder}{slash}{stem}{'/' if style is UrlStyle.SLASHES else ''}"
    return path if path.isascii() and _PLAIN.fullmatch(path) else quote(path, safe=_PATH_SAFE, errors="surrogateescape")


_PLAIN = re.compile(r"[A-Za-z0-9/._~-]*")


def alias_key(path: str) -> str:
    """What is the same for all ways to write the path of one page: with or without index.html, ending, last slash.

    Example:
        >>> len({alias_key(path) for path in ("/a", "/a/", "/a.html", "/a/index.html", "/a/index.htm")})
        1
    """
    return _ALIAS.sub("", path)


_ALIAS = re.compile(r"(?:/(?:index(?:\.x?html?)?)?|\.x?html?)$", re.IGNORECASE)
