"""The closed sets of words of a build. The command line reads them at its start, so they stand apart."""

from __future__ import annotations

from enum import StrEnum


class UrlStyle(StrEnum):
    """How the path of a file becomes the path of a URL."""

    FILES = "files"
    """`about.html` stays, `blog/index.html` is `blog/`."""
    SLASHES = "slashes"
    """`about.html` is `about/`, `blog/index.html` is `blog/`."""
    BARE = "bare"
    """`about.html` is `about`, `blog/index.html` is `blog`."""
    EXACT = "exact"
    """Every file has its own name, `blog/index.html`, too."""


class ListFormat(StrEnum):
    """What a list of URLs is written in."""

    AUTO = "auto"
    """Known by the name of the file, and where that says nothing by its beginning."""
    TEXT = "text"
    """A URL on each line; empty lines and those that begin with `#` are passed over."""
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


class LastmodSource(StrEnum):
    """Where a lastmod may come from."""

    GIVEN = "given"
    """What the list, the query, the sitemap or the front matter says."""
    PAGE = "page"
    """What the page says of itself: `article:modified_time`, `dateModified` of its JSON-LD, `<time>`."""
    GIT = "git"
    """The last commit of the source file."""
    CONTENT = "content"
    """The build that first saw the main text as it is now."""
    MTIME = "mtime"
    """When the file was last written."""
