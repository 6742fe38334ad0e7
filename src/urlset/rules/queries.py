"""SQL fragments that several rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.net.placeholders import PRIVATE, RESERVED, UNSET
from urlset.net.previews import HOSTS_OF_PREVIEWS, PREVIEW_PREFIXES
from urlset.net.status import IS_TO_US
from urlset.rules.cross_submission import NAMED, NAMING, READ_HOSTS, missing_listing
from urlset.rules.rule import Cause
from urlset.web.indexability import CAUSE, PageReason, is_indexable, may_be_indexable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

IS_TWIN_OF_OTHER_PAGE = """
    (other_page IS NOT NULL OR (NOT has_title AND page_words >= 50 AND missing_words > 0.85 * page_words))
"""
"""SQL for whether a row of `twins` is about a twin with the text of another page."""

TRAIT_BITS: dict[str, int] = {name: bit for name, (_, bit) in _core.vocabularies()["traits"].items()}
"""The bit of each trait."""


def has_trait(names: Iterable[str]) -> str:
    """Return an SQL predicate for entries with one of these traits, or documents with at least one such entry.

    Raises:
        KeyError: A trait does not exist.
    """
    return has_bit(trait_bits(names))


def has_bit(bits: int) -> str:
    """SQL predicate, true of an entry with one of these bits in its traits."""
    return f"traits & {bits} <> 0"


def trait_bits(names: Iterable[str]) -> int:
    """Return the bits of some traits.

    Raises:
        KeyError: There is no such trait.
    """
    return sum(TRAIT_BITS[name] for name in names)


def sql_list(words: Iterable[str]) -> str:
    """Return an SQL list for use after IN. The words must not contain quotation marks."""
    return "(" + ", ".join(f"'{word}'" for word in words) + ")"


def of_one_site(host: str, other: str) -> str:
    """Return an SQL predicate: whether `host` is `other` without its `www.`, or a subdomain of that."""
    site = f"regexp_replace({other}, '^www[.]', '')"
    return f"({host} = {site} OR ends_with({host}, '.' || {site}))"


def is_placeholder_on(listed: str, host: str) -> str:
    """Return an SQL predicate: whether the host `listed` is a placeholder for the one that serves the document.

    `host` is null for a document that was not fetched. The hosts of examples may be meant there, and on one of them.
    """
    is_reserved, is_test = (f"regexp_matches({one}, '{RESERVED}')" for one in (listed, host))
    is_unset = f"regexp_matches({listed}, '{UNSET}|{PRIVATE}')"
    return f"({is_unset} OR {host} IS NOT NULL AND {is_reserved} AND NOT {is_test})"


SAME_BUT_SPELLING = (
    "regexp_replace({one}, '^https?://(www[.])?', '') = regexp_replace({other}, '^https?://(www[.])?', '')"
)
"""Whether two URLs differ at most in the scheme and `www.`: format it with `one` and `other`."""

LASTMOD_IS_PROVEN = """(
        proof_commit IS NOT NULL AND CASE lastmod_precision
            WHEN 'year' THEN date_trunc('year', page_modified_at) = lastmod_at
            WHEN 'month' THEN date_trunc('month', page_modified_at) = lastmod_at
            ELSE lastmod_at BETWEEN page_modified_at - INTERVAL 1 DAY AND page_modified_at + INTERVAL 1 DAY
        END
    )"""
"""Whether lastmod of a row of `pages` is the date on which a commit changed its text, which no weaker evidence denies:
a build may have corrected a false date, and a server may not keep the time of a change."""

LASTMODS_ARE_EQUAL = """(
        kind = 'urlset' AND lastmod_newest < lastmod_oldest + INTERVAL 1 SECOND
        AND (entries - lastmod_missing >= 30 OR (lastmod_days = 0 AND entries - lastmod_missing >= 10))
    )"""
"""Whether a row of `documents` has the same lastmod in so many entries that it cannot be that of each page."""

LASTMODS_ARE_OF_NOW = """(
        kind = 'urlset' AND news = 0 AND host IS NOT NULL AND entries - lastmod_missing >= 10 AND
        lastmod_oldest > {now} - INTERVAL 10 MINUTE AND lastmod_newest <= {now} + INTERVAL 10 MINUTE
    )"""
"""Whether all dates of a row of `documents` are the time `now` of the request."""

DATES_WITHOUT_PROOF = f"""(
        SELECT d.document_id, d.url, d.kind, d.news, d.host, d.entries, d.lastmod_days, d.lastmod_oldest,
            d.lastmod_newest, d.lastmod_missing + coalesce(p.proven, 0) AS lastmod_missing
        FROM documents AS d
        LEFT JOIN (
            SELECT document_id, count(*) AS proven FROM pages WHERE {LASTMOD_IS_PROVEN} GROUP BY document_id
        ) AS p ON p.document_id = d.document_id
    )"""
"""The rows of `documents`, in which dates that a commit proves count as missing, so that rules judge only the rest."""

NOWHERE = """
            CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line, CAST(NULL AS INTEGER) AS col,
            CAST(NULL AS VARCHAR) AS url"""
"""Position columns of a violation that concerns the whole document."""

ON_DAY = """' (report of ', CAST(CAST("at" AS DATE) AS VARCHAR), ')'"""
"""The date of a row of `coverage`, as the last arguments of `concat`."""

ENGINE_NAME = "CASE engine WHEN 'google' THEN 'Google' WHEN 'bing' THEN 'Bing' ELSE engine END"
"""The search engine of a row of `coverage`, as its company writes it."""

PLACE_OF_LOC = """
            u.document_id, u.ordinal, coalesce(u.loc_line, u.line) AS line, coalesce(u.loc_col, u.col) AS col,
            u.loc AS url"""
"""Position columns of a violation in the loc of entry `u`."""

SHOWN_AS_LISTED = f"""{may_be_indexable()} AND coalesce(reason, '') <> '{PageReason.EMPTY_SHELL}'
            AND refresh_url IS NULL AND script_url IS NULL AND NOT coalesce(has_password, false)"""
"""Pages whose response allows to index them at their listed URL, and that show their content there."""

ALSO_LINKED = """
        CASE WHEN links > 1
            THEN concat('; ', links - 1, ' other ', CASE links WHEN 2 THEN 'page links' ELSE 'pages link' END, ' to it')
            ELSE '' END
"""
"""The number of pages that link to a URL besides the one that is named."""

OF_UNREAD_SITEMAPS = (
    Cause(code="FET001", where=f"unread_status < 500 AND unread_status NOT {IS_TO_US}"),
    Cause(code="FET002", where="unread_status >= 500"),
)
"""The causes of rows of `linked` that a sitemap may list which could not be read."""

OF_UNLISTED = (
    Cause(code="PGE005", where="redirects_from = 1"),
    Cause(code="PGE006", where="redirects_from > 1"),
    *OF_UNREAD_SITEMAPS,
)
"""The causes of rows of `linked` that no sitemap lists: one lists a URL that redirects there, or could not be read."""


def of_every_page(value: str, where: str) -> str:
    """Return a query for the pages that meet a condition, listed or linked.

    Args:
        value: SQL for the value to show, of the columns that `pages` and `crawled` share.
        where: SQL predicate on these columns.
    """
    return f"""
        SELECT document_id, ordinal, line, col, url, {value} AS value
        FROM pages
        WHERE {where}
        UNION ALL
        SELECT l.document_id, l.ordinal, l.line, l.col, p.url, p.value
        FROM (SELECT page_hash, url, {value} AS value FROM crawled WHERE {where}) AS p
        JOIN linked AS l ON l.page_hash = p.page_hash AND NOT l.is_listed
    """


_OF_REQUESTED = "url, status, final_url, hops, noindex, canonical, reason"

REQUESTED = f"""(
            SELECT loc_hash AS hash, {_OF_REQUESTED}, is_indexable
            FROM pages
            UNION ALL
            SELECT page_hash, {_OF_REQUESTED}, {is_indexable("reason")}
            FROM (
                SELECT page_hash, url, status, final_url, hops, noindex, canonical, {CAUSE} AS reason
                FROM crawled
            ) AS unlisted
        )"""
"""Pages that were requested, listed or not."""

CANONICALS = f"""
        FROM pages AS p
        LEFT JOIN {REQUESTED} AS c ON c.hash = p.canonical_hash
        WHERE p.status BETWEEN 200 AND 299 AND NOT p.canonical_is_self
            AND NOT coalesce(p.canonical_redirects, false) AND NOT coalesce(p.canonical_is_respelled, false)"""
"""Pages `p` whose canonical is another page, with that page `c` if it was requested."""

CANNOT_BE_INDEXED = f"""
            (NOT c.is_indexable
                AND c.reason NOT IN ('{PageReason.CANONICAL_ELSEWHERE}', '{PageReason.DUPLICATE}'))"""
"""Whether the canonical `c` is not indexable, and does not name another page either; null if it was not fetched or that
is unknown."""

_PAGE_HOST, _CANONICAL_HOST = (
    f"regexp_extract(lower({url}), '^https?://([^/:?#]+)', 1)" for url in ("p.url", "p.canonical")
)
_PAGE_PATH, _CANONICAL_PATH = (f"regexp_replace({url}, '^[a-zA-Z]+://[^/?#]*', '')" for url in ("p.url", "p.canonical"))
_SITE = f"regexp_replace({_PAGE_HOST}, '^www[.]', '')"

NAMES_PREVIEW = f"""
            (coalesce(p.canonical_is_preview, false)
                OR {_CANONICAL_PATH} = {_PAGE_PATH} AND {_CANONICAL_HOST} <> {_PAGE_HOST}
                AND NOT regexp_matches({_PAGE_HOST}, '{HOSTS_OF_PREVIEWS}')
                AND (regexp_matches({_CANONICAL_HOST}, '{HOSTS_OF_PREVIEWS}')
                    OR (regexp_matches({_CANONICAL_HOST}, '{PREVIEW_PREFIXES}')
                        AND right({_CANONICAL_HOST}, length({_SITE}) + 1) = concat('.', {_SITE}))))"""
"""Whether the canonical of a page `p` is on the preview that was read, or is the page on a host with the name of a
preview of the site, as in `urlset.net.previews.is_preview_of`. Another path on such a host is a page of another site,
some of which are published there."""


SHOWN = f"{may_be_indexable('p')} AND coalesce(len(p.hops), 0) = 0"
"""Pages `p` that nothing but their content may keep from being indexed."""

VERSIONS = f"len(p.hreflang_hashes) > 0 AND {SHOWN}"
"""Pages `p` with hreflang links of their own, and nothing that keeps search engines from using them."""


def problem_of(page: str) -> str:
    """Return SQL for what makes a row of `pages` not indexable, to follow its URL.

    It reads few columns, because a table of pages that were fetched elsewhere may lack the others.
    """
    return f"""CASE {page}.reason
                WHEN '{PageReason.BLOCKED_BY_ROBOTS}' THEN 'is blocked by robots.txt'
                WHEN '{PageReason.REDIRECT_ERROR}' THEN 'redirects without an end'
                WHEN '{PageReason.REDIRECT}' THEN 'redirects'
                WHEN '{PageReason.CLIENT_REDIRECT}' THEN 'redirects by refresh or script'
                WHEN '{PageReason.NOINDEX}' THEN concat('is marked noindex (', {page}.noindex, ')')
                WHEN '{PageReason.EXPIRED}' THEN 'is past its unavailable_after date'
                WHEN '{PageReason.CANONICAL_ELSEWHERE}' THEN 'has another canonical'
                WHEN '{PageReason.NOT_HTML}' THEN 'is not a web page'
                WHEN '{PageReason.DUPLICATE}' THEN 'has the same content as another listed page'
                ELSE concat('returns ', {page}.status)
            END"""


def cause_of(page: str) -> str:
    """Return SQL for the code of the rule that reports why a row of `pages` is not indexable; null if none does."""
    return f"""CASE
                WHEN {page}.reason = '{PageReason.NOT_FOUND}' THEN 'PGE001'
                WHEN {page}.reason = '{PageReason.SERVER_ERROR}' THEN 'PGE003'
                WHEN {page}.reason = '{PageReason.REDIRECT}' AND len({page}.hops) = 1 THEN 'PGE005'
                WHEN {page}.reason = '{PageReason.REDIRECT}' AND len({page}.hops) > 1 THEN 'PGE006'
                WHEN {page}.reason = '{PageReason.CLIENT_REDIRECT}' THEN 'PGE015'
                WHEN {page}.reason = '{PageReason.NOINDEX}' AND coalesce({page}.canonical_is_self, true) THEN 'PGE008'
            END"""


CAUSES = tuple(
    Cause(code=code, where=f"cause = '{code}'") for code in ("PGE001", "PGE003", "PGE005", "PGE006", "PGE015", "PGE008")
)
"""The causes of rows with the column `cause`, as `cause_of` returns it."""

OF_SITE = tuple(Cause(code=code, where=f"cause = '{code}'") for code in ("SIT003", "SIT004", "SIT005"))
"""The causes of rows with the column `cause`, as `other_host` returns it."""

OF_REDIRECTS = (
    Cause(code="PGE005", where=f"reason = '{PageReason.REDIRECT}' AND len(hops) = 1"),
    Cause(code="PGE006", where=f"reason = '{PageReason.REDIRECT}' AND len(hops) > 1"),
    Cause(code="PGE015", where=f"reason = '{PageReason.CLIENT_REDIRECT}'"),
)
"""The causes of rows of `pages` that say why pages cannot be indexed of pages that redirect, which is the reason."""


REPORTED_BY: Mapping[PageReason, tuple[str, ...]] = {
    PageReason.BLOCKED_BY_ROBOTS: ("ROB009",),
    PageReason.NOT_FOUND: ("PGE001",),
    PageReason.SERVER_ERROR: ("PGE003",),
    PageReason.OTHER_STATUS: ("PGE001",),
    PageReason.REDIRECT_ERROR: ("PGE007",),
    PageReason.REDIRECT: ("PGE005", "PGE006"),
    PageReason.CLIENT_REDIRECT: ("PGE015",),
    PageReason.NOINDEX: ("PGE008",),
    PageReason.EXPIRED: ("PGE009",),
    PageReason.CANONICAL_ELSEWHERE: ("PGE010", "PGE038"),
    PageReason.DUPLICATE: ("PGE019",),
    PageReason.UNTRANSLATED: ("PGE019",),
    PageReason.EMPTY_SHELL: ("PGE033",),
    PageReason.ERROR_TITLE: ("PGE016",),
    PageReason.NO_RESPONSE: ("PGE004",),
    PageReason.ROBOTS_UNREACHABLE: ("ROB006",),
}
"""The codes of the rules that report the pages with a reason."""


def stem(url: str) -> str:
    """Return SQL for a URL without its final slash or index file, by which near duplicates are found."""
    return f"regexp_replace({url}, '(/((index|default)[.]([sx]?html?|php|aspx?|jspx?|cfml?|cgi))?)$', '')"


def without_scheme(url: str) -> str:
    """Return SQL for what http and https URLs share."""
    return f"regexp_replace({url}, '^https?:', '')"


def other_host(table: str, mostly: str, otherwise: str) -> str:
    """Return a query for entries that are not on the host of the document.

    If the document was not fetched, the site whose home page is listed is used, and else the host of most entries.
    Entries on a host whose robots.txt lists a sitemap of the document's host are excluded. If no entry is on the host
    of the document, a column `cause` has the code of the rule on the site that reports it.

    Args:
        table: `urls` or `children`.
        mostly: The text before the host of most entries.
        otherwise: The text before the host of the document.
    """
    return f"""
        WITH hosts AS MATERIALIZED (
            SELECT
                document_id, host, regexp_replace(host, '^www[.]', '') AS site, count(*) AS entries,
                min(ordinal) AS first_ordinal, count(*) FILTER (WHERE {has_trait(["home-page"])}) AS homes
            FROM {table}
            WHERE host IS NOT NULL AND loc_problem IS NULL
            GROUP BY document_id, host
        ), sites_listed AS (
            SELECT document_id, site, sum(homes) > 0 AND sum(entries) > 1 AS has_home
            FROM hosts
            GROUP BY document_id, site
        ), ranked AS (
            SELECT
                h.document_id, h.host, s.has_home,
                row_number() OVER (
                    PARTITION BY h.document_id ORDER BY s.has_home DESC, h.entries DESC, h.first_ordinal
                ) AS place
            FROM hosts AS h
            JOIN sites_listed AS s ON s.document_id = h.document_id AND s.site = h.site
        ), expected AS (
            SELECT
                d.document_id, coalesce(d.host, r.host) AS host,
                CASE
                    WHEN d.host IS NOT NULL THEN '{otherwise} ' WHEN r.has_home THEN 'the listed home page is on '
                    ELSE '{mostly} '
                END AS because,
                NOT list_contains(d.sites, concat('https://', d.host))
                    AND NOT list_contains(d.sites, concat('http://', d.host)) AS is_all
            FROM ranked AS r
            JOIN documents AS d ON d.document_id = r.document_id
            WHERE r.place = 1
        ), naming AS ({NAMING}), asked AS ({READ_HOSTS}), others AS MATERIALIZED (
            SELECT
                h.document_id, h.host,
                CASE
                    WHEN NOT e.is_all THEN NULL WHEN h.site = regexp_replace(e.host, '^www[.]', '') THEN 'SIT005'
                    WHEN {is_placeholder_on("h.host", "e.host")} THEN 'SIT003' ELSE 'SIT004'
                END AS cause,
                e.because || e.host || {missing_listing("h.host", "e.host", "a.host IS NOT NULL")} AS expected
            FROM hosts AS h
            JOIN expected AS e ON e.document_id = h.document_id
            LEFT JOIN naming AS n ON n.host = h.host AND n.sitemap_host = e.host
            LEFT JOIN asked AS a ON a.host = h.host
            WHERE h.host <> e.host AND n.host IS NULL
        )
        SELECT{PLACE_OF_LOC}, u.host AS value, o.expected, o.cause
        FROM {table} AS u
        JOIN others AS o ON o.document_id = u.document_id AND o.host = u.host
        WHERE u.loc_problem IS NULL
    """


def outside_folder(table: str) -> str:
    """Return a query for entries of `urls` or `children` on the document's host but outside its folder.

    Documents that the robots.txt of the host lists, directly or through a sitemap index, are excluded.
    """
    return f"""
        WITH named AS ({NAMED}), folders AS (
            SELECT d.document_id, d.host, regexp_replace(d.site_path, '[^/]*$', '') AS folder
            FROM documents AS d
            LEFT JOIN named AS n ON n.document_id = d.document_id
            WHERE d.host IS NOT NULL AND coalesce(d.found_by, '') <> 'robots' AND n.document_id IS NULL
        )
        SELECT{PLACE_OF_LOC}, u.path AS value, f.folder
        FROM {table} AS u
        JOIN folders AS f ON f.document_id = u.document_id AND f.host = u.host
        WHERE f.folder <> '/' AND u.loc_problem IS NULL AND NOT starts_with(u.path, f.folder)
    """


NO_FEED = "d.kind NOT IN ('rss', 'atom')"
"""Predicate for documents `d` that are not feeds."""


def first_listed(known: Mapping[str, str], alike: Iterable[str] = (), where: str = "TRUE") -> str:
    """Return subqueries on URLs listed more than once in the run: `entries`, and `firsts`, the first entry per URL.

    Relative URLs are excluded, because in documents of different sites they are different pages.

    Compare an entry with the first one, not with every earlier one: if a thousand documents list the same URL, that
    would be half a million pairs.

    Args:
        known: Columns of both, by name: SQL on `urls` (`u`) and `documents` (`d`).
        alike: Columns that must be equal in an entry and its first one, in addition to the URL.
        where: SQL predicate for the entries to include.
    """
    columns = "".join(f", {sql} AS {name}" for name, sql in known.items())
    key = ", ".join(("loc_hash", *alike))
    columns_of_first = [name for name in ("line", "url", *known) if name not in set(alike)]
    firsts = "".join(f", min_by({name}, place) AS {name}" for name in columns_of_first)
    return f"""
        WITH entries AS MATERIALIZED (
            SELECT
                u.document_id, u.ordinal, u.line, u.col, u.loc_hash, d.url,
                u.document_id * 4294967296 + u.ordinal AS place{columns}
            FROM urls AS u
            JOIN shared_locs AS s ON s.loc_hash = u.loc_hash
            JOIN documents AS d ON d.document_id = u.document_id
            WHERE coalesce(u.loc_problem, '') NOT IN ('relative', 'unset-variable') AND {where}
        ), firsts AS MATERIALIZED (
            SELECT {key}, min(document_id) AS document_id{firsts}
            FROM entries
            GROUP BY {key}
        )"""


COPIES = """, sets AS MATERIALIZED (
            SELECT
                e.document_id, e.has_images, e.has_videos, e.has_news, count(*) AS urls, bit_xor(e.loc_hash) AS hash
            FROM (
                SELECT document_id, loc_hash, has_images, has_videos, has_news, count(*) AS entries
                FROM entries
                GROUP BY document_id, loc_hash, has_images, has_videos, has_news
            ) AS e
            JOIN documents AS d ON d.document_id = e.document_id
            GROUP BY e.document_id, e.has_images, e.has_videos, e.has_news
            HAVING sum(e.entries) = max(d.entries)
        ), copies AS MATERIALIZED (
            SELECT s.document_id, s.urls, o.original
            FROM sets AS s
            JOIN (
                SELECT urls, hash, has_images, has_videos, has_news, min(document_id) AS original
                FROM sets
                GROUP BY urls, hash, has_images, has_videos, has_news
            ) AS o
                ON o.urls = s.urls AND o.hash = s.hash AND o.has_images = s.has_images
                AND o.has_videos = s.has_videos AND o.has_news = s.has_news
            WHERE o.original < s.document_id
        )"""
"""Subqueries after `first_listed(EXTENSIONS, EXTENSIONS)`: `copies`, the documents that list exactly the URLs of an
earlier document, their `original`. A document with a URL that only one document lists is not in `entries`, so it is not
a copy.
"""

EXTENSIONS = {"has_images": "d.images > 0", "has_videos": "d.videos > 0", "has_news": "d.news > 0"}
"""Columns for `first_listed`: extensions of a document. Sitemaps of images may repeat the URLs of others."""


DOUBLE_ESCAPE = "regexp_extract(path, '%25(2[0-9A-Fa-f]|3[A-Fa-f]|[C-Fc-f][0-9A-Fa-f])')"
"""The first escape in a path that was itself escaped."""

IS_FILE_NAME = """
        regexp_matches(path, '[.][A-Za-z][A-Za-z0-9]{1,4}$')
        AND NOT regexp_matches(lower(path), '[.](php[0-9]?|aspx?|jspx?|cfm|cgi)$')"""
"""Whether a path is that of a static file, whose name may be anything, by its extension."""


def as_path(document: str) -> str:
    """Return SQL for the path of a local file, with a leading slash."""
    slashes = f"replace({document}.url, chr(92), '/')"
    return f"CASE WHEN {slashes} LIKE '/%' THEN {slashes} ELSE concat('/', {slashes}) END"


def can_be_listed(index: str, file: str, tail: str, path: str) -> str:
    """Return SQL for whether a local file, whose path ends like that of a listed URL, is where the index can mean it.

    It is in a folder that the index is in, too, or below the folder of the index at the same path as in the URL, or the
    URL ends with its whole path.

    Args:
        index: The path of the index, see `as_path`.
        file: The path of the file.
        tail: The end of that path which the URL has, too.
        path: The path of the URL.
    """
    folder = f"regexp_replace({index}, '[^/]*$', '')"
    below = f"length({file}) - length({folder}) + 1"
    above = f"left({file}, length({file}) - length({tail}) + 1)"
    return f"""(
            left({folder}, length({above})) = {above}
            OR left({file}, length({folder})) = {folder}
                AND right({path}, {below}) = right({file}, {below})
            OR right({path}, length({file})) = {file}
        )"""


def with_their_sitemaps(known: Iterable[str], sitemaps: str, children: str) -> str:
    """Return the subquery `pairs`: index entries together with the documents of the run that they refer to.

    A fetched sitemap belongs to the entry that it was fetched for. Others are matched by URL, or for files by the end
    of the path.

    Args:
        known: Columns of `documents` to add to those of `children`.
        sitemaps: SQL predicate on `documents`: the candidate sitemaps.
        children: SQL predicate on `children`: the entries to include.
    """
    columns, facts = ", ".join(known), ", ".join(f"s.{name}" for name in known)
    return f"""
        WITH sitemaps AS (
            SELECT
                host, url, url_hash, final_url_hash, site_path, parent_id, parent_ordinal, {columns},
                split_part(site_path, '/', -1) AS name, {as_path("documents")} AS file
            FROM documents
            WHERE {sitemaps}
        ), listed AS MATERIALIZED (
            SELECT
                c.document_id, c.ordinal, c.line, c.col, c.loc, c.loc_hash, c.path, c.lastmod, c.lastmod_at,
                c.lastmod_line,
                c.lastmod_col, split_part(c.path, '/', -1) AS name, {as_path("i")} AS of_index,
                i.host IS NULL AS is_of_file
            FROM children AS c
            JOIN documents AS i ON i.document_id = c.document_id
            WHERE {children} AND c.loc IS NOT NULL
        ), pairs AS (
            SELECT c.*, {facts}
            FROM listed AS c
            JOIN sitemaps AS s ON s.parent_id = c.document_id AND s.parent_ordinal = c.ordinal
            UNION ALL
            SELECT c.*, {facts}
            FROM listed AS c
            JOIN sitemaps AS s ON s.name = c.name AND s.parent_id IS NULL
            WHERE
                s.host IS NULL AND c.is_of_file AND right(c.path, length(s.site_path)) = s.site_path
                AND {can_be_listed("c.of_index", "s.file", "s.site_path", "c.path")}
            UNION ALL
            SELECT c.*, {facts}
            FROM listed AS c
            JOIN (
                SELECT *, url_hash AS hash FROM sitemaps
                UNION ALL
                SELECT *, final_url_hash AS hash FROM sitemaps WHERE final_url_hash <> url_hash
            ) AS s ON s.hash = c.loc_hash
            WHERE s.host IS NOT NULL AND s.parent_id IS NULL
        )"""
