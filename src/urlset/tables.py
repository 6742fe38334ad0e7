"""The tables that stages exchange: names, columns, types, and units.

The Rust core builds the tables marked `built_by="core"` from sitemaps, those marked `"robots"` from robots.txt files,
and those marked `"pages"` from HTML pages. A test compares its Arrow schemas with this file.

Each table has the raw text as well as the parsed value, to distinguish absent, invalid, and valid: a raw column is null
if the field is absent, and its `*_problem` column names the problem, if any.

Vocabulary shared by all tables:

* `document_id` numbers the documents of one run from 0.
* `ordinal` numbers the entries of one document from 0, in document order.
* `line` and `col` count from 1; `col` counts Unicode code points. (`column` is a reserved word in SQL.)
* `byte_offset` counts from 0 in the decompressed document, after conversion to UTF-8.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Literal

from msgspec import Struct

SITEMAP_KINDS = ("urlset", "sitemapindex", "text", "rss", "atom")
"""Kinds of documents that list URLs: the formats of the protocol."""

PAGE_LIST_KINDS = tuple(kind for kind in SITEMAP_KINDS if kind != "sitemapindex")
"""Kinds of documents that list pages."""

LIMITS_REACHED = {
    "depth-limit": "maximum nesting",
    "document-limit": "maximum number of documents",
    "byte-limit": "maximum total size",
}
"""Limits beyond which listed documents are not read, by kind of `cuts`."""

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
"""Valid values of changefreq: https://www.sitemaps.org/protocol.html#changefreqdef."""

ColumnType = Literal["int32", "int64", "double", "bool", "text", "text[]", "int64[]", "timestamp"]


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""The instant that a `timestamp` counts from."""


def instant(microseconds: int | None) -> datetime | None:
    """Return a `timestamp` as a datetime in UTC."""
    return None if microseconds is None else EPOCH + timedelta(microseconds=microseconds)


class Column(Struct, frozen=True):
    """A column: its name, its type, and a sentence with its content and unit."""

    name: str
    type: ColumnType
    about: str


class Table(Struct, frozen=True, dict=True):
    """A table: what a row is, and its columns in order.

    Attributes:
        name: Its name.
        row: What a row is.
        columns: The columns, in order.
        built_by: Which part of urlset builds it.
        url_column: The column with the URL of the entry that a row belongs to; None if another table has it.
        row_key: SQL for an integer that sorts the rows of a document in document order.
        ties: Columns that distinguish rows with the same key; empty if the key is unique.
        counted: SQL aggregate for the number of violations that the rows represent.
        of_run: Whether its rows belong to a run, so that they have its `run_id` in a store. The others are about the
            whole store.
        source: What its rows are made of besides sitemaps and robots.txt; None if nothing that a rule has to wait for.
        filled_by: The command that fills it, and how, in words; empty if reading sitemaps does.
        needs: What an audit must do besides reading documents to fill it; empty if every audit does.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    built_by: Literal["core", "robots", "pages", "python", "engine"]
    url_column: str | None = None
    row_key: str = "0::BIGINT"
    ties: tuple[str, ...] = ()
    counted: str = "count(*)"
    of_run: bool = True
    source: Literal["pages", "logs", "reports", "deployment"] | None = None
    filled_by: str = ""
    needs: Literal["", "pages", "images", "links", "external"] = ""

    def column(self, name: str) -> Column:
        """Return the column with a name.

        Raises:
            KeyError: The table has no such column.
        """
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


BY_ENTRY = "ordinal::BIGINT"
"""The `row_key` of a table with one row per entry."""

BY_RECORD = "(ordinal::BIGINT * 4294967296 + position)"
"""The `row_key` of a table with several rows per entry."""

DOCUMENT_ID = Column("document_id", "int32", "The document, numbered from 0 within the run.")
ORDINAL = Column("ordinal", "int32", "The entry, numbered from 0 within its document.")
POSITION = Column("position", "int32", "The record, numbered from 0 within its entry.")
LINE = Column("line", "int32", "Line of the start tag, from 1.")
COL = Column("col", "int32", "Column of the start tag, in code points from 1.")
BYTE_OFFSET = Column("byte_offset", "int64", "Offset of the start tag in the decoded document, in bytes from 0.")
REPEATS = Column(
    "repeats", "text[]", "Repeated fields: `name=value` for each one after the first; null if no field is repeated."
)
TRAITS = Column("traits", "int32", "Unusual properties of the entry: the sum of the bits of its traits, listed below.")


def _text(name: str, about: str) -> Column:
    return Column(name, "text", about)


def _place(field: str) -> tuple[Column, Column]:
    return (
        Column(f"{field}_line", "int32", f"Line of the {field} value, from 1; null if absent."),
        Column(f"{field}_col", "int32", f"Column of the {field} value, in code points from 1; null if absent."),
    )


def _url(field: str, about: str) -> tuple[Column, Column]:
    return (
        _text(field, about),
        _text(
            f"{field}_problem",
            f"What is wrong with {field} (a UrlProblem); null if valid or absent.",
        ),
    )


def _hash(name: str, url: str, null: str = "absent") -> Column:
    return Column(
        name,
        "int64",
        f"XXH64 of the normal form of {url} (RFC 3986) with seed 42, to compare with loc_hash; null if {null}.",
    )


def _date(field: str, about: str) -> tuple[Column, ...]:
    return (
        _text(field, about),
        Column(f"{field}_at", "timestamp", f"{field} as an instant in UTC, in microseconds; null if invalid."),
        _text(f"{field}_precision", "year, month, day, minute, second, or fraction; null if invalid."),
        _text(f"{field}_problem", f"Why {field} is not a W3C datetime (a DateProblem); null if valid or absent."),
    )


def _field_places(but: str = "") -> tuple[Column, ...]:
    return (
        Column(
            "field_names",
            "text[]",
            f"The columns of its fields{but}, in document order; null if it has no fields.",
        ),
        Column("field_lines", "int64[]", "Line of the first value of each of these fields, from 1."),
        Column("field_cols", "int64[]", "Column of the first value of each of these fields, in code points from 1."),
    )


_HOST = "as in DNS: in ASCII (Punycode), lowercase, without a trailing dot; IPv6 in brackets"
"""The form of each column `host`. A host that has no such form is kept as written, in lowercase."""

_ENTRY = (DOCUMENT_ID, ORDINAL, LINE, COL, BYTE_OFFSET)
_RECORD = (DOCUMENT_ID, ORDINAL, POSITION, LINE, COL)
_LOC = (
    *_url("loc", "The URL as written: entities decoded once, surrounding whitespace removed; null if there is no loc."),
    *_place("loc"),
    Column("loc_length", "int32", "Length of loc in code points; null if absent."),
    Column(
        "loc_hash", "int64", "XXH64 of the normal form of loc (RFC 3986) with seed 42, for comparisons; null if absent."
    ),
    _text("scheme", "Scheme of loc in lowercase; null if it has none."),
    _text("host", f"Host of loc, {_HOST}; null if it has none."),
    Column("port", "int32", "Port written in loc; null if loc has no port or it is not a number below 65,536."),
    _text("path", "Path of loc as written, without query and fragment; null if loc is not hierarchical."),
)
_LASTMOD = (
    *_date("lastmod", "lastmod as written, surrounding whitespace removed; null if absent."),
    *_place("lastmod"),
)

URLS = Table(
    "urls",
    "one entry of a urlset, text sitemap, or feed",
    (
        *_ENTRY,
        *_LOC,
        *_LASTMOD,
        _text("lastmod_from", "The element of a feed that lastmod comes from: pubDate, updated …; null in sitemaps."),
        _text("changefreq", "changefreq as written, surrounding whitespace removed; null if absent."),
        *_place("changefreq"),
        _text(
            "priority",
            "priority as written, surrounding whitespace removed; null if absent, which the protocol reads as 0.5.",
        ),
        Column(
            "priority_value",
            "double",
            "priority as a number; null if absent, which the protocol reads as 0.5, or not an XSD decimal.",
        ),
        *_place("priority"),
        REPEATS,
        TRAITS,
    ),
    built_by="core",
    url_column="loc",
    row_key=BY_ENTRY,
)

CHILDREN = Table(
    "children",
    "one entry of a sitemapindex",
    (*_ENTRY, *_LOC, *_LASTMOD, REPEATS, TRAITS),
    built_by="core",
    url_column="loc",
    row_key=BY_ENTRY,
)

ALTERNATES = Table(
    "alternates",
    "one hreflang link (xhtml:link) of an entry",
    (
        *_RECORD,
        _text("rel", "rel as written; null if absent."),
        _text("hreflang", "hreflang as written; null if absent."),
        _text("hreflang_problem", "What is wrong with hreflang (a HreflangProblem); null if valid or absent."),
        *_url("href", "href as written; null if absent."),
        Column(
            "href_hash",
            "int64",
            "XXH64 of the normal form of href with seed 42, to compare with loc_hash; null if absent.",
        ),
        _text("media", "media as written, used in links to mobile pages; null if absent."),
    ),
    built_by="core",
    row_key=BY_RECORD,
)

_SET_COLUMNS = (
    DOCUMENT_ID,
    ORDINAL,
    LINE,
    COL,
    Column("loc_hash", "int64", "loc_hash of the entry."),
    Column("links", "int32", "Number of its links with an href."),
    Column("targets", "int32", "Number of different hrefs in these links."),
    Column("self_links", "int32", "Number of links that point to loc itself."),
    Column("default_links", "int32", "Number of links that are x-default."),
    Column("repeated_codes", "int32", "Number of links with the hreflang of an earlier link."),
    Column("targets_hash", "int64", "href_hash of all targets, combined by exclusive or."),
    Column("default_hash", "int64", "href_hash of the x-default link, the smallest if there are several; 0 if none."),
    Column(
        "set_hash",
        "int64",
        "Hash of the links; equal for entries whose links have the same hreflang and href, in any order.",
    ),
)

LINK_SETS = Table(
    "link_sets", "the hreflang links of one entry, as a set", _SET_COLUMNS, built_by="core", row_key=BY_ENTRY
)

OPEN_SETS = Table(
    "open_sets",
    "one row of link_sets whose targets do not all have the same links; only for urlset's own rules",
    _SET_COLUMNS,
    built_by="engine",
    row_key=BY_ENTRY,
)

_HREF_HASH = Column("href_hash", "int64", "XXH64 of the normal form of href with seed 42.")

OPEN_LINKS = Table(
    "open_links",
    "one hreflang link with a valid href, of an entry in open_sets; only for urlset's own rules",
    (DOCUMENT_ID, ORDINAL, _HREF_HASH),
    built_by="engine",
    row_key=BY_ENTRY,
)

OPEN_HREFS = Table(
    "open_hrefs",
    "one row of open_links of the first 100 entries of a document, for examples; only for urlset's own rules",
    (DOCUMENT_ID, ORDINAL, _HREF_HASH, _text("href", "href as written.")),
    built_by="engine",
    row_key=BY_ENTRY,
)

OPEN_PAIRS = Table(
    "open_pairs",
    "one hreflang link to another page, of an entry whose targets do not all have the same links in the whole run; "
    "only for urlset's own rules across documents",
    (
        DOCUMENT_ID,
        ORDINAL,
        LINE,
        COL,
        Column("source", "int64", "loc_hash of the entry."),
        Column("target", "int64", "href_hash of the link."),
        _text("href", "href as written, for the first 100 entries of the document; null for others."),
    ),
    built_by="engine",
    row_key=BY_ENTRY,
)

SHARED_LOCS = Table(
    "shared_locs",
    "one loc that several entries of the run have; only for urlset's own rules across documents",
    (Column("loc_hash", "int64", "loc_hash of the entries."),),
    built_by="engine",
)

IMAGES = Table(
    "images",
    "one image:image record of an entry",
    (
        *_RECORD,
        *_url("loc", "image:loc."),
        _text("loc_host", "Host of image:loc in the form of `urls.host`; null if it has none."),
        _hash("loc_hash", "image:loc"),
        _text("caption", "image:caption (deprecated 2022-05)."),
        _text("geo_location", "image:geo_location (deprecated 2022-05)."),
        _text("title", "image:title (deprecated 2022-05)."),
        *_url("license", "image:license (deprecated 2022-05)."),
        *_field_places(" except loc"),
        REPEATS,
    ),
    built_by="core",
    row_key=BY_RECORD,
)

VIDEOS = Table(
    "videos",
    "one video:video record of an entry",
    (
        *_RECORD,
        *_url("thumbnail_loc", "video:thumbnail_loc."),
        _text("title", "video:title."),
        _text("description", "video:description."),
        *_url("content_loc", "video:content_loc."),
        _hash("content_loc_hash", "video:content_loc"),
        *_url("player_loc", "video:player_loc."),
        _hash("player_loc_hash", "video:player_loc"),
        _text("player_loc_allow_embed", "Attribute allow_embed of video:player_loc (deprecated 2022-05)."),
        _text("player_loc_autoplay", "Attribute autoplay of video:player_loc (deprecated 2022-05)."),
        _text("duration", "video:duration, in seconds."),
        Column("duration_value", "double", "duration as a number; null if absent or not a decimal."),
        *_date("expiration_date", "video:expiration_date."),
        _text("rating", "video:rating."),
        Column("rating_value", "double", "rating as a number; null if absent or not a decimal."),
        _text("view_count", "video:view_count."),
        Column("view_count_value", "double", "view_count as a number; null if absent or not a decimal."),
        *_date("publication_date", "video:publication_date."),
        _text("family_friendly", "video:family_friendly."),
        _text("restriction", "video:restriction: country codes, separated by spaces."),
        _text("restriction_relationship", "Attribute relationship of video:restriction."),
        _text("platform", "video:platform: platforms, separated by spaces."),
        _text("platform_relationship", "Attribute relationship of video:platform."),
        _text("requires_subscription", "video:requires_subscription."),
        _text("uploader", "video:uploader."),
        *_url("uploader_info", "Attribute info of video:uploader."),
        _text("uploader_info_host", "Host of this URL in the form of `urls.host`; null if it has none."),
        _text("live", "video:live."),
        Column("tags", "text[]", "All video:tag values; null if absent."),
        Column("content_segment_locs", "text[]", "All video:content_segment_loc values; null if absent."),
        Column(
            "content_segment_durations", "text[]", "Attribute duration of each content_segment_loc; null if absent."
        ),
        _text("id", "video:id."),
        _text("id_type", "Attribute type of video:id."),
        _text("category", "video:category (deprecated 2022-05)."),
        *_url("gallery_loc", "video:gallery_loc (deprecated 2022-05)."),
        _text("gallery_loc_title", "Attribute title of video:gallery_loc."),
        Column("prices", "text[]", "All video:price values (deprecated 2022-05); null if absent."),
        Column("price_currencies", "text[]", "Attribute currency of each price; null if absent."),
        Column("price_types", "text[]", "Attribute type of each price; null if absent."),
        Column("price_resolutions", "text[]", "Attribute resolution of each price; null if absent."),
        _text("tvshow_show_title", "video:show_title of video:tvshow (deprecated 2022-05)."),
        _text("tvshow_video_type", "video:video_type of video:tvshow."),
        _text("tvshow_episode_title", "video:episode_title of video:tvshow."),
        _text("tvshow_season_number", "video:season_number of video:tvshow."),
        _text("tvshow_episode_number", "video:episode_number of video:tvshow."),
        _text("tvshow_premier_date", "video:premier_date of video:tvshow."),
        *_field_places(),
        REPEATS,
    ),
    built_by="core",
    row_key=BY_RECORD,
)

NEWS = Table(
    "news",
    "one news:news record of an entry",
    (
        *_RECORD,
        _text("publication_name", "news:name of news:publication."),
        _text("publication_language", "news:language of news:publication."),
        *_date("publication_date", "news:publication_date."),
        _text("title", "news:title."),
        _text("access", "news:access (deprecated)."),
        _text("genres", "news:genres (deprecated)."),
        _text("keywords", "news:keywords (deprecated)."),
        _text("stock_tickers", "news:stock_tickers (deprecated)."),
        _text("geo_locations", "news:geo_locations (deprecated)."),
        *_field_places(),
        REPEATS,
    ),
    built_by="core",
    row_key=BY_RECORD,
)

ANOMALIES = Table(
    "anomalies",
    "one anomaly that the reader noticed, repaired, or discarded",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The entry that it belongs to; null outside entries."),
        _text("kind", "Kind of anomaly: one of the closed set AnomalyKind."),
        _text("field", "The element that it concerns, without prefix, in lowercase; null if it concerns no element."),
        Column("line", "int32", "Line, from 1; null if it has no position in the text, such as damaged gzip data."),
        Column("col", "int32", "Column in code points, from 1; null if line is null."),
        BYTE_OFFSET,
        _text("evidence", "The text in question, at most 120 characters, with control characters escaped."),
        Column("count", "int64", "Number of occurrences: 1, or all after the first 1,000 of its kind in the document."),
    ),
    built_by="core",
    row_key="byte_offset",
    ties=("kind", "evidence"),
    counted='sum("count")',
)

DOCUMENTS = Table(
    "documents",
    "one sitemap, feed, or other file that was read",
    (
        DOCUMENT_ID,
        _text("url", "The requested URL or path, or `<stdin>`, `<bytes>`, `<file>`."),
        _text("final_url", "The URL after redirects; equal to url if not fetched."),
        _hash("url_hash", "url", "not fetched"),
        _hash("final_url_hash", "final_url", "not fetched"),
        _text("host", f"Host of final_url, {_HOST}; null if not fetched."),
        _text("requested_host", "Host of url in the same form; null if not fetched."),
        _text("site_path", "Path of final_url, or for a file its path below the given folder, with a leading slash."),
        Column("parent_id", "int32", "The index or robots.txt that lists it; null if it was given or found otherwise."),
        Column("parent_ordinal", "int32", "The entry of the parent that lists it; null if given by the user."),
        Column(
            "assumed_from",
            "int32",
            "The run whose rows were copied because lastmod in the index did not change; null if it was requested.",
        ),
        Column("depth", "int32", "Number of indexes above it: 0 if it was given or discovered."),
        _text("found_by", "given, robots, well-known, html-link, http-header, or index."),
        _text("kind", "urlset, sitemapindex, text, rss, atom, robots, html, xml, json, empty, zip … (a DocumentKind)."),
        _text("version", "Version of a feed: 0.9, 0.91, 1.0, 2.0, 0.3 …; null for other kinds."),
        _text("root", "Name of the root element as written; null if absent."),
        _text("namespace", "Namespace of the root element; null if it has none."),
        _text("first_line", "First non-blank line, at most 120 characters; null unless the kind is unknown."),
        Column("http_status", "int32", "Status code of the last response; null if not fetched."),
        Column("redirects", "text[]", "Every URL after the first in the chain of redirects; null if not fetched."),
        Column("redirect_statuses", "int64[]", "Status code of each of these redirects; null if not fetched."),
        _text("error_kind", "Why it was not fetched completely: dns, refused, tls … (a FetchError); null if it was."),
        Column("http_problems", "text[]", "How the response violates HTTP, as phrases; null if it does not."),
        _text("content_type", "Content-Type as sent; null if absent."),
        _text("etag", "ETag as sent; null if absent."),
        _text("last_modified", "Last-Modified as sent; null if absent."),
        Column("wire_bytes", "int64", "Size as received, in bytes."),
        Column("bytes", "int64", "Size after decompression, in bytes."),
        _text("compression", "none, gzip, zstd, or br: how the file is compressed."),
        _text(
            "content_encoding",
            "Content-Encoding that was decoded: gzip, deflate, br, zstd; null if nothing was decoded.",
        ),
        _text("encoding", "The character encoding used to read it, by its name in the WHATWG Encoding Standard."),
        _text("declared_encoding", "The encoding in its XML declaration, as written; null if absent."),
        Column("has_bom", "bool", "Whether it begins with a byte order mark."),
        Column("has_declaration", "bool", "Whether it begins with an XML declaration."),
        Column("stylesheet", "text", "The href of `<?xml-stylesheet?>`, as written; null if absent."),
        _text("stylesheet_host", "Host of stylesheet in the form of `host`; null if it has none."),
        Column(
            "namespaces",
            "text[]",
            "Each declared namespace once, as `prefix=uri`; the prefix may be empty.",
        ),
        Column("namespace_lines", "int64[]", "Line of each of these declarations, from 1."),
        Column("namespace_cols", "int64[]", "Column of each of these declarations, in code points from 1."),
        Column(
            "foreign_namespaces",
            "text[]",
            "Namespaces of unknown elements, which urlset ignores: the first 1,000, then `…` for all others.",
        ),
        Column("foreign_counts", "int64[]", "Number of ignored elements in each of these namespaces."),
        Column("entries", "int64", "Number of entries: rows in urls and children."),
        Column("images", "int64", "Number of image records."),
        Column("videos", "int64", "Number of video records."),
        Column("news", "int64", "Number of news records."),
        Column("alternates", "int64", "Number of hreflang links."),
        Column("lastmod_missing", "int64", "Number of entries without lastmod."),
        Column("lastmod_oldest", "timestamp", "The oldest valid lastmod, UTC; null if no entry has one."),
        Column("lastmod_newest", "timestamp", "The newest valid lastmod, UTC; null if no entry has one."),
        Column("lastmod_days", "int64", "Number of entries with a lastmod that is a date without a time."),
        Column("lastmod_times", "int64", "Number of entries with a lastmod that has a time."),
        Column("hints", "int64", "Number of entries with changefreq or priority."),
        Column("with_changefreq", "int64", "Number of entries with changefreq."),
        Column("with_priority", "int64", "Number of entries with priority."),
        Column("priorities", "int64", "Number of entries with a priority that is a number."),
        Column(
            "priority_lowest",
            "double",
            "The lowest priority; null if no entry has one. The default of the protocol, 0.5, does not count.",
        ),
        Column("priority_highest", "double", "The highest priority; null if no entry has one."),
        Column(
            "sites",
            "text[]",
            "Schemes and hosts (as in `urls`) of its valid URLs, such as `https://example.com`; at most the first 100.",
        ),
        Column("loc_longest", "int32", "Length of its longest loc in code points; 0 if it has no loc."),
        Column("loc_slashes", "int64", "Number of locs that end with a slash."),
        Column("loc_absolute", "int64", "Number of locs with a scheme, such as `https:`."),
        Column(
            "loc_repeats",
            "int64",
            "Number of locs that repeat an earlier one, by loc_hash; null if there are over 1,000,000 URLs.",
        ),
        Column("traits", "int32", "All bits that are set in traits of any of its entries, and those of its links."),
        Column("well_formed", "bool", "Whether it is well-formed XML with namespaces; null if it is not XML."),
        Column("complete", "bool", "False if it is truncated or reading stopped at a limit."),
        _text("sha256", "SHA-256 of the received bytes, after decoding Content-Encoding, in hexadecimal."),
        Column("fetched_at", "timestamp", "When it was received, UTC."),
        Column("elapsed_ms", "double", "Time to fetch and read it, in milliseconds."),
        Column(
            "is_built_part",
            "bool",
            "True if it is a file of at least 1,000 URLs that a build of urlset wrote to its directory, which begins "
            "another one when it is full; otherwise null, and always null if fetched.",
        ),
        _text("error", "Why it could not be read, as a sentence; null if it was read."),
    ),
    built_by="python",
)

CUTS = Table(
    "cuts",
    "one listed document that was not followed; entries beyond a limit share a row",
    (
        Column("document_id", "int32", "The document that lists it."),
        Column("ordinal", "int32", "The entry of that document, or the first of several."),
        Column("line", "int32", "Line of that entry, from 1."),
        Column("col", "int32", "Column of that entry, in code points from 1."),
        _text("kind", "self, cycle, repeated, file, depth-limit, document-limit, or byte-limit (a CutKind)."),
        _text("url", "The listed URL."),
        Column("duplicate_of", "int32", "The document that was read instead; null if a limit was reached."),
        Column("count", "int64", "Number of entries that this row represents."),
    ),
    built_by="python",
    row_key=BY_ENTRY,
)

STALE_LASTMODS = Table(
    "stale_lastmods",
    "one entry of an index whose lastmod is that of the previous run although its sitemap changed",
    (
        Column("document_id", "int32", "The index."),
        Column("ordinal", "int32", "The entry of the index."),
        Column("line", "int32", "Line of its lastmod, from 1."),
        Column("col", "int32", "Column of its lastmod, in code points from 1."),
        _text("url", "URL of the sitemap."),
        _text("lastmod", "lastmod in both runs, as written."),
        Column("before", "int64", "Number of entries of the sitemap in the previous run."),
        Column("after", "int64", "Number of its entries now."),
    ),
    built_by="python",
    row_key=BY_ENTRY,
)

ROBOTS = Table(
    "robots",
    "one rule of a robots.txt for one user agent; a group without rules has a row, too",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The row, numbered from 0 within its robots.txt; at most 100,000 are kept."),
        Column("line", "int32", "Line of the rule, from 1; or of the User-agent line if the group has no rules."),
        Column("col", "int32", "Column of the key on that line, in code points from 1."),
        _text("agent", "Value of the User-agent line, as written."),
        Column("allow", "bool", "True for Allow, false for Disallow; null if the group has no rules."),
        _text("pattern", "Path of the rule as written; may be empty; null if the group has no rules."),
    ),
    built_by="robots",
    row_key=BY_ENTRY,
)

ROBOTS_FILES = Table(
    "robots_files",
    "one robots.txt that was requested, whether or not it could be read",
    (
        Column("document_id", "int32", "Its document."),
        _text("url", "The requested URL; null if unknown."),
        _text("scheme", "Scheme of the URLs that it applies to; null if url is null."),
        _text("host", f"Host of these URLs, {_HOST}; null if url is null."),
        Column(
            "port",
            "int32",
            "Port of these URLs, the default port of the scheme if none is written; null if url is null.",
        ),
        _text("availability", "read, unavailable (there is no robots.txt), or unreachable (its rules are unknown)."),
        Column("bytes", "int64", "Size in bytes."),
        Column("bytes_unread", "int64", "Number of bytes beyond the limit of 500 KiB, which were not read."),
        Column("is_html", "bool", "Whether it begins like an HTML page."),
        Column("sitemaps", "int64", "Number of Sitemap lines with a value."),
    ),
    built_by="python",
)

SITEMAP_LINES = Table(
    "sitemap_lines",
    "one Sitemap line of a robots.txt",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The Sitemap line, numbered from 0 within its robots.txt."),
        Column("line", "int32", "Line, from 1."),
        Column("col", "int32", "Column of the key, in code points from 1."),
        _text("key", "The key as written."),
        _text("value", "The value as written, without comments."),
        *_url("loc", "The value, made absolute if it is relative and the URL of robots.txt is known."),
        *_LOC[2:],
        Column("is_relative", "bool", "Whether the value lacks a scheme."),
        _text(
            "line_problem", "What is wrong with the line (a RobotsProblem), such as several URLs; null if nothing is."
        ),
    ),
    built_by="robots",
    url_column="loc",
    row_key=BY_ENTRY,
)

ROBOTS_EXTENSIONS = Table(
    "robots_extensions",
    "one line of a robots.txt with the key of another specification",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The line, numbered from 0 among these lines of its robots.txt."),
        Column("line", "int32", "Line, from 1."),
        Column("col", "int32", "Column of the key, in code points from 1."),
        _text(
            "key",
            "Content-Signal, Content-Usage, Crawl-delay, Clean-param, License, or IndexNow-Key (an ExtensionKey).",
        ),
        _text("value", "The value as written, without comments."),
        Column(
            "group_line",
            "int32",
            "Line of the first User-agent line of the group that it applies to; null before the first group, and for "
            "keys that apply to all crawlers.",
        ),
        Column("search", "bool", "Whether a Content-Signal or Content-Usage allows search; null if it does not say."),
        Column(
            "ai_input",
            "bool",
            "Whether a Content-Signal allows ai-input, or a Content-Usage ai-use; null if it does not say.",
        ),
        Column(
            "ai_train",
            "bool",
            "Whether a Content-Signal allows ai-train, or a Content-Usage train-ai; null if it does not say.",
        ),
        _text(
            "content_use",
            "The most that a Content-Signal allows: immediate, reference, or full; null if it does not say.",
        ),
        _text("problem", "The first problem of the value (an ExtensionProblem); null if it is valid."),
        _text("evidence", "The part of the value that has the problem; null if it is valid."),
    ),
    built_by="robots",
    row_key=BY_ENTRY,
)

BLOCKED_URLS = Table(
    "blocked_urls",
    "one listed URL and one user agent that robots.txt blocks from it",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The entry; null if the document itself is blocked."),
        Column("position", "int32", "The user agent, numbered from 0 among those checked."),
        Column("line", "int32", "Line of the entry's loc, from 1; null for the document itself."),
        Column("col", "int32", "Column of the entry's loc, in code points from 1; null for the document itself."),
        _text("agent", "The user agent that was checked."),
        Column("robots_id", "int32", "The document_id of the robots.txt."),
        Column("robots_line", "int32", "Line of the rule that blocks it, from 1."),
        _text("pattern", "Path of that rule, as written."),
    ),
    built_by="robots",
    row_key=BY_RECORD,
)

ACCESS = Table(
    "access",
    "one section of a site and one crawler, with the number of listed URLs that robots.txt blocks",
    (
        Column("document_id", "int32", "The robots.txt."),
        _text("host", "The host that it applies to, as in `robots_files`."),
        _text("section", "The first folder of the paths, such as `/blog/`, or `/` for paths without one."),
        _text("agent", "The crawler, by its product token."),
        Column("urls", "int64", "Number of listed URLs in the section."),
        Column("blocked", "int64", "Number of these URLs that robots.txt blocks for the crawler."),
    ),
    built_by="python",
)

_RESPONSE = (
    Column("status", "int32", "Status code of the last response; null if no response came."),
    Column("hops", "text[]", "Every URL that it redirects to, in order; null if it does not redirect."),
    Column("hop_statuses", "int64[]", "Status code of each of these redirects."),
    _text("final_url", "The URL after redirects."),
)
_TIME = (
    _text("error", "The same as a sentence."),
    Column("fetched_at", "timestamp", "When the last response arrived, UTC."),
    Column("elapsed_ms", "double", "Duration including redirects, in milliseconds."),
)
_BLOCKED_BY = _text("blocked_by", "The rule of robots.txt that blocks urlset, as `line N: pattern`; null if none does.")
_METHOD = _text("method", "Method of the last request, HEAD or GET; null if it was not requested.")

_PAGE = (
    _text(
        "skipped",
        "Why it has no result: robots, private (a private address), outside (of an audited directory), invalid (not an "
        "http or https URL), or internal-error, with details in `error`; null if it has one.",
    ),
    _BLOCKED_BY,
    _METHOD,
    Column("head_status", "int32", "Status code of HEAD if a GET had to follow; null otherwise."),
    _text("head_error_kind", "Why HEAD failed if a GET had to follow; null otherwise."),
    *_RESPONSE,
    _text("error_kind", "Why it was not fetched completely: dns, refused, tls … (a FetchError); null if it was."),
    Column("http_problems", "text[]", "How the response violates HTTP, as phrases; null if it does not."),
    *_TIME,
    Column("bytes", "int64", "Size of the fetched part of the body, after decoding Content-Encoding."),
    Column("content_length", "int64", "Content-Length as sent; null if absent or invalid."),
    Column("complete", "bool", "False if reading its HTML stopped at a limit; null if no HTML was read."),
    _text("content_type", "Content-Type as sent; null if absent."),
    _text("last_modified", "Last-Modified as sent; null if absent."),
    Column("last_modified_at", "timestamp", "Last-Modified as an instant in UTC; null if absent or invalid."),
    _text("etag", "ETag as sent; null if absent."),
    Column("x_robots", "text[]", "Each X-Robots-Tag as sent; null if absent."),
    _text("content_usage", "Content-Usage as sent; null if absent."),
    _text("content_usage_problem", "The first problem of Content-Usage (an ExtensionProblem); null if it has none."),
    _text("content_usage_evidence", "The part of Content-Usage that has the problem; null if it has none."),
    Column("meta_robots", "text[]", "Each robots meta element as `name: content`; null if absent."),
    _text(
        "noindex",
        "What excludes it from indexing, as written, such as `meta robots: noindex`; null if nothing does.",
    ),
    Column(
        "noindex_agents",
        "text[]",
        "User agents that noindex or none applies to, `*` for all; null if it applies to none of them.",
    ),
    Column("unavailable_after_at", "timestamp", "The earliest unavailable_after, UTC; null if absent."),
    Column("canonical_links", "text[]", "href of each canonical link in its head, as written."),
    Column("canonical_headers", "text[]", "Each canonical in its Link headers, as written."),
    _text("canonical", "The first canonical as an absolute URL; null if absent."),
    Column("canonical_hash", "int64", "XXH64 of the normal form of canonical with seed 42, to compare with loc_hash."),
    Column("canonical_is_self", "bool", "Whether the canonical is the page itself; null without a canonical."),
    Column("canonical_redirects", "bool", "Whether the canonical redirects to the page; null if it was not requested."),
    Column(
        "canonical_is_respelled",
        "bool",
        "Whether the canonical is the page under another spelling (`spelling_hash`) that its host serves as well; null "
        "if it was not requested.",
    ),
    Column(
        "canonical_is_preview",
        "bool",
        "Whether the canonical is on the preview that was read in place of the site (`--map`); null if none was.",
    ),
    Column("spelling_hash", "int64", "Hash of the URL without what its spellings differ in (`_core.spelling_hash`)."),
    Column("final_spelling_hash", "int64", "The same of final_url."),
    Column("canonical_spelling_hash", "int64", "The same of canonical."),
    Column("refresh_seconds", "double", "Seconds of its meta refresh, or else of its Refresh header; null if absent."),
    _text("refresh_url", "Target of this refresh, as an absolute URL; null for a reload."),
    _text("html_lang", "lang of its html element, as written."),
    Column("hreflang_codes", "text[]", "hreflang of each alternate link in its head and its Link headers."),
    Column("hreflang_hashes", "int64[]", "XXH64 of the absolute URL of each of these links with seed 42."),
    _text(
        "title",
        "The title of what was returned, also of an error page or of the target of a redirect, with whitespace "
        "collapsed, at most 300 characters; `is_indexable` is not true for those.",
    ),
    Column(
        "words",
        "int64",
        "Number of words in its main text: that of its main element, with code samples, or else that of all, without "
        "navigation, footers, and similar parts; each Chinese or Japanese character counts as one; null if the body "
        "was not fetched.",
    ),
    Column("content_hash", "int64", "Hash of its main text; null if the body was not fetched."),
    _text(
        "not_a_page",
        "What shows that it is not a page of the site, although its Content-Type is HTML: error-page, feed, json, "
        "empty, template, partial … (a NotAPage); null if nothing does.",
    ),
    Column("has_password", "bool", "Whether it has a password field."),
    _text(
        "page_modified",
        "The modification date that the page states, as written, or with `--against` that of its text in git.",
    ),
    Column("page_modified_at", "timestamp", "The same as an instant in UTC; null if absent or invalid."),
    _text("page_modified_from", "Source of this date: article:modified_time, json-ld:dateModified, time …"),
    Column(
        "page_hash",
        "int64",
        "XXH64 of the normal form of the URL as requested, with seed 42, to compare with `links.to_hash`.",
    ),
    Column("final_hash", "int64", "The same of final_url; null if there was no response."),
    Column("has_script", "bool", "Whether its HTML has a script that browsers run; null if no HTML was read."),
    Column("links", "int32", "Number of its rows in `links`; null if its links were not read."),
    Column("links_skipped", "int64", "Number of its links after the first 10,000, which were not read."),
    _text(
        "script_url",
        "Where a script of a page with little text redirects at once, as an absolute URL; null without one.",
    ),
    Column(
        "in_body",
        "text[]",
        "What its body has and its head lacks, where search engines may ignore it: `canonical: href`, "
        "`name: directives` for robots, `hreflang: codes`; null if nothing is there.",
    ),
    _text("head_end", "What ended its head, as a tag or the beginning of a text; null if in_body is null."),
    Column("head_end_line", "int32", "Line of head_end, from 1; null if in_body is null."),
    Column("hreflang_urls", "text[]", "The absolute URL of each link in hreflang_codes."),
    _text("body_noindex", "What excludes it from indexing in in_body, as in noindex; null if nothing does."),
    _text("markdown", "The first Markdown version that its head declares, else its Link headers, as an absolute URL."),
    _text("markdown_from", "What declares it: link or header; null without one."),
    _text("described_by", "The first llms.txt that it names with `describedby`, as an absolute URL; null without one."),
    Column("made_with", "text[]", "Each system that made it, as `NAME: what shows it`; null if none is known."),
)
"""The result of requesting a page."""

PAGES = Table(
    "pages",
    "one listed page that was requested, or skipped for a reason; only once, even if listed repeatedly",
    (
        Column("document_id", "int32", "The first document that lists it."),
        Column("ordinal", "int32", "The entry of that document."),
        Column("line", "int32", "Line of the entry's loc, from 1."),
        Column("col", "int32", "Column of the entry's loc, in code points from 1."),
        _text("url", "The URL as written in the entry."),
        Column(
            "loc_hash",
            "int64",
            "XXH64 of the normal form of the URL with seed 42, to compare with `urls` and `alternates`.",
        ),
        Column("lastmod_at", "timestamp", "lastmod of the entry, UTC; null if absent or invalid."),
        _text("lastmod", "lastmod of the entry as written; null if absent."),
        _text("lastmod_precision", "year, month, day, minute, second, or fraction; null if invalid."),
        *_PAGE,
        Column("lastmod_at_before", "timestamp", "lastmod in the previous run, UTC; null if absent."),
        Column(
            "content_hash_before",
            "int64",
            "content_hash in the previous run; null if absent, or if the URL did not return the page then.",
        ),
        _text("proof_commit", "With `--against`: the commit whose date page_modified is; null without one."),
        _text("proof_path", "The source file that this commit changed last, by its path in the repository."),
        _text("proof_subject", "The first line of the message of this commit."),
        _text("proof_words", "The first words that this commit changed; empty if the file has none."),
        Column("proof_files", "int32", "Number of source files whose words are from the same change of this commit."),
        Column("is_indexable", "bool", "Whether the page is indexable at this URL; null if unknown."),
        _text(
            "reason",
            "Why it is not indexable, or why that is unknown: not-found, noindex … (a PageReason); null if it is.",
        ),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    source="pages",
    filled_by="`urlset audit`, which fetches the listed pages",
    needs="pages",
)

MEDIA = Table(
    "media",
    "one listed image, thumbnail, or video that was requested, or skipped for a reason; only once, even if repeated",
    (
        Column("document_id", "int32", "The first document that lists it."),
        Column("ordinal", "int32", "The entry of that document."),
        Column("position", "int32", "The record of that entry, in `images` or `videos`."),
        Column("line", "int32", "Line of the record, from 1."),
        Column("col", "int32", "Column of the record, in code points from 1."),
        _text("kind", "image, thumbnail (of a video), or video (its file)."),
        _text("url", "The URL as written in the record."),
        _text(
            "skipped",
            "Why it has no result: robots, private, video (never requested), or internal-error; null if it has one.",
        ),
        _BLOCKED_BY,
        Column("blocked_for", "text[]", "The crawlers that robots.txt blocks from it; null if it blocks no crawler."),
        _METHOD,
        *_RESPONSE,
        _text("error_kind", "Why it was not fetched: dns, refused, tls … (a FetchError); null if it was."),
        *_TIME,
        Column("bytes", "int64", "Size according to Content-Length; null if absent."),
        _text("content_type", "Content-Type as sent; null if absent."),
        _text("format", "png, jpeg, gif, webp, avif, bmp, or svg, judging by the first bytes; none if unknown."),
        Column("width", "int32", "Width in pixels; null if the file was not fetched or the width is unknown."),
        Column("height", "int32", "Height in pixels; null if width is null."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_RECORD,
    source="pages",
    filled_by="`urlset audit --images`, which fetches the listed images and thumbnails",
    needs="images",
)

CRAWLED = Table(
    "crawled",
    "one page that was requested although no sitemap lists it: the site links to it, it is a home page, or a page "
    "names it as its canonical or a language version",
    (
        _text("url", "Its URL, in the spelling of `links.to_url`."),
        Column(
            "round",
            "int32",
            "Number of links followed to find it, from a home page or a listed page; 0 for home pages; more than any "
            "crawl follows if no link leads there.",
        ),
        *_PAGE,
    ),
    built_by="python",
)

LINKS = Table(
    "links",
    "one URL that a page links to, with `<a href>` or `<area href>`; several links of a page to it share a row",
    (
        _text(
            "from_url",
            "URL of the page, as in `pages` or `crawled`. A page that was read in two spellings, such as /x and "
            "/x.html, has rows of each; `linked.links` counts it once.",
        ),
        Column("from_hash", "int64", "page_hash of that page."),
        _text("to_url", "The http(s) URL that it links to, absolute and without fragment."),
        Column("to_hash", "int64", "XXH64 of the normal form of to_url with seed 42, to compare with `page_hash`."),
        Column("nofollow", "bool", "Whether nofollow, ugc, or sponsored applies to every link of the page to it."),
        Column(
            "in_main",
            "bool",
            "Whether a link is in the main element; on a page without one, outside of nav, header, and footer.",
        ),
    ),
    built_by="pages",
)

LINKED_ANCHORS = Table(
    "linked_anchors",
    "one anchor that a page links to: a URL and a fragment; without anchors of the page itself that it has",
    (
        Column("from_hash", "int64", "page_hash of the page."),
        Column("to_hash", "int64", "page_hash of the URL without the fragment; from_hash if it is the page itself."),
        _text("fragment", "The fragment as in a parsed URL, percent-encoded, and without a text directive (`:~:`)."),
        Column("wanted", "int64[]", "Hashes, as in `anchors`, of the fragment as it is, and of the decoded one."),
    ),
    built_by="pages",
)

ANCHORS = Table(
    "anchors",
    "one page whose links were read, with what a fragment can lead to in it",
    (
        Column("page_hash", "int64", "page_hash of the page."),
        Column(
            "hashes",
            "int64[]",
            "The lower 32 bits of the XXH64 with seed 0 of each id, and of each name of a link.",
        ),
        Column(
            "complete",
            "bool",
            "False if a fragment may lead to something else: the page was not read completely, scripts make its "
            "content or read the fragment, or a redirect replaces it.",
        ),
    ),
    built_by="pages",
)

_OF_LISTED = (
    Column("ordinal", "int32", "The entry of that document; null if no sitemap lists it."),
    Column("line", "int32", "Line of the entry's loc, from 1; null if no sitemap lists it."),
    Column("col", "int32", "Column of the entry's loc, in code points from 1; null if no sitemap lists it."),
)
"""Where a URL is listed, in tables of URLs that need not be."""

_AUDIT_OF_LINKS = "`urlset audit --links`, or `urlset audit` of a directory"

LINKED = Table(
    "linked",
    "one URL of the site, listed or linked, with the links to it from other pages that were read",
    (
        Column("number", "int64", "The URL, numbered from 0 within the run."),
        Column(
            "document_id", "int32", "The document that lists it; else the one that lists linked_from; else the first."
        ),
        *_OF_LISTED,
        _text("url", "The URL."),
        Column(
            "page_hash",
            "int64",
            "XXH64 of the normal form of the URL as requested, with seed 42, to compare with `links`.",
        ),
        Column(
            "page",
            "int64",
            "page_hash of the URL that stands for the page among its spellings: the listed one, if there is one.",
        ),
        Column("is_listed", "bool", "Whether a sitemap lists it; null if no sitemap was read."),
        _text("listed_as", "The listed URL of the page, in any spelling; null if no sitemap lists it."),
        _text(
            "linked_as",
            "Another spelling of the page that its host serves as well, and that more pages link to than to the one "
            "that stands for the page; null if there is none.",
        ),
        _text("redirected_from", "A listed URL that redirects to it; null if none does."),
        Column("redirects_from", "int64", "Number of redirects from redirected_from to it."),
        Column(
            "unread_status",
            "int32",
            "Status code of a sitemap of the run that an index or robots.txt lists and that may list it, but was not "
            "read; null if all were.",
        ),
        _text(
            "unnamed_sitemap",
            "A sitemap of the audited directory that lists the page, but is not in robots.txt or an index; else null.",
        ),
        Column("is_home", "bool", "Whether it is the home page of its host."),
        Column("links", "int64", "Number of other pages that link to the page, in any spelling or through a redirect."),
        Column(
            "reached_from",
            "int64",
            "Number of these pages that are listed, or to which links lead from a home page or a listed page.",
        ),
        Column("followed", "int64", "Number of these pages that link to it without nofollow."),
        Column("in_main", "int64", "Number of these pages that link to it from their main content."),
        _text("linked_from", "One of the pages that link to it directly; null if no page does."),
        Column("clicks", "int32", "Fewest links from a home page to it, at most 20; null if there is no such path."),
        _text(
            "basis",
            "Pages that were read for links: listed (all listed ones), crawl, or directory (all pages of an audited "
            "directory); null if too few to tell.",
        ),
        _text("skipped", "Why it was not requested, as in `pages`; `unread` if it is in neither pages nor crawled."),
        Column("status", "int32", "Status code of the last response; null if no response came."),
        _text("error_kind", "Why it was not fetched completely (a FetchError); null if it was."),
        _text("redirects_to", "The URL after redirects; null if it does not redirect."),
        _text("noindex", "What excludes it from indexing, as in `pages`."),
        Column(
            "canonical_is_self",
            "bool",
            "Whether its canonical is the page itself, in any spelling, or redirects to it; null if it has none.",
        ),
        Column(
            "is_indexable",
            "bool",
            "Whether it is an HTML page that is indexable at this URL; also true if it is listed and only its "
            "content makes that unknown.",
        ),
        Column(
            "needs_script",
            "bool",
            "Whether it has no text and no links without its scripts, so that its links are unknown.",
        ),
    ),
    built_by="python",
    url_column="url",
    row_key="number",
    source="pages",
    filled_by=f"{_AUDIT_OF_LINKS}, which reads the links of the listed pages",
    needs="links",
)

BROKEN_ANCHORS = Table(
    "broken_anchors",
    "one URL with a fragment to which pages of the site link, and whose page does not have the anchor",
    (
        Column("number", "int64", "The URL, numbered from 0 within the run."),
        Column("document_id", "int32", "The document that lists linked_from; else the first."),
        *_OF_LISTED,
        _text("url", "The URL with the fragment."),
        Column("links", "int64", "Number of pages that link to it."),
        Column(
            "pages",
            "int64",
            "1; or the number of pages that link to an anchor of this name in themselves and lack it, if they are at "
            "least 3, since they share a template.",
        ),
        _text("linked_from", "One of the pages that link to it, which the columns ordinal, line, and col are about."),
    ),
    built_by="python",
    url_column="url",
    row_key="number",
    source="pages",
    filled_by=f"{_AUDIT_OF_LINKS}, which reads the links and anchors of pages",
    needs="links",
)

EXTERNAL_LINKS = Table(
    "external_links",
    "one URL outside of the site that pages link to, with the result of requesting it; at most 5,000 are requested",
    (
        Column("number", "int64", "The URL, numbered from 0 within the run."),
        Column("document_id", "int32", "The document that lists linked_from; else the first."),
        *_OF_LISTED,
        _text("url", "The URL."),
        Column("links", "int64", "Number of pages that link to it."),
        _text("linked_from", "One of these pages, which the columns ordinal, line, and col are about."),
        _text("skipped", "Why it was not requested, as in `pages`, or `limit`; null if it was."),
        Column("status", "int32", "Status code of the last response; null if no response came."),
        _text("error_kind", "Why it was not fetched completely (a FetchError); null if it was."),
        _text("error", "The same as a sentence."),
        _text("final_url", "The URL after redirects."),
    ),
    built_by="python",
    url_column="url",
    row_key="number",
    filled_by="`urlset audit --external`, which requests the links to other sites",
    needs="external",
)

KEY_FILES = Table(
    "key_files",
    "one place where an audited site declares its IndexNow key, with the result of requesting the key file",
    (
        Column("document_id", "int32", "The robots.txt of the site; the first document if it was not requested."),
        Column("ordinal", "int32", "The place, numbered from 0 within the site."),
        Column("line", "int32", "Line of the IndexNow-Key line in robots.txt, from 1; null for other places."),
        Column("col", "int32", "Column of that key, in code points from 1; null for other places."),
        _text("declared_by", "robots, link, or meta (a KeyWay)."),
        _text("page", "URL of the robots.txt or home page that declares it."),
        _text("written", "The declared value, as written."),
        _text("key", "The declared key; null if only its file is declared."),
        _text("url", "URL of the key file; null if the declared value is not an http(s) URL."),
        _text("skipped", "robots if robots.txt blocks urlset from the key file; null otherwise."),
        _text("problem", "What is wrong with the key file (a KeyFileProblem); null if nothing, or if it was skipped."),
        _text("reason", "The same in words."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    filled_by="`urlset audit` of a site, which requests the key files that the site declares",
)

SITE_FAULTS = Table(
    "site_faults",
    "one fault of an audited site as a whole, such as a missing sitemap, or sources that name different URLs of it",
    (
        Column("document_id", "int32", "The robots.txt of the site; the first document if it was not requested."),
        Column("ordinal", "int32", "The fault, numbered from 0 within the run."),
        Column("line", "int32", "Line of the fault, which is always null: it is one of the whole site."),
        Column("col", "int32", "Column of the fault, which is always null."),
        _text("url", "The URL of the site: the base URL of a directory, or the home page."),
        _text("problem", "no-sitemap, not-built, placeholder, host-differs, stray … (a SiteProblem)."),
        _text("value", "What is at fault, such as a URL."),
        _text("about", "What is known about it, as a clause."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    filled_by="`urlset audit`, which compares what the sources of a site say about it",
)

SERVED = Table(
    "served",
    "one difference between a built directory and what its site serves; those with one cause for all pages share a row",
    (
        Column("document_id", "int32", "The file of the site that differs; for pages, the home page."),
        Column("ordinal", "int32", "The difference, numbered from 0 within the run."),
        Column("line", "int32", "First line of a served text file that differs, from 1; null for pages."),
        Column("col", "int32", "Column of the difference, which is always null."),
        _text("url", "The requested URL."),
        _text("file", "URL of the file that differs; for pages, that of the home page."),
        _text("kind", "page, robots, sitemap, feed, llms, or asset (a ServedKind)."),
        _text("difference", "missing, status, redirect, noindex, canonical, content … (a Difference)."),
        _text("cause", "What changed it: old-build, edge-cache, managed-robots … (a DeployCause); null if unknown."),
        _text("built", "The value in the directory; null if it has none."),
        _text("served", "The value in the response; null if it has none."),
        _text("about", "Both values in words, with the evidence for the cause, as a clause."),
        Column("urls", "int64", "Number of URLs that the row is about."),
        Column("status", "int32", "Status code of the response; null without one."),
        Column("age_seconds", "int64", "Age header of the response, in seconds; null if absent."),
        _text("cache_status", "CF-Cache-Status, X-Cache, or Cache-Status of the response, as sent; null if absent."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    counted="sum(urls)",
    source="deployment",
    filled_by="`urlset deploy-check`, which compares a directory with its site",
)

_FILLED_BY_LLMS = "`urlset audit` of a site, which requests its llms.txt and the links in it"

LLMS_FILES = Table(
    "llms_files",
    "one llms.txt of an audited site: one that was found at its root, or that pages name with `describedby`",
    (
        Column("document_id", "int32", "The robots.txt of the site."),
        Column("ordinal", "int32", "The file, numbered from 0 within the site."),
        Column("line", "int32", "Line of the llms.txt, which is always null: it is about the whole file."),
        Column("col", "int32", "Column of the llms.txt, which is always null."),
        _text("url", "URL of the llms.txt, as requested."),
        _text("declared_by", "The first page that names it with `describedby`; null if no page does."),
        Column("declarations", "int64", "Number of pages that name it."),
        Column("uncovered", "int64", "Number of these pages that are not under its path."),
        _text("uncovered_page", "The first of these; null if there is none."),
        _text("skipped", "robots if robots.txt blocks urlset from it; null otherwise."),
        Column("status", "int32", "Status code of the last response; null if no response came."),
        _text("error_kind", "Why it was not fetched completely (a FetchError); null if it was."),
        _text("error", "The same as a sentence."),
        _text("final_url", "The URL after redirects."),
        Column("is_html", "bool", "Whether its content is HTML; null if it was not fetched."),
        Column("links", "int64", "Number of links in its lists that were read; null if it was not read."),
        Column("is_cut", "bool", "Whether it is larger or has more links than are read; null if it was not read."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    filled_by=_FILLED_BY_LLMS,
    needs="pages",
)

LLMS_PROBLEMS = Table(
    "llms_problems",
    "one problem in the form of the llms.txt of an audited site; at most 100 are kept",
    (
        Column("document_id", "int32", "The robots.txt of the site."),
        Column("ordinal", "int32", "The problem, numbered from 0 within its llms.txt."),
        _text("url", "URL of the llms.txt after redirects."),
        Column("line", "int32", "Line of the llms.txt, from 1; null for the whole file."),
        Column("col", "int32", "Column of the llms.txt, which is always null: only the line is known."),
        _text("problem", "empty, not-utf8, too-large, no-title … (an LlmsProblem)."),
        _text("about", "The same in words."),
        _text("evidence", "The text at that line, at most 120 characters."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    filled_by=_FILLED_BY_LLMS,
    needs="pages",
)

LLMS_LINKS = Table(
    "llms_links",
    "one link in a list of the llms.txt of an audited site, with the result of requesting it; at most 10,000 are kept",
    (
        Column("document_id", "int32", "The robots.txt of the site."),
        Column("ordinal", "int32", "The link, numbered from 0 within its llms.txt."),
        _text("url", "URL of the llms.txt after redirects."),
        Column("line", "int32", "Line of the llms.txt, from 1."),
        Column("col", "int32", "Column of the llms.txt, which is always null: only the line is known."),
        _text("section", "The second-level heading above it."),
        _text("written", "Its target, as written."),
        _text("target", "Its target as an absolute URL without fragment; null if it is not an http(s) URL."),
        Column("is_internal", "bool", "Whether its target is on the scheme, host, and port of the llms.txt."),
        Column("is_listed", "bool", "Whether a sitemap of the run lists its target, or the page whose twin it is."),
        _text("page", "The listed page that its target is, or is the Markdown twin of; null if there is none."),
        _text("twin", "The Markdown twin of its target; null if it is not a page, or has no twin."),
        _text("skipped", "Why it was not requested, as in `pages`; null if it was, or if it is not an http(s) URL."),
        Column("status", "int32", "Status code of the last response; null if no response came."),
        _text("error_kind", "Why it was not fetched completely (a FetchError); null if it was."),
        _text("error", "The same as a sentence."),
        _text("final_url", "The URL after redirects."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    filled_by=_FILLED_BY_LLMS,
    needs="pages",
)

TWINS = Table(
    "twins",
    "one listed page that has a Markdown twin, declares one, or was requested as Markdown, with the results",
    (
        Column("document_id", "int32", "The first document that lists the page."),
        Column("ordinal", "int32", "The entry of that document."),
        Column("line", "int32", "Line of the entry's loc, from 1."),
        Column("col", "int32", "Column of the entry's loc, in code points from 1."),
        _text("url", "The page, as written in the entry."),
        _text("twin", "URL of its Markdown twin, with fragment; null if it was only requested as Markdown."),
        _text("declared_by", "link or header if the page declares the twin; null if it was found by its name."),
        _text("form", "How its name follows from that of the page: page.md, index.html.md …; null if it does not."),
        Column("is_listed", "bool", "Whether a sitemap of the run lists the twin."),
        Column("blocked_for", "text[]", "Crawlers that robots.txt blocks from the twin, but not from the page."),
        _text(
            "skipped", "Why the twin was not requested: robots, outside (another host), or negotiated; null if it was."
        ),
        Column("status", "int32", "Status code of the last response; null if no response came."),
        _text("error_kind", "Why it was not fetched completely (a FetchError); null if it was."),
        _text("error", "The same as a sentence."),
        _text("final_url", "The URL after redirects."),
        _text("content_type", "Content-Type as sent; null if absent."),
        Column("is_html", "bool", "Whether its content is HTML; null if it was not fetched."),
        Column("words", "int64", "Number of words of the twin; null if it was not fetched, or is HTML."),
        Column("page_words", "int64", "Number of different words in the main text of the page; null if not compared."),
        Column("missing_words", "int64", "Those that the twin lacks, and most other twins have; null if not compared."),
        Column("headings", "int32", "Number of headings in the main text of the page; null if not compared."),
        Column("missing_headings", "int32", "Those that the twin lacks; headings of several pages do not count."),
        _text("missing_heading", "The first of these."),
        Column("has_title", "bool", "Whether the twin has the first heading of the page; null if not compared."),
        _text(
            "other_page",
            "The page whose first heading is the title of the twin, which lacks that of its own; null without one.",
        ),
        Column("has_headers", "bool", "Whether its headers are known: true for a server, false for a directory."),
        _text("noindex", "What excludes the twin from indexing, as written; null if nothing does."),
        _text("canonical", "The canonical in its Link headers, as written; null if absent."),
        Column("negotiated_status", "int32", "Status code of the page for `Accept: text/markdown`; null if not asked."),
        _text("negotiated_type", "Content-Type of this response."),
        _text("vary", "Vary of this response; null if absent."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
    source="pages",
    filled_by="`urlset audit`, which requests the Markdown twins of the listed pages",
    needs="pages",
)

FINDINGS = Table(
    "findings",
    "one example of a finding, or the count of a finding without examples",
    (
        _text("code", "The rule's code."),
        _text("severity", "error, warning, info, or hint."),
        DOCUMENT_ID,
        _text("document", "The requested URL or path of the document."),
        Column(
            "count", "int64", "Number of places in the document that break the rule; the same in each row of a finding."
        ),
        Column(
            "example", "int32", "Number of the example within the finding, from 1; 0 if the finding has no examples."
        ),
        Column("ordinal", "int32", "The entry; null if the finding concerns the whole document."),
        Column("line", "int32", "Line, from 1; null if unknown."),
        Column("col", "int32", "Column in code points, from 1; null if unknown."),
        _text("url", "The URL of the entry; null if the finding concerns the whole document."),
        _text("field", "The field at fault; null if there is no single field."),
        _text("value", "The value at fault, as written."),
        _text("message", "What is wrong, as a sentence."),
        _text("fingerprint", "Identifier of this finding that is stable across runs."),
        _text("cause", "Code of the rule whose finding causes this example; null if it has no known cause."),
        Column(
            "causes", "text[]", "Codes of the rules that cause places of this finding; the same in each of its rows."
        ),
        Column("cause_counts", "int64[]", "Number of places that each of these rules causes."),
        _text("linked_from", "One of the pages with the link; null if the rule is not about a link."),
    ),
    built_by="python",
    row_key=BY_ENTRY,
)

RUNS = Table(
    "runs",
    "one run in a store",
    (
        Column("run_id", "int32", "The run, numbered from 1 within its store."),
        Column("started_at", "timestamp", "When it started, UTC."),
        Column("finished_at", "timestamp", "When it finished, UTC; null while it is running or if it was interrupted."),
        Column("targets", "text[]", "The targets as given."),
        _text("settings", "The settings that affect the results, as JSON, without secrets."),
        _text("version", "Version of urlset."),
        Column("documents", "int64", "Number of documents read; null while it is running."),
        Column("urls", "int64", "Number of their entries that are URLs of pages; null while it is running."),
        Column("pages", "int64", "Number of these pages that were requested; null while it is running."),
        Column("errors", "int64", "Number of findings that are errors; null while it is running."),
        Column("warnings", "int64", "Number of findings that are warnings; null while it is running."),
        Column("infos", "int64", "Number of findings that are infos; null while it is running."),
        Column(
            "text_version",
            "int32",
            "Version of the extraction of main text from pages: `content_hash` and `words` are comparable between "
            "runs with the same value; null in runs of older urlset versions, where `version` takes its place.",
        ),
    ),
    built_by="python",
    of_run=False,
)

_SITE = _text(
    "site", "Scheme and host of the URL, such as `https://example.com`, with the port unless it is the default."
)
_CRAWLER = (
    _text("agent", "The crawler, by its product token, according to the user agent."),
    _text("verdict", "verified, impostor, or unverified: what the address of the client says about the crawler."),
)
_STATUSES = (
    Column("statuses", "int64[]", "Each status code of these requests once, in ascending order."),
    Column("status_hits", "int64[]", "Number of requests with each of these status codes."),
)

CRAWLS = Table(
    "crawls",
    "one URL that a crawler requested, by crawler and verdict, in all access logs that were read",
    (
        _SITE,
        _text("url", "The requested URL, absolute and as in the log."),
        Column(
            "page_hash",
            "int64",
            "XXH64 of the normal form of the URL as requested, with seed 42, to compare with `pages`.",
        ),
        *_CRAWLER,
        Column("first_at", "timestamp", "When it was first requested, UTC."),
        Column("last_at", "timestamp", "When it was last requested, UTC."),
        Column("hits", "int64", "Number of requests."),
        *_STATUSES,
        Column("bytes", "int64", "Number of bytes sent; null if the log does not have them."),
    ),
    built_by="python",
    of_run=False,
)

CRAWL_DAYS = Table(
    "crawl_days",
    "the requests of one crawler for one section of a site on one day, by verdict",
    (
        _SITE,
        *_CRAWLER,
        Column("day", "timestamp", "Start of the day, UTC."),
        _text("section", "The first folder of the paths, such as `/blog/`, or `/` for paths without one."),
        Column("hits", "int64", "Number of requests."),
        *_STATUSES,
    ),
    built_by="python",
    of_run=False,
)

PAGE_CRAWLS = Table(
    "page_crawls",
    "the requests of one verified crawler for one page on one day, in one part of an access log; a page can have "
    "several rows for a day",
    (
        Column(
            "page_hash",
            "int64",
            "XXH64 of the normal form of the URL as requested, with seed 42, to compare with `crawls`.",
        ),
        _text("agent", "The crawler, by its product token, according to the user agent."),
        Column("day", "timestamp", "Start of the day, UTC."),
        Column("hits", "int64", "Number of requests."),
        Column("good_hits", "int64", "Number of these requests that got 2xx or 304."),
    ),
    built_by="python",
    of_run=False,
)

PAGE_STATES = Table(
    "page_states",
    "one state of a listed page over one or more runs that were deleted, so that its dates are kept",
    (
        Column("page_hash", "int64", "XXH64 of the normal form of its URL as requested, with seed 42."),
        Column("first_at", "timestamp", "When a run first found it in this state, UTC."),
        Column("last_at", "timestamp", "When a run last found it in this state, UTC."),
        Column("lastmod_at", "timestamp", "lastmod of its entry, UTC; null if absent or invalid."),
        Column("content_hash", "int64", "XXH64 of its main text, as in `pages`; null if the text was not read."),
        _text("text_version", "Version of how the main text was read; hashes of other versions cannot be compared."),
        Column("is_indexable", "bool", "Whether it was indexable at its listed URL; null if unknown."),
        _text("reason", "Why it was not indexable, or why that is unknown (a PageReason); null if it was."),
    ),
    built_by="python",
    of_run=False,
)

SITEMAP_READINGS = Table(
    "sitemap_readings",
    "one time at which a search engine read a sitemap, as it reports",
    (
        _text("engine", "google or bing."),
        _text("url", "The sitemap."),
        Column("read_at", "timestamp", "When the search engine read it, UTC."),
        Column("errors", "int64", "Number of errors that it reports; null if it does not say."),
        Column("warnings", "int64", "Number of warnings that it reports; null if it does not say."),
        Column("asked_at", "timestamp", "When it first reported this, UTC."),
    ),
    built_by="python",
    of_run=False,
)

_PROPERTY = (
    _text("property", "The property of Search Console, such as `sc-domain:example.com`."),
    _text("search_type", "The type of search: web, image, video, news, discover, or google-news."),
)
_PACIFIC_DAY = Column("day", "timestamp", "The day in Pacific time, as Search Console counts it, at its midnight.")

SEARCH_ANALYTICS = Table(
    "search_analytics",
    "one page with impressions or clicks on one day, in one property and type of search; a page without a row may be "
    "indexed",
    (
        *_PROPERTY,
        _text("url", "The page as Google reports it: its canonical."),
        Column("page_hash", "int64", "XXH64 of the normal form of the URL as requested, with seed 42."),
        _PACIFIC_DAY,
        Column("impressions", "int64", "Number of impressions."),
        Column("clicks", "int64", "Number of clicks."),
    ),
    built_by="python",
    of_run=False,
)

SEARCH_ANALYTICS_DAYS = Table(
    "search_analytics_days",
    "one day of search_analytics; of other days, nothing is known",
    (
        *_PROPERTY,
        _PACIFIC_DAY,
        Column("is_provisional", "bool", "Whether Google was still collecting its data, so that it can change."),
        Column("is_cut", "bool", "Whether it has as many pages as the API returns, so that more may exist."),
        Column("pages", "int64", "Number of its pages."),
        Column("impressions", "int64", "Number of their impressions."),
        Column("clicks", "int64", "Number of their clicks."),
        Column("asked_at", "timestamp", "When it was requested, UTC."),
    ),
    built_by="python",
    of_run=False,
)

SITEMAP_FETCHES = Table(
    "sitemap_fetches",
    "one request of a crawler for a sitemap or robots.txt",
    (
        _SITE,
        _text("document", "URL of the sitemap or robots.txt, as in the log."),
        *_CRAWLER,
        Column("at", "timestamp", "When it was requested, UTC."),
        Column("status", "int32", "Status code of the response; null if there was no response."),
    ),
    built_by="python",
    of_run=False,
)

LOG_FILES = Table(
    "log_files",
    "one access log that was read",
    (
        _text("name", "Its path or URL when it was last read, or `<stdin>`; passwords are masked."),
        _text("format", "Its format, as in `urlset logs --format`."),
        _text("site", "The site whose requests were kept; null for all."),
        _text(
            "head_hash", "SHA-256 of the first bytes of its decompressed content, which identifies it after a rename."
        ),
        Column("head_bytes", "int64", "Number of these bytes."),
        _text("header", "Its last `#Fields:` line; null if the format has none."),
        Column("offset", "int64", "Where its next line begins in the decompressed content, in bytes from 0."),
        Column(
            "first_at",
            "timestamp",
            "The earliest time in it that was not skipped, of crawlers and people, UTC; null if it has none.",
        ),
        Column("last_at", "timestamp", "The latest time in it, of crawlers and people, UTC; null if it has none."),
        Column("lines", "int64", "Number of its lines, without comments and empty lines."),
        Column("unreadable", "int64", "Number of lines that do not follow the format."),
        Column(
            "future",
            "int64",
            "Number of lines that were skipped because they are dated more than a day after they were read; null if an "
            "older urlset read it.",
        ),
        Column("hits", "int64", "Number of lines that are requests of crawlers in the other tables."),
        Column("read_at", "timestamp", "When it was last read, UTC."),
    ),
    built_by="python",
    of_run=False,
)

_PERIOD = (
    _text("period", "First and last day of the logs, such as `2026-10-01 to 2026-10-31`."),
    Column("period_days", "double", "Length of this period in days."),
)

_FILLED_BY_LOGS = "`urlset logs`, which compares access logs with the last run in a store"

LOG_URLS = Table(
    "log_urls",
    "one URL of the site, listed or requested by a crawler, with the requests for it in access logs; impostors do not "
    "count",
    (
        Column("number", "int64", "The URL, numbered from 0 within the run."),
        Column("document_id", "int32", "The document that lists it; the first document if no sitemap lists it."),
        *_OF_LISTED,
        _text("url", "The URL."),
        Column(
            "page_hash",
            "int64",
            "XXH64 of the normal form of the URL as requested, with seed 42, to compare with `crawls`.",
        ),
        _SITE,
        _text("section", "The first folder of its path, such as `/blog/`, or `/` for paths without one."),
        Column("is_listed", "bool", "Whether a sitemap lists it."),
        Column("is_page", "bool", "Whether it can be a page: false for sitemaps, and for images, scripts, and so on."),
        Column("has_parameters", "bool", "Whether it has a query."),
        Column("lastmod_at", "timestamp", "lastmod of the entry, UTC; null if absent or invalid."),
        Column("days", "double", "Days of the period since lastmod; since its start if lastmod is earlier or absent."),
        Column("hits", "int64", "Number of requests of crawlers."),
        Column("good_hits", "int64", "Number of these requests that got 2xx or 304."),
        Column("redirect_hits", "int64", "Number of these requests that got a redirect."),
        Column(
            "search_hits",
            "int64",
            "Number of requests of search engines; null if the logs have no request of one for the site.",
        ),
        Column("searched_at", "timestamp", "When a search engine last requested it, UTC; null if none did."),
        Column("verified_hits", "int64", "Number of requests of verified crawlers."),
        Column(
            "error_hits",
            "int64",
            "Number of requests of verified crawlers that got 4xx or 5xx; 403 and 429 only count if robots.txt is "
            "unknown.",
        ),
        _text(
            "error_statuses", "The status codes of these responses, separated by commas; null without such responses."
        ),
        _text("error_agents", "The crawlers that got them, separated by commas; null without such responses."),
        Column("blocked_hits", "int64", "Number of requests of verified crawlers that robots.txt blocks from it."),
        _text("blocked_agents", "These crawlers, separated by commas; null if it blocks none of these requests."),
        *_PERIOD,
    ),
    built_by="python",
    url_column="url",
    row_key="number",
    source="logs",
    filled_by=_FILLED_BY_LOGS,
)

LOG_CRAWLERS = Table(
    "log_crawlers",
    "one crawler in access logs, with what it requested of the site",
    (
        Column("number", "int64", "The crawler, numbered from 0 within the run."),
        Column("document_id", "int32", "The first document."),
        _text("agent", "The crawler, by its product token, according to the user agent."),
        _text("operator", "The company that runs it."),
        _text("purpose", "search, ai-search, ai-training, or user, as in `urlset robots --all-agents`."),
        Column("hits", "int64", "Number of its requests, without those of impostors."),
        Column("verified_hits", "int64", "Number of these requests that are verified."),
        Column("impostor_hits", "int64", "Number of requests of impostors."),
        Column("page_hits", "int64", "Number of its requests for URLs that can be pages, without those of impostors."),
        Column(
            "wasted_hits",
            "int64",
            "Number of these requests for URLs that are not listed or have parameters, or that got a redirect.",
        ),
        Column("unlisted_hits", "int64", "Number of these requests for URLs that are not listed."),
        Column("redirect_hits", "int64", "Number of these requests that got a redirect."),
        Column("parameter_hits", "int64", "Number of these requests for URLs that are not listed and have parameters."),
        Column("wasted_share", "double", "wasted_hits as a share of page_hits; null if page_hits is 0."),
        Column("allowed_hits", "int64", "Number of its verified requests for URLs that robots.txt allows."),
        Column("refused_hits", "int64", "Number of these requests that got 403 or 429."),
        _text("refused_url", "One of the URLs of these responses; null without such responses."),
        Column("listed", "int64", "Number of listed URLs."),
        Column("fetched", "int64", "Number of listed URLs that it requested."),
        Column("dated", "int64", "Number of listed URLs that have a valid lastmod."),
        Column("fresh", "int64", "Number of these URLs that it requested after their lastmod."),
        Column(
            "delay_days",
            "double",
            "Median of the days from lastmod to the next request, for listed URLs whose lastmod is in the period; null "
            "without such URLs.",
        ),
        Column("delay_urls", "int64", "Number of these URLs."),
        Column(
            "delay_is_estimate",
            "bool",
            "Whether the median is an estimate: of more than two requests for a URL, only the times of the first and "
            "last are known, so the mean time between them counts.",
        ),
        *_PERIOD,
    ),
    built_by="python",
    row_key="number",
    source="logs",
    filled_by=_FILLED_BY_LOGS,
)

LOG_SITEMAPS = Table(
    "log_sitemaps",
    "one sitemap of a run and one search engine that requested pages of the site, with its requests for the sitemap",
    (
        Column("number", "int64", "The pair, numbered from 0 within the run."),
        Column("document_id", "int32", "The sitemap."),
        _text("url", "URL of the sitemap."),
        _text("engine", "The company that runs the search engine."),
        Column("hits", "int64", "Number of requests, without those of impostors."),
        Column("last_at", "timestamp", "When it was last requested, UTC; null if it was not."),
        Column("days", "double", "Days from then to the end of the period; from its start if there was no request."),
        *_PERIOD,
    ),
    built_by="python",
    url_column="url",
    row_key="number",
    source="logs",
    filled_by=_FILLED_BY_LOGS,
)

INDEX_STATES = Table(
    "index_states",
    "one report of a search engine on one URL, from an export or the URL Inspection API",
    (
        _text("url", "The URL as reported."),
        Column(
            "page_hash",
            "int64",
            "XXH64 of the normal form of the URL as requested, with seed 42, to compare with `pages`.",
        ),
        _text("engine", "The search engine: google, bing, or the name given with `--engine`."),
        _text("source", "search-console (an export), url-inspection (the API), bing (an export), or csv."),
        _text("state", "indexed or not-indexed; null if the report does not say."),
        _text("reason", "Why, as one of the reasons that urlset knows (an IndexReason); null for any other."),
        _text("reason_text", "The reason or state as reported, in the language of the report; null if absent."),
        Column("last_crawled", "timestamp", "When the search engine last crawled it, UTC; null if never or unknown."),
        _text("canonical", "The canonical that the search engine chose; null if not reported."),
        Column("canonical_hash", "int64", "The page_hash of canonical; null if not reported."),
        _text(
            "user_canonical", "The canonical that the page declares, according to the search engine; null if absent."
        ),
        Column("user_canonical_hash", "int64", "The page_hash of user_canonical; null if absent."),
        Column("sitemaps", "text[]", "Sitemaps with the URL that the search engine knows; null if not reported."),
        Column("at", "timestamp", "The date of the report, or of the import if it has none, UTC."),
    ),
    built_by="python",
    of_run=False,
)

COVERAGE = Table(
    "coverage",
    "one URL that a sitemap lists or a search engine reports; only for the rules of `urlset coverage`",
    (
        Column("number", "int64", "The URL, numbered from 0 within the run."),
        Column("document_id", "int32", "The first document that lists it; the first document if none does."),
        *_OF_LISTED,
        _text("url", "The URL."),
        Column("page_hash", "int64", "XXH64 of the normal form of the URL as requested, with seed 42."),
        _text("section", "Its host and the first folder of its path, such as `example.com/blog/`."),
        Column("is_listed", "bool", "Whether a sitemap lists it; null if some sitemaps could not be read."),
        Column("is_fetched", "bool", "Whether a crawler of the search engine fetched it; null if unknown."),
        Column("is_indexable", "bool", "Whether the page is indexable at this URL; null if unknown."),
        Column("is_indexed", "bool", "Whether the search engine reports it as indexed; null if unknown."),
        *INDEX_STATES.columns[2:],
        Column("is_in_sitemaps", "bool", "Whether a sitemap in sitemaps lists it in this run; null if not reported."),
    ),
    built_by="engine",
    url_column="url",
    row_key="number",
    source="reports",
    filled_by="`urlset coverage`, which reads the reports of search engines",
)

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        DOCUMENTS,
        URLS,
        CHILDREN,
        ALTERNATES,
        LINK_SETS,
        IMAGES,
        VIDEOS,
        NEWS,
        ANOMALIES,
        ROBOTS,
        ROBOTS_FILES,
        SITEMAP_LINES,
        ROBOTS_EXTENSIONS,
        BLOCKED_URLS,
        CUTS,
        STALE_LASTMODS,
        PAGES,
        MEDIA,
        CRAWLED,
        LINKS,
        LINKED_ANCHORS,
        ANCHORS,
        LINKED,
        BROKEN_ANCHORS,
        EXTERNAL_LINKS,
        ACCESS,
        KEY_FILES,
        SITE_FAULTS,
        SERVED,
        LLMS_FILES,
        LLMS_PROBLEMS,
        LLMS_LINKS,
        TWINS,
        FINDINGS,
        RUNS,
        CRAWLS,
        CRAWL_DAYS,
        PAGE_CRAWLS,
        PAGE_STATES,
        SITEMAP_READINGS,
        SEARCH_ANALYTICS,
        SEARCH_ANALYTICS_DAYS,
        SITEMAP_FETCHES,
        LOG_FILES,
        LOG_URLS,
        LOG_CRAWLERS,
        LOG_SITEMAPS,
        INDEX_STATES,
        COVERAGE,
        OPEN_SETS,
        OPEN_LINKS,
        OPEN_HREFS,
        OPEN_PAIRS,
        SHARED_LOCS,
    )
}

READER_TABLES: tuple[str, ...] = tuple(name for name, table in TABLES.items() if table.built_by == "core")

ROBOTS_TABLES: tuple[str, ...] = tuple(name for name, table in TABLES.items() if table.built_by == "robots")
"""Tables that the core builds from robots.txt files."""

CHUNK_TABLES: tuple[str, ...] = (*READER_TABLES, BLOCKED_URLS.name)
"""Tables whose rows arrive with the entries of a document."""

RUN_TABLES: tuple[str, ...] = tuple(
    table.name
    for table in (
        ROBOTS,
        ROBOTS_FILES,
        SITEMAP_LINES,
        ROBOTS_EXTENSIONS,
        CUTS,
        STALE_LASTMODS,
        PAGES,
        MEDIA,
        CRAWLED,
        LINKED,
        BROKEN_ANCHORS,
        EXTERNAL_LINKS,
        KEY_FILES,
        SITE_FAULTS,
        SERVED,
        LOG_URLS,
        LOG_CRAWLERS,
        LOG_SITEMAPS,
        COVERAGE,
        LLMS_FILES,
        LLMS_PROBLEMS,
        LLMS_LINKS,
        TWINS,
    )
)
"""Tables about the whole run. Every rule on sets sees all rows that are known when it runs."""
