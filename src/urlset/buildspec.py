"""What is to be built, as plain values: sources, the sites that they make, an index over sites.

The configuration file and the command line fill them in, `pipeline/build.py` carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from urlset.buildwords import LastmodSource, ListFormat, UrlStyle
from urlset.config import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

STDIN = "-"
"""Stands for standard input where a list is asked for, and for standard output where a folder is."""


USUAL_LASTMOD = (LastmodSource.GIVEN, LastmodSource.PAGE, LastmodSource.GIT, LastmodSource.CONTENT)
"""Who is asked for a lastmod where nothing is said, in this order."""

USUAL_PAGES = ("*.html", "*.htm", "*.xhtml")
"""Files of a folder that are pages."""

USUAL_FILES = ("*.md", "*.markdown", "*.mdx", "*.rst", "*.adoc")
"""Files of a folder that pages are made from."""

ERROR_PAGES = ("/404.html", "/404/index.html", "/500.html", "/50x.html")
"""Pages that servers show in place of others: never listed, whatever is excluded besides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSpec:
    """What all sources have.

    Attributes:
        path_prefix: Path below the base URL where the pages of this source are, with a slash at both ends.
        part: Name of the part that its entries go to; empty for the parts that have no name.
        part_by: A column of a list or query: each of its values has parts of its own. `lastmod` stands for the month of
            lastmod, and can be had of every source. None for no such parts.
        defaults: Fields for entries that do not have them: `changefreq`, `priority`, `lastmod`.
        lastmod_from: Who is asked for a lastmod, in this order; None for what the site says.
    """

    path_prefix: str = "/"
    part: str = ""
    part_by: str | None = None
    defaults: Mapping[str, str | int | float] = field(default_factory=dict)
    lastmod_from: tuple[LastmodSource, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlFolder(SourceSpec):
    """A folder of HTML pages.

    Attributes:
        folder: The folder.
        include: Globs of the files that are pages.
        exclude: Globs of files that are left out all the same.
        urls: How paths become URLs.
        images: Whether the images of pages are listed.
    """

    folder: Path
    include: tuple[str, ...] = USUAL_PAGES
    exclude: tuple[str, ...] = ()
    urls: UrlStyle = UrlStyle.FILES
    images: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFolder(SourceSpec):
    """A folder of files that pages are made from, such as Markdown; what their front matter says is heeded.

    Attributes:
        folder: The folder.
        include: Globs of the files.
        exclude: Globs of files that are left out all the same.
        urls: How paths become URLs.
    """

    folder: Path
    include: tuple[str, ...] = USUAL_FILES
    exclude: tuple[str, ...] = ()
    urls: UrlStyle = UrlStyle.SLASHES


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlList(SourceSpec):
    """A list of URLs.

    Attributes:
        file: The file, or `-` for standard input.
        format: What it is written in.
        columns: Which of its columns is which field: field -> column; empty for columns that are called as fields are.
    """

    file: Path
    format: ListFormat = ListFormat.AUTO
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query(SourceSpec):
    """The rows of a SQL query; its columns are called as fields are.

    Attributes:
        sql: The query.
        database: A file of SQLite or DuckDB, or `postgresql://…`; None for the files that
            the query names.
        folder: The folder that relative paths in the query are meant from.
    """

    sql: str
    database: str | None = None
    folder: Path = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemaps(SourceSpec):
    """Sitemaps that there are already: their entries are taken over.

    Attributes:
        targets: Files, folders and URLs. The children of an index are read, too.
    """

    targets: tuple[str, ...]


Source: TypeAlias = HtmlFolder | FileFolder | UrlList | Query | Sitemaps


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One set of sitemaps, of one host.

    Attributes:
        base_url: The address that the folder of the sitemaps has.
        out: That folder, a URL that fsspec knows, or `-` for standard output, which takes one document.
        sources: What its entries come from, in this order.
        robots: The robots.txt whose `Sitemap:` lines are kept; None for none.
        obey_robots: Whether pages that robots.txt forbids are left out.
        robots_agent: For which crawler.
        lastmod_from: Who is asked for a lastmod, in this order.
        state: The file that keeps what was read of pages from build to build; None for one beside the sitemaps.
        options: Options of the writer, by their names there.
    """

    base_url: str
    out: str
    sources: tuple[Source, ...]
    robots: Path | None = None
    obey_robots: bool = True
    robots_agent: str = "*"
    lastmod_from: tuple[LastmodSource, ...] = USUAL_LASTMOD
    state: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSitemap:
    """A sitemap of somebody else that an index lists.

    Attributes:
        loc: Its URL.
        lastmod: When it was last changed, as it is to be written; None if that is not known.
    """

    loc: str
    lastmod: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSpec:
    """One index over the sitemaps of all sites, and over remote ones.

    Attributes:
        base_url: The address that its folder has.
        out: That folder, or a URL that fsspec knows.
        name: Its name without its ending.
        remote: Further sitemaps.
        options: Options of the writer that concern indexes.
    """

    base_url: str
    out: str
    name: str = "sitemap"
    remote: tuple[RemoteSitemap, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSpec:
    """All that is to be built.

    Attributes:
        sites: The sites, in the order of the file.
        index: The index over them; None for none.
    """

    sites: tuple[Site, ...] = ()
    index: IndexSpec | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """How a build is carried out.

    Attributes:
        publish: Whether anything is written; if not, what would be is found out.
        diff: Whether what is published is compared with what would be, URL by URL. Nothing is then published.
        explain: A URL whose lastmod is to be explained; None for none.
        left_out: A file that gets a line of JSON for each page and entry that is left out.
        read: How sitemaps that there are already are read and fetched.
        now: The present moment; the clock's unless given.
    """

    publish: bool = True
    diff: bool = False
    explain: str | None = None
    left_out: Path | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    now: datetime | None = None
