"""Options for the sources of a build: directories, lists, queries, and existing sitemaps."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeAlias

from msgspec import structs

from urlset.errors import UsageError
from urlset.options.convert import hint
from urlset.options.declare import (
    COMMAND_LINE,
    OptionFacts,
    OptionGroup,
    Panel,
    Text,
    option,
    option_from,
    option_group,
    required,
)

STDIN = "-"
"""Standard input as the file of a list, or standard output as the directory of a set."""

HTML_FILES = ("*.html", "*.htm", "*.xhtml")
"""Files of a directory that are pages."""

SOURCE_FILES = ("*.md", "*.markdown", "*.mdx", "*.rst", "*.adoc")
"""Files of a directory that pages are generated from."""

DEFAULTED = ("changefreq", "priority", "lastmod")
"""Fields that a source can have defaults for."""

ENTRY_FIELDS = ("loc", "lastmod", "changefreq", "priority", "hreflang", "alternates", "images", "videos", "news")
"""Fields of an entry that a column can hold."""


class UrlStyle(StrEnum):
    """How the path of a file becomes the path of a URL."""

    FILES = "files"
    """`about.html` stays, `blog/index.html` becomes `blog/`."""
    SLASHES = "slashes"
    """`about.html` becomes `about/`, `blog/index.html` becomes `blog/`."""
    BARE = "bare"
    """`about.html` becomes `about`, `blog/index.html` becomes `blog`."""
    EXACT = "exact"
    """Every file keeps its name, including `blog/index.html`."""


class ListFormat(StrEnum):
    """The format of a list of URLs."""

    AUTO = "auto"
    """Detected from the name of the file, otherwise from its content."""
    TEXT = "text"
    """One URL per line; empty lines and lines that start with `#` are skipped."""
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


class LastmodSource(StrEnum):
    """Where a lastmod can come from."""

    GIVEN = "given"
    """The value in the list, query, or sitemap."""
    PAGE = "page"
    """The page itself: `article:modified_time`, `dateModified` of its JSON-LD, `<time>`; front matter."""
    GIT = "git"
    """The last commit of the source file."""
    GIT_TEXT = "git-text"
    """The last commit that changed what a reader sees of the source file."""
    CONTENT = "content"
    """The time of the first build with the current main text."""
    MTIME = "mtime"
    """The modification time of the file."""


DEFAULT_LASTMOD = (LastmodSource.GIVEN, LastmodSource.PAGE, LastmodSource.GIT, LastmodSource.CONTENT)
"""The default sources of lastmod, in order of precedence."""

_GLOBS = (
    "Globs use the syntax of `.gitignore`: `*` does not match a slash, `**/` matches any directories; a glob without a "
    "slash matches names at any depth, and one that matches a directory matches everything in it. A glob that starts "
    "with `!` reverts earlier matches."
)

LASTMOD_FROM = OptionFacts(
    help="Sources of lastmod in order of precedence: given, page, git, git-text, content, mtime",
    panel=Panel.ENTRIES,
    metavar="ORDER",
    example='["page", "git"]',
    commas=True,
    default_text="given, page, git, content",
)
_INCLUDE = OptionFacts(
    help="Files to include; can be repeated",
    panel=Panel.SOURCES,
    metavar="GLOB",
    example='["*.html"]',
    more=_GLOBS,
)
_EXCLUDE = OptionFacts(
    help="Files to exclude; can be repeated", panel=Panel.SOURCES, metavar="GLOB", example='["drafts/", "*.tmp.html"]'
)
_URLS = OptionFacts(
    help="URL style: files (a.html, b/), slashes (a/, b/), bare (a, b), or exact (b/index.html)",
    panel=Panel.SOURCES,
    metavar="STYLE",
    example='"slashes"',
    default_text="files for HTML, slashes for Markdown",
)
_IMAGES = OptionFacts(help="List the images of HTML pages", panel=Panel.SOURCES, example="true", rare=True)
_PATH_PREFIX = OptionFacts(
    help="Path of the pages below the base URL", panel=Panel.SOURCES, metavar="PATH", example='"/blog/"', rare=True
)
_PART = OptionFacts(
    help="Write the entries to separate parts, named sitemap-NAME.xml",
    panel=Panel.SOURCES,
    metavar="NAME",
    example='"blog"',
    rare=True,
)
_PART_BY = OptionFacts(
    help="Split into parts by the values of a column, or with COLUMN:month by the month of its dates",
    panel=Panel.SOURCES,
    metavar="COLUMN",
    example='"lastmod:month"',
    rare=True,
    more="Lists and queries have columns; `lastmod:month`, or `lastmod` for short, works for every kind of source but "
    "plain lists of URLs. Entries without a value go into the parts `no-COLUMN`.",
)
_QUERY = OptionFacts(
    help="SQL query that returns the columns loc, lastmod, and so on",
    panel=Panel.SOURCES,
    metavar="SQL",
    example='"SELECT url AS loc, changed AS lastmod FROM pages"',
)
_DATABASE = OptionFacts(
    has_user=True,
    help="Database to query: a SQLite or DuckDB file, or postgresql://…; by default, files that the query names",
    panel=Panel.SOURCES,
    metavar="PLACE",
    example='"shop.sqlite"',
    rare=True,
)


class PartBy(NamedTuple):
    """What splits the entries of a source into parts.

    Attributes:
        column: The column.
        by_month: Whether only the months of its dates count.
    """

    column: str
    by_month: bool

    @classmethod
    def of(cls, written: str) -> PartBy:
        """Return what an option means: `COLUMN`, or `COLUMN:month`. lastmod is always split by month.

        Example:
            >>> [tuple(PartBy.of(written)) for written in ("shelf", "lastmod", "published:month")]
            [('shelf', False), ('lastmod', True), ('published', True)]
        """
        column, colon, unit = written.rpartition(":")
        if colon and column and unit == "month":
            return cls(column, True)
        return cls(written, written == "lastmod")


@option_group
class SourceSpec(OptionGroup):
    """Options of all sources."""

    TABLE: ClassVar[str] = "build.source"

    path_prefix: str = option("/", _PATH_PREFIX)
    part: str = option("", _PART)
    part_by: Text | None = option(None, _PART_BY)
    defaults: Mapping[str, str | int | float] = option_from(
        dict,
        OptionFacts(
            help="Default values of fields: changefreq, priority, lastmod",
            panel=Panel.SOURCES,
            example='{ changefreq = "weekly", priority = 0.5 }',
        ),
    )
    lastmod_from: tuple[LastmodSource, ...] | None = option(None, LASTMOD_FROM)

    def check(self) -> None:
        """Check the names of fields, and normalize the path prefix."""
        inner = self.path_prefix.strip("/")
        object.__setattr__(self, "path_prefix", f"/{inner}/" if inner else "/")
        check_fields("defaults", self.defaults, DEFAULTED)

    @property
    def parted_by(self) -> PartBy | None:
        return None if self.part_by is None else PartBy.of(self.part_by)


@option_group
class HtmlFolder(SourceSpec):
    """A directory of HTML pages. Each page decides whether it is listed, for example with noindex."""

    folder: Path = required(
        OptionFacts(
            help="A directory of HTML pages; pages that are noindex or have another canonical URL are left out",
            panel=Panel.SOURCES,
            spelling="html",
            example='"public"',
            is_place=True,
        )
    )
    include: tuple[Text, ...] = option(HTML_FILES, _INCLUDE)
    exclude: tuple[Text, ...] = option((), _EXCLUDE)
    urls: UrlStyle = option(UrlStyle.FILES, _URLS)
    images: bool = option(False, _IMAGES)


@option_group
class FileFolder(SourceSpec):
    """A directory of files that pages are generated from, such as Markdown. Front matter is respected."""

    folder: Path = required(
        OptionFacts(
            help="A directory of Markdown or other files that pages are generated from",
            panel=Panel.SOURCES,
            spelling="files",
            example='"content"',
            is_place=True,
        )
    )
    include: tuple[Text, ...] = option(SOURCE_FILES, _INCLUDE)
    exclude: tuple[Text, ...] = option((), _EXCLUDE)
    urls: UrlStyle = option(UrlStyle.SLASHES, _URLS)


@option_group(panel=Panel.SOURCES)
class UrlList(SourceSpec):
    """A list of URLs."""

    file: Path = required(
        OptionFacts(
            help="A list of URLs: text, CSV, JSON lines, or Parquet; `-` for standard input",
            spelling="list",
            example='"urls.csv"',
            is_place=True,
        )
    )
    format: ListFormat = option(
        ListFormat.AUTO,
        OptionFacts(
            help="Format of the list",
            example='"csv"',
            more="auto detects it from the name of the file, otherwise from its content.",
        ),
    )
    columns: Mapping[str, Text] = option_from(
        dict,
        OptionFacts(
            help="Column of each field; by default the column of the same name",
            example='{ loc = "url", lastmod = "changed" }',
        ),
    )

    def check(self) -> None:
        check_fields("columns", self.columns, ENTRY_FIELDS)


@option_group
class Query(SourceSpec):
    """The rows of a SQL query. Its columns have the names of fields.

    Attributes:
        folder: The directory that relative paths in the query are relative to.
    """

    sql: Text = required(structs.replace(_QUERY, spelling="query"))
    database: Text | None = option(None, _DATABASE)
    folder: Path = Path()


@option_group
class Sitemaps(SourceSpec):
    """Existing sitemaps, whose entries are used; of a sitemap index, those of all listed sitemaps."""

    targets: tuple[Text, ...] = required(
        OptionFacts(
            has_user=True,
            help="Existing sitemaps to take entries from: files, directories, or URLs; sitemap indexes are followed",
            panel=Panel.SOURCES,
            spelling="sitemaps",
            example='["old/sitemap.xml"]',
            is_place=True,
        )
    )


Source: TypeAlias = HtmlFolder | FileFolder | UrlList | Query | Sitemaps

KINDS: Mapping[str, type[SourceSpec]] = {
    "html": HtmlFolder,
    "files": FileFolder,
    "list": UrlList,
    "query": Query,
    "sitemaps": Sitemaps,
}
"""Each kind of source by the key that identifies it."""


@option_group
class GivenSources(OptionGroup):
    """Sources on the command line, and the options of all of them."""

    sources: tuple[Text, ...] = option(
        (),
        OptionFacts(
            has_user=True,
            help="Directories of HTML or Markdown, lists of URLs, sitemaps",
            panel=Panel.SOURCES,
            metavar="SOURCE",
            faces=COMMAND_LINE,
            positional=True,
        ),
    )
    query: Text | None = option(None, structs.replace(_QUERY, faces=COMMAND_LINE))
    database: Text | None = option(None, structs.replace(_DATABASE, faces=COMMAND_LINE))
    path_prefix: str = option("/", structs.replace(_PATH_PREFIX, faces=COMMAND_LINE))
    include: tuple[Text, ...] = option((), structs.replace(_INCLUDE, faces=COMMAND_LINE))
    exclude: tuple[Text, ...] = option((), structs.replace(_EXCLUDE, faces=COMMAND_LINE))
    urls: UrlStyle | None = option(None, structs.replace(_URLS, faces=COMMAND_LINE))
    images: bool = option(False, structs.replace(_IMAGES, faces=COMMAND_LINE))
    part: str = option("", structs.replace(_PART, faces=COMMAND_LINE))
    part_by: Text | None = option(None, structs.replace(_PART_BY, faces=COMMAND_LINE))

    def check(self) -> None:
        """Check that a database has a query."""
        if self.database is not None and self.query is None:
            raise UsageError("--database requires a query; add --query SQL")


def check_fields(place: str, names: Mapping[str, object], known: tuple[str, ...]) -> None:
    """Check that all fields are known.

    Raises:
        UsageError: A field is unknown; the message suggests a similar one.
    """
    for name in names:
        if name not in known:
            suggestion = hint(name, known) or f"; known keys: {', '.join(sorted(known))}"
            raise UsageError(f"{place}: unknown key {name!r}{suggestion}")
