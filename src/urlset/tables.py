"""The tables every stage meets at: names, columns, types and units, in one place.

The Rust core builds the tables marked `built_by="core"` of sitemaps, and those marked `"robots"` of robots.txt files; a
test holds its Arrow schemas to this file.
Raw text is kept beside the parsed value, because absent, bad and good must stay three different things:
a raw column is null when the field is absent, and its `*_problem` column says what is wrong with it, if anything.

Vocabulary shared by all tables:

* `document_id` numbers the documents of one run from 0.
* `ordinal` numbers the entries of one document from 0, in the order they are written.
* `line` and `col` count from 1; `col` counts Unicode code points. (`column` is a reserved word in SQL.)
* `byte_offset` counts from 0 in the decompressed document, after its conversion to UTF-8.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec import Struct

SITEMAP_KINDS = ("urlset", "sitemapindex", "text", "rss", "atom")
"""Kinds of document that list URLs: the formats of the protocol."""

PAGE_LIST_KINDS = tuple(kind for kind in SITEMAP_KINDS if kind != "sitemapindex")
"""Those that list pages."""

CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
"""The values of changefreq: https://www.sitemaps.org/protocol.html#changefreqdef."""

ColumnType = Literal["int32", "int64", "double", "bool", "text", "text[]", "int64[]", "timestamp"]


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""What a `timestamp` counts from."""


def instant(microseconds: int | None) -> datetime | None:
    """Return a `timestamp` as a datetime in UTC."""
    return None if microseconds is None else EPOCH + timedelta(microseconds=microseconds)


class Column(Struct, frozen=True):
    """One column: its name, its type and, in a sentence, what it holds and in which unit."""

    name: str
    type: ColumnType
    about: str


class Table(Struct, frozen=True):
    """One table: what a row is, and its columns in order.

    Attributes:
        name: Its name.
        row: What a row is.
        columns: The columns, in order.
        built_by: Who builds it.
        url_column: The column with the URL of the entry that a row belongs to; None when other tables have it.
        row_key: SQL for an integer that puts the rows of a document in document order.
        ties: The columns that tell rows with the same key apart; none where the key is unique.
        counted: SQL aggregate for the number of breaches that rows stand for.
        is_small: Whether asking if any row breaks a rule costs less than counting those that do.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    built_by: Literal["core", "robots", "python", "engine"]
    url_column: str | None = None
    row_key: str = "0::BIGINT"
    ties: tuple[str, ...] = ()
    counted: str = "count(*)"
    is_small: bool = False

    def column(self, name: str) -> Column:
        """The column called `name`; KeyError if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(column.name for column in self.columns)


BY_ENTRY = "ordinal::BIGINT"
"""The `row_key` of a table with one row for each entry."""

BY_RECORD = "(ordinal::BIGINT * 4294967296 + position)"
"""The `row_key` of a table with several rows for each entry."""

DOCUMENT_ID = Column("document_id", "int32", "The document, numbered from 0 within the run.")
ORDINAL = Column("ordinal", "int32", "The entry, numbered from 0 within its document.")
POSITION = Column("position", "int32", "The record, numbered from 0 within its entry.")
LINE = Column("line", "int32", "Line of the start tag, from 1.")
COL = Column("col", "int32", "Column of the start tag, in code points from 1.")
BYTE_OFFSET = Column("byte_offset", "int64", "Offset of the start tag in the decoded document, in bytes from 0.")
REPEATS = Column(
    "repeats", "text[]", "Fields given again: `name=value` for each one after the first; null if there is none."
)
TRAITS = Column("traits", "int32", "What is uncommon about the entry: a sum of the bits of its traits, listed below.")


def _text(name: str, about: str) -> Column:
    return Column(name, "text", about)


def _place(field: str) -> tuple[Column, Column]:
    return (
        Column(f"{field}_line", "int32", f"Line of the {field} value, from 1; null when absent."),
        Column(f"{field}_col", "int32", f"Column of the {field} value, in code points from 1; null when absent."),
    )


def _url(field: str, about: str) -> tuple[Column, Column]:
    return (
        _text(field, about),
        _text(
            f"{field}_problem",
            f"What is wrong with {field} (a UrlProblem); null when good or absent.",
        ),
    )


def _date(field: str, about: str) -> tuple[Column, ...]:
    return (
        _text(field, about),
        Column(f"{field}_at", "timestamp", f"{field} as an instant in UTC, in microseconds; null when unreadable."),
        _text(f"{field}_precision", "year, month, day, minute, second or fraction; null when unreadable."),
        _text(f"{field}_problem", f"What breaks W3C datetime in {field} (a DateProblem); null when good or absent."),
    )


def _field_places(but: str = "") -> tuple[Column, ...]:
    return (
        Column(
            "field_names",
            "text[]",
            f"The columns of its fields{but}, in the order in which they are written; null when there is none.",
        ),
        Column("field_lines", "int64[]", "Line of the first value of each of those, from 1."),
        Column("field_cols", "int64[]", "Column of the first value of each of those, in code points from 1."),
    )


_ENTRY = (DOCUMENT_ID, ORDINAL, LINE, COL, BYTE_OFFSET)
_RECORD = (DOCUMENT_ID, ORDINAL, POSITION, LINE, COL)
_LOC = (
    *_url("loc", "The URL as written: entities decoded once, outer white space removed; null when there is no loc."),
    *_place("loc"),
    Column("loc_length", "int32", "Length of loc in code points; null when absent."),
    Column("loc_hash", "int64", "XXH64 of loc with seed 42 (Spark's xxhash64), to compare by; null when absent."),
    _text("scheme", "Scheme of loc in lower case; null when it has none."),
    _text("host", "Host of loc in lower case, without port and user info; null when it has none."),
    Column("port", "int32", "Port written in loc; null when none is written or it is no number below 65,536."),
    _text("path", "Path of loc as written, without query and fragment; null when loc is not hierarchical."),
)
_LASTMOD = (*_date("lastmod", "lastmod as written, outer white space removed; null when absent."), *_place("lastmod"))

URLS = Table(
    "urls",
    "one entry of a urlset, text sitemap or feed",
    (
        *_ENTRY,
        *_LOC,
        *_LASTMOD,
        _text("lastmod_from", "The element of a feed that lastmod is read from: pubDate, updated …; null in sitemaps."),
        _text("changefreq", "changefreq as written, outer white space removed; null when absent."),
        *_place("changefreq"),
        _text("priority", "priority as written, outer white space removed; null when absent."),
        Column("priority_value", "double", "priority as a number; null when absent or not an XSD decimal."),
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
        _text("rel", "rel as written; null when absent."),
        _text("hreflang", "hreflang as written; null when absent."),
        _text("hreflang_problem", "What is wrong with hreflang (a HreflangProblem); null when good or absent."),
        *_url("href", "href as written; null when absent."),
        Column("href_hash", "int64", "XXH64 of href with seed 42, to compare with loc_hash; null when absent."),
        _text("media", "media as written, which links to mobile pages have; null when absent."),
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
    Column("links", "int32", "How many links with a href it has."),
    Column("targets", "int32", "How many different href those have."),
    Column("self_links", "int32", "How many of the links point to loc itself."),
    Column("default_links", "int32", "How many of the links are x-default."),
    Column("repeated_codes", "int32", "How many of the links have the hreflang of an earlier one."),
    Column("targets_hash", "int64", "href_hash of every target, combined by exclusive or."),
    Column("set_hash", "int64", "Equal in entries whose links have the same hreflang and href, in any order."),
)

LINK_SETS = Table(
    "link_sets", "the hreflang links of one entry, taken together", _SET_COLUMNS, built_by="core", row_key=BY_ENTRY
)

OPEN_SETS = Table(
    "open_sets",
    "one of link_sets whose targets do not all have the very same links; for rules of urlset alone",
    _SET_COLUMNS,
    built_by="engine",
    row_key=BY_ENTRY,
)

OPEN_LINKS = Table(
    "open_links",
    "one hreflang link with a valid href of an entry of open_sets; for rules of urlset alone",
    (
        DOCUMENT_ID,
        ORDINAL,
        Column("href_hash", "int64", "XXH64 of href with seed 42."),
        _text("href", "href as written, of the first 100 entries of the document; null in others."),
    ),
    built_by="engine",
    row_key=BY_ENTRY,
)

SHARED_LOCS = Table(
    "shared_locs",
    "one loc that more than one entry of the run has; for rules of urlset across documents",
    (Column("loc_hash", "int64", "loc_hash of the entries."),),
    built_by="engine",
)

IMAGES = Table(
    "images",
    "one image:image record of an entry",
    (
        *_RECORD,
        *_url("loc", "image:loc."),
        _text("caption", "image:caption (deprecated 2022-05)."),
        _text("geo_location", "image:geo_location (deprecated 2022-05)."),
        _text("title", "image:title (deprecated 2022-05)."),
        *_url("license", "image:license (deprecated 2022-05)."),
        *_field_places(" but loc"),
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
        *_url("player_loc", "video:player_loc."),
        _text("player_loc_allow_embed", "Attribute allow_embed of video:player_loc (deprecated 2022-05)."),
        _text("player_loc_autoplay", "Attribute autoplay of video:player_loc (deprecated 2022-05)."),
        _text("duration", "video:duration, in seconds."),
        Column("duration_value", "double", "duration as a number; null when absent or not a decimal."),
        *_date("expiration_date", "video:expiration_date."),
        _text("rating", "video:rating."),
        Column("rating_value", "double", "rating as a number; null when absent or not a decimal."),
        _text("view_count", "video:view_count."),
        Column("view_count_value", "double", "view_count as a number; null when absent or not a decimal."),
        *_date("publication_date", "video:publication_date."),
        _text("family_friendly", "video:family_friendly."),
        _text("restriction", "video:restriction: country codes separated by spaces."),
        _text("restriction_relationship", "Attribute relationship of video:restriction."),
        _text("platform", "video:platform: platforms separated by spaces."),
        _text("platform_relationship", "Attribute relationship of video:platform."),
        _text("requires_subscription", "video:requires_subscription."),
        _text("uploader", "video:uploader."),
        *_url("uploader_info", "Attribute info of video:uploader."),
        _text("live", "video:live."),
        Column("tags", "text[]", "Every video:tag; null when there is none."),
        Column("content_segment_locs", "text[]", "Every video:content_segment_loc; null when there is none."),
        Column("content_segment_durations", "text[]", "Attribute duration of each of those; null where absent."),
        _text("id", "video:id."),
        _text("id_type", "Attribute type of video:id."),
        _text("category", "video:category (deprecated 2022-05)."),
        *_url("gallery_loc", "video:gallery_loc (deprecated 2022-05)."),
        _text("gallery_loc_title", "Attribute title of video:gallery_loc."),
        Column("prices", "text[]", "Every video:price (deprecated 2022-05); null when there is none."),
        Column("price_currencies", "text[]", "Attribute currency of each price; null where absent."),
        Column("price_types", "text[]", "Attribute type of each price; null where absent."),
        Column("price_resolutions", "text[]", "Attribute resolution of each price; null where absent."),
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
        _text("access", "news:access (obsolete)."),
        _text("genres", "news:genres (obsolete)."),
        _text("keywords", "news:keywords (obsolete)."),
        _text("stock_tickers", "news:stock_tickers (obsolete)."),
        _text("geo_locations", "news:geo_locations (obsolete)."),
        *_field_places(),
        REPEATS,
    ),
    built_by="core",
    row_key=BY_RECORD,
)

ANOMALIES = Table(
    "anomalies",
    "one thing the reader noticed, repaired or could not keep",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The entry it belongs to; null outside entries."),
        _text("kind", "What it is: one of the closed set AnomalyKind."),
        _text("field", "The element it concerns, without prefix, in lower case; null when there is none."),
        Column("line", "int32", "Line, from 1; null for what has no place in the text (a damaged gzip, say)."),
        Column("col", "int32", "Column in code points, from 1; null as line."),
        BYTE_OFFSET,
        _text("evidence", "What was seen, at most 120 characters, control characters escaped."),
        Column("count", "int64", "How many it stands for: 1, or all past the first 1,000 of its kind in the document."),
    ),
    built_by="core",
    row_key="byte_offset",
    ties=("kind", "evidence"),
    counted='sum("count")',
)

DOCUMENTS = Table(
    "documents",
    "one fetched sitemap, feed or other file, as it was found",
    (
        DOCUMENT_ID,
        _text("url", "What was asked for: a URL, a path, or `<stdin>`, `<bytes>`, `<file>`."),
        _text("final_url", "The URL after redirects; equal to url for what is not fetched."),
        _text("host", "Host of final_url in lower case; null for what is not fetched."),
        _text("site_path", "Path of final_url, or for a file its path below the folder given, with a leading slash."),
        Column("parent_id", "int32", "The index or robots.txt that lists it; null when there is none."),
        Column("parent_ordinal", "int32", "The entry of the parent that lists it; null when given by the user."),
        Column("depth", "int32", "How many indexes above it: 0 for what was given or found by a search."),
        _text("found_by", "given, robots, well-known, html-link, http-header or index."),
        _text("kind", "urlset, sitemapindex, text, rss, atom, robots, html, xml, json, empty, zip … (a DocumentKind)."),
        _text("version", "Version of a feed: 0.9, 0.91, 1.0, 2.0, 0.3 …; null for other kinds."),
        _text("root", "Name of the root element as written; null when there is none."),
        _text("namespace", "Namespace of the root element; null when it has none."),
        _text("first_line", "First line with text in it, at most 120 characters; null unless the kind is unknown."),
        Column("http_status", "int32", "Status of the last response; null for what is not fetched."),
        Column("redirects", "text[]", "Every URL passed through after the first; null for what is not fetched."),
        Column("redirect_statuses", "int64[]", "Status of each of those redirects; null for what is not fetched."),
        _text("trouble", "What kept it from coming whole: dns, refused, tls … (a Trouble); null if nothing did."),
        _text("content_type", "Content-Type as sent; null when absent."),
        _text("etag", "ETag as sent; null when absent."),
        _text("last_modified", "Last-Modified as sent; null when absent."),
        Column("wire_bytes", "int64", "Size as received, in bytes."),
        Column("bytes", "int64", "Size after decompression, in bytes."),
        _text("compression", "none or gzip."),
        _text("content_encoding", "Content-Encoding that was undone: gzip, deflate, br, zstd; null if none was."),
        _text("encoding", "The encoding it was read in, by its name in the WHATWG Encoding Standard."),
        _text("declared_encoding", "The encoding its XML declaration names, as written; null when none is named."),
        Column("has_bom", "bool", "Whether it begins with a byte order mark."),
        Column("has_declaration", "bool", "Whether it begins with an XML declaration."),
        Column("stylesheet", "text", "The href of `<?xml-stylesheet?>`, as written; null when there is none."),
        Column(
            "namespaces",
            "text[]",
            "Every namespace declared, once, as `prefix=uri`; the prefix may be empty.",
        ),
        Column("namespace_lines", "int64[]", "Line of each of those declarations, from 1."),
        Column("namespace_cols", "int64[]", "Column of each of those declarations, in code points from 1."),
        Column(
            "foreign_namespaces",
            "text[]",
            "Namespaces of elements that urlset ignores as unknown: the first 1,000, then `…` for all others.",
        ),
        Column("foreign_counts", "int64[]", "How many elements of each of those were passed over."),
        Column("entries", "int64", "How many entries it has: rows of urls and of children."),
        Column("images", "int64", "How many image records."),
        Column("videos", "int64", "How many video records."),
        Column("news", "int64", "How many news records."),
        Column("alternates", "int64", "How many hreflang links."),
        Column("lastmod_missing", "int64", "How many entries have no lastmod."),
        Column("lastmod_oldest", "timestamp", "The oldest readable lastmod, UTC; null when there is none."),
        Column("lastmod_newest", "timestamp", "The newest readable lastmod, UTC; null when there is none."),
        Column("lastmod_days", "int64", "How many entries have a lastmod that is a day without a time."),
        Column("lastmod_times", "int64", "How many entries have a lastmod with a time."),
        Column("hints", "int64", "How many entries have changefreq or priority."),
        Column("priorities", "int64", "How many entries have a priority that is a number."),
        Column("priority_lowest", "double", "The lowest of those; null when there is none."),
        Column("priority_highest", "double", "The highest of those; null when there is none."),
        Column("sites", "text[]", "Every scheme and host of its good URLs, `https://example.com`; the first 100."),
        Column("loc_longest", "int32", "Length of its longest loc in code points; 0 when there is none."),
        Column("loc_slashes", "int64", "How many loc end with a slash."),
        Column("loc_repeats", "int64", "How many loc repeat an earlier one, by loc_hash; null past 1,000,000 URLs."),
        Column("traits", "int32", "Every bit that is set in traits of any of its entries."),
        Column("well_formed", "bool", "Whether it is well-formed XML with namespaces; null for what is no XML."),
        Column("complete", "bool", "False when it is cut off or a bound stopped the reading."),
        _text("sha256", "SHA-256 of the bytes as received, without Content-Encoding, in hexadecimal."),
        Column("fetched_at", "timestamp", "When it was received, UTC."),
        Column("elapsed_ms", "double", "How long fetching and reading took, in milliseconds."),
        _text("error", "Why it could not be read, in a sentence; null when it could."),
    ),
    built_by="python",
    is_small=True,
)

CUTS = Table(
    "cuts",
    "one thing that an index lists and that was not followed; entries past a bound together",
    (
        Column("document_id", "int32", "The document that lists it."),
        Column("ordinal", "int32", "The entry of that document; of several the first."),
        Column("line", "int32", "Line of that entry, from 1."),
        Column("col", "int32", "Column of that entry, in code points from 1."),
        _text("kind", "self, cycle, repeated, depth-limit, document-limit or byte-limit (a CutKind)."),
        _text("url", "What it names."),
        Column("read_as", "int32", "The document that was read instead; null where a bound was reached."),
        Column("count", "int64", "How many entries it stands for."),
    ),
    built_by="python",
    row_key=BY_ENTRY,
)

ROBOTS = Table(
    "robots",
    "one rule of a robots.txt and one agent that it is for; an agent's group without rules is a row, too",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The row, numbered from 0 within its robots.txt; no more than 100,000 are kept."),
        Column("line", "int32", "Line of the rule, from 1; of the User-agent line when the group has no rules."),
        Column("col", "int32", "Column of that line's key, in code points from 1."),
        _text("agent", "Value of the User-agent line, as written."),
        Column("allow", "bool", "True for Allow, false for Disallow; null when the group has no rules."),
        _text("pattern", "The rule's path as written; empty when it says nothing, null when the group has no rules."),
    ),
    built_by="robots",
    row_key=BY_ENTRY,
)

ROBOTS_FILES = Table(
    "robots_files",
    "one robots.txt that was asked for, whether it could be read or not",
    (
        Column("document_id", "int32", "The document that it is."),
        _text("url", "Where it was asked for; null if that is not known."),
        _text("scheme", "Scheme of the URLs that it speaks for; null as url."),
        _text("host", "Their host in lower case; null as url."),
        Column("port", "int32", "Their port, the usual one if none is written; null as url."),
        _text("availability", "read, unavailable (there is none) or unreachable (nobody can tell)."),
        Column("bytes", "int64", "Its size, in bytes."),
        Column("bytes_unread", "int64", "How many of those lie behind the bound of 500 KiB and were not read."),
        Column("is_html", "bool", "Whether it begins as an HTML page does."),
        Column("sitemaps", "int64", "How many Sitemap lines with a value it has."),
    ),
    built_by="python",
)

SITEMAP_LINES = Table(
    "sitemap_lines",
    "one Sitemap line of a robots.txt",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The line among the Sitemap lines, numbered from 0 within its robots.txt."),
        Column("line", "int32", "Line, from 1."),
        Column("col", "int32", "Column of the key, in code points from 1."),
        _text("key", "The key as written."),
        _text("value", "The value as written, without a comment."),
        *_url("loc", "The value, made absolute if it is relative and the URL of robots.txt is known."),
        *_LOC[2:],
        Column("is_relative", "bool", "Whether the value lacks a scheme."),
    ),
    built_by="robots",
    url_column="loc",
    row_key=BY_ENTRY,
)

FORBIDDEN = Table(
    "forbidden",
    "one listed URL and one agent that a rule of robots.txt keeps from it",
    (
        DOCUMENT_ID,
        Column("ordinal", "int32", "The entry; null when it is the document itself that is forbidden."),
        Column("position", "int32", "The agent, numbered from 0 among those asked about."),
        Column("line", "int32", "Line of the entry's loc, from 1; null for the document itself."),
        Column("col", "int32", "Column of the entry's loc, in code points from 1; null for the document itself."),
        _text("agent", "The agent asked about."),
        Column("robots_id", "int32", "The document_id of the robots.txt."),
        Column("robots_line", "int32", "Line of the rule that forbids it, from 1."),
        _text("pattern", "That rule's path, as written."),
    ),
    built_by="robots",
    row_key=BY_RECORD,
)

ACCESS = Table(
    "access",
    "one section of a site and one crawler: how many of its listed URLs robots.txt keeps from it",
    (
        Column("document_id", "int32", "The robots.txt."),
        _text("host", "The host that it speaks for."),
        _text("section", "The first folder of the paths, `/blog/`, or `/` for what lies in none."),
        _text("agent", "The crawler, by its product token."),
        Column("urls", "int64", "Listed URLs of the section."),
        Column("forbidden", "int64", "How many of those the crawler may not fetch."),
    ),
    built_by="python",
)

_ANSWER = (
    Column("status", "int32", "Status of the last answer; null without one."),
    Column("hops", "text[]", "Every URL it redirects to, in order; null if it does not redirect."),
    Column("hop_statuses", "int64[]", "Status of each of those redirects."),
    _text("final_url", "The URL after redirects."),
)
_TIME = (
    _text("error", "The same in a sentence."),
    Column("fetched_at", "timestamp", "When the last answer came, UTC."),
    Column("elapsed_ms", "double", "How long it took, redirects included, in milliseconds."),
)
_FORBIDDEN_BY = _text(
    "forbidden_by", "The rule of robots.txt that keeps us from it, as `line N: pattern`; null if none does."
)
_METHOD = _text("method", "Method of the last request, HEAD or GET; null if it was not asked for.")

PAGES = Table(
    "pages",
    "one listed page that was looked at, or left out for a reason, once however often it is listed",
    (
        Column("document_id", "int32", "The first document that lists it."),
        Column("ordinal", "int32", "The entry of that document."),
        Column("line", "int32", "Line of the entry's loc, from 1."),
        Column("col", "int32", "Column of the entry's loc, in code points from 1."),
        _text("url", "Its URL, as the entry has it."),
        Column("loc_hash", "int64", "XXH64 of the URL with seed 42, to compare with `urls` and `alternates`."),
        Column("lastmod_at", "timestamp", "lastmod of the entry, UTC; null when absent or unreadable."),
        _text("lastmod", "lastmod of the entry as written; null when absent."),
        _text("lastmod_precision", "year, month, day, minute, second or fraction; null when unreadable."),
        _text(
            "left_out",
            "Why it has no result: robots, private (the address guard) or internal-error, which is in `error`; null if "
            "it has one.",
        ),
        _FORBIDDEN_BY,
        _METHOD,
        Column("head_status", "int32", "What HEAD answered where GET was needed after it; null otherwise."),
        _text("head_trouble", "What kept HEAD from being answered, where GET was needed after it; null otherwise."),
        *_ANSWER,
        _text("trouble", "What kept it from coming whole: dns, refused, tls … (a Trouble); null if nothing did."),
        *_TIME,
        Column("bytes", "int64", "Size of the body as far as it was fetched, without Content-Encoding."),
        Column("complete", "bool", "False when a bound stopped the reading of its HTML; null where none was read."),
        _text("content_type", "Content-Type as sent; null when absent."),
        _text("last_modified", "Last-Modified as sent; null when absent."),
        Column("last_modified_at", "timestamp", "Last-Modified as an instant in UTC; null when absent or unreadable."),
        _text("etag", "ETag as sent; null when absent."),
        Column("x_robots", "text[]", "Every X-Robots-Tag as sent; null when there is none."),
        Column("meta_robots", "text[]", "Every robots meta element as `name: content`; null when there is none."),
        _text(
            "noindex", "What keeps engines from indexing it, as written: `meta robots: noindex`; null if nothing does."
        ),
        Column("noindex_agents", "text[]", "Whom noindex or none is told: agents, `*` for all; null if nobody is."),
        Column("unavailable_after_at", "timestamp", "The earliest unavailable_after, UTC; null when there is none."),
        Column("canonical_links", "text[]", "href of every canonical link in its head, as written."),
        Column("canonical_headers", "text[]", "Every canonical in its Link headers, as written."),
        _text("canonical", "The first of those as an absolute URL; null when there is none."),
        Column("canonical_hash", "int64", "XXH64 of canonical with seed 42, to compare with loc_hash."),
        Column("canonical_is_self", "bool", "Whether that is the page itself; null when there is none."),
        Column("refresh_seconds", "double", "Seconds of its meta refresh; null when there is none."),
        _text("refresh_url", "Where its meta refresh leads, as an absolute URL; null for a reload."),
        _text("html_lang", "lang of its html element, as written."),
        Column("hreflang_codes", "text[]", "hreflang of every alternate link in its head and its Link headers."),
        Column("hreflang_hashes", "int64[]", "XXH64 of each of their absolute URLs with seed 42."),
        _text("title", "Its title, white space collapsed, at most 300 characters."),
        Column("words", "int64", "Words of its main text; null where the body was not fetched."),
        Column("content_hash", "int64", "Hash of its main text; null where the body was not fetched."),
        Column("has_password", "bool", "Whether it asks for a password."),
        _text("page_modified", "When it says that it was changed, as written; null when it does not."),
        Column("page_modified_at", "timestamp", "The same as an instant in UTC; null when absent or unreadable."),
        _text("page_modified_from", "Where it says so: article:modified_time, json-ld:dateModified, time …"),
        Column("lastmod_at_before", "timestamp", "lastmod in the run before, UTC; null when there was none."),
        Column("content_hash_before", "int64", "content_hash in the run before; null when there was none."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_ENTRY,
)

MEDIA = Table(
    "media",
    "one listed image, thumbnail or video that was looked at, or left out for a reason, once however often it is named",
    (
        Column("document_id", "int32", "The first document that names it."),
        Column("ordinal", "int32", "The entry of that document."),
        Column("position", "int32", "The record of that entry, in `images` or `videos`."),
        Column("line", "int32", "Line of the record, from 1."),
        Column("col", "int32", "Column of the record, in code points from 1."),
        _text("kind", "image, thumbnail (of a video) or video (its file)."),
        _text("url", "Its URL, as the record has it."),
        _text(
            "left_out",
            "Why it has no result: robots, private, video (never asked for) or internal-error; null if it has one.",
        ),
        _FORBIDDEN_BY,
        Column("forbidden_to", "text[]", "Crawlers of the run that robots.txt keeps from it; null if none is."),
        _METHOD,
        *_ANSWER,
        _text("trouble", "What kept it from coming: dns, refused, tls … (a Trouble); null if nothing did."),
        *_TIME,
        Column("bytes", "int64", "Its size as Content-Length says it; null when absent."),
        _text("content_type", "Content-Type as sent; null when absent."),
        _text("format", "png, jpeg, gif, webp, avif, bmp or svg by its first bytes, none if they are none of those."),
        Column("width", "int32", "Width in pixels; null where it was not fetched or does not say."),
        Column("height", "int32", "Height in pixels; null as width."),
    ),
    built_by="python",
    url_column="url",
    row_key=BY_RECORD,
)

FINDINGS = Table(
    "findings",
    "one example of a broken rule, or the count of one without examples",
    (
        _text("code", "The rule's code."),
        _text("severity", "error, warning, info or hint."),
        DOCUMENT_ID,
        _text("document", "What was asked for to get the document: a URL or a path."),
        Column("count", "int64", "Places of the document that break the rule; the same in each row of a finding."),
        Column("example", "int32", "Which example of the finding this is, from 1; 0 where there is none but a count."),
        Column("ordinal", "int32", "The entry; null for what concerns the whole document."),
        Column("line", "int32", "Line, from 1; null when unknown."),
        Column("col", "int32", "Column in code points, from 1; null when unknown."),
        _text("url", "The entry's URL; null for what concerns the whole document."),
        _text("field", "The field that is at fault; null when it is no single field."),
        _text("value", "The value at fault, as written."),
        _text("message", "What is wrong, in a sentence."),
        _text("fingerprint", "Stable name of this finding across runs."),
    ),
    built_by="python",
    row_key=BY_ENTRY,
)

RUNS = Table(
    "runs",
    "one run kept in a store",
    (
        Column("run_id", "int32", "The run, numbered from 1 within its store."),
        Column("started_at", "timestamp", "When it began, UTC."),
        Column("finished_at", "timestamp", "When it ended, UTC; null while it goes on, or if it was killed."),
        Column("targets", "text[]", "What was looked at, as it was given."),
        _text("settings", "The settings that what was found depends on, as JSON; without secrets."),
        _text("version", "The version of urlset."),
        Column("documents", "int64", "How many documents were read; null while it goes on."),
        Column("urls", "int64", "How many entries they have that are URLs of pages; null while it goes on."),
        Column("pages", "int64", "How many of those were looked at; null while it goes on."),
        Column("errors", "int64", "Findings that are errors; null while it goes on."),
        Column("warnings", "int64", "Findings that are warnings; null while it goes on."),
        Column("infos", "int64", "Findings that are worth knowing; null while it goes on."),
    ),
    built_by="python",
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
        FORBIDDEN,
        CUTS,
        PAGES,
        MEDIA,
        ACCESS,
        FINDINGS,
        RUNS,
        OPEN_SETS,
        OPEN_LINKS,
        SHARED_LOCS,
    )
}

READER_TABLES: tuple[str, ...] = tuple(name for name, table in TABLES.items() if table.built_by == "core")

ROBOTS_TABLES: tuple[str, ...] = tuple(name for name, table in TABLES.items() if table.built_by == "robots")
"""Tables that the core builds of a robots.txt and of what it says."""

CHUNK_TABLES: tuple[str, ...] = (*READER_TABLES, FORBIDDEN.name)
"""Tables whose rows come with the entries of a document."""

RUN_TABLES: tuple[str, ...] = (ROBOTS.name, ROBOTS_FILES.name, SITEMAP_LINES.name, CUTS.name, PAGES.name, MEDIA.name)
"""Tables about the whole run, whole in front of every rule on sets, as far as they are known by then."""
