"""Defines when a listed page is indexable at its listed URL, and the reasons why it is not. Nothing else defines this.

The store, the rules, and Spark apply the SQL here to rows of `pages`, once all pages of a run were requested, and keep
the result in the columns `reason` and `is_indexable`.
"""

from __future__ import annotations

from enum import StrEnum

from urlset.net.origin import DEFAULT_PORTS
from urlset.net.status import IS_TO_US

ROBOTS_UNREACHABLE = "robots.txt cannot be read"
"""The value of `blocked_by` for a page that is disallowed without a rule."""


class PageReason(StrEnum):
    """Why a listed page is not indexable at its listed URL, or why that is not known.

    The first that applies is the reason of a page: what comes earlier hides what comes later from search engines,
    or makes it irrelevant. Where Search Console has the same reason, the name is the same.
    """

    INVALID_URL = "invalid-url"
    BLOCKED_BY_ROBOTS = "blocked-by-robots"
    NOT_FOUND = "not-found"
    SERVER_ERROR = "server-error"
    OTHER_STATUS = "other-status"
    REDIRECT_ERROR = "redirect-error"
    REDIRECT = "redirect"
    CLIENT_REDIRECT = "client-redirect"
    NOINDEX = "noindex"
    EXPIRED = "expired"
    CANONICAL_ELSEWHERE = "canonical-elsewhere"
    NOT_HTML = "not-html"
    DUPLICATE = "duplicate"
    UNTRANSLATED = "untranslated"
    NOINDEX_IN_BODY = "noindex-in-body"
    EMPTY = "empty"
    EMPTY_SHELL = "empty-shell"
    ERROR_TITLE = "error-title"
    REFUSED = "refused"
    NO_RESPONSE = "no-response"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    PRIVATE_ADDRESS = "private-address"
    OUTSIDE = "outside"
    UNDECIDED = "undecided"
    NOT_CHECKED = "not-checked"

    @property
    def words(self) -> str:
        """What to call it, to follow the number of pages or their URL."""
        return _WORDS[self][0]

    @property
    def fix(self) -> str:
        return _WORDS[self][1]

    @property
    def is_known(self) -> bool:
        """Whether the page is known not to be indexable. With other reasons, search engines may be able to index it."""
        return self not in UNKNOWN

    @property
    def value_name(self) -> str:
        """What to call what the page has for the reason (`VALUE`), such as `status` for 404."""
        return _VALUE_NAMES.get(self, "error")


_VALUE_NAMES = {
    PageReason.INVALID_URL: "as listed",
    PageReason.BLOCKED_BY_ROBOTS: "rule",
    PageReason.NOT_FOUND: "status",
    PageReason.SERVER_ERROR: "status",
    PageReason.OTHER_STATUS: "status",
    PageReason.REFUSED: "status",
    PageReason.REDIRECT: "target",
    PageReason.CLIENT_REDIRECT: "target",
    PageReason.NOINDEX: "directive",
    PageReason.NOINDEX_IN_BODY: "directive",
    PageReason.EXPIRED: "date",
    PageReason.CANONICAL_ELSEWHERE: "canonical",
    PageReason.DUPLICATE: "first page",
    PageReason.UNTRANSLATED: "first page",
    PageReason.NOT_HTML: "type",
    PageReason.EMPTY_SHELL: "title",
    PageReason.ERROR_TITLE: "title",
}

OF_CONTENT = frozenset(
    {
        PageReason.UNTRANSLATED,
        PageReason.NOINDEX_IN_BODY,
        PageReason.EMPTY,
        PageReason.EMPTY_SHELL,
        PageReason.ERROR_TITLE,
    },
)
"""The reasons why it is not known whether a page is indexable although its response allows it."""

COPIES = (PageReason.DUPLICATE, PageReason.UNTRANSLATED)
"""The reasons of a page that has the text of another one."""

IS_COPY = f"reason IN {tuple(map(str, COPIES))}"
"""SQL for whether the reason of a row of `pages` is one of these."""

OF_OTHERS = frozenset({*COPIES, PageReason.EMPTY_SHELL})
"""The reasons that follow from a comparison with the other pages of a run."""

UNKNOWN = OF_CONTENT | frozenset(
    {
        PageReason.REFUSED,
        PageReason.NO_RESPONSE,
        PageReason.ROBOTS_UNREACHABLE,
        PageReason.PRIVATE_ADDRESS,
        PageReason.OUTSIDE,
        PageReason.UNDECIDED,
        PageReason.NOT_CHECKED,
    }
)
"""The reasons why it is not known whether a page is indexable."""

INVALID = "invalid"
"""The value of `skipped` for a listed URL that is not a valid http or https URL."""

_WORDS = {
    PageReason.INVALID_URL: (
        "not a valid URL",
        "Correct the URL in the sitemap, or the URL of the site in the settings of its generator.",
    ),
    PageReason.BLOCKED_BY_ROBOTS: (
        "blocked by robots.txt",
        "Allow the page in robots.txt, or remove the URL from the sitemap.",
    ),
    PageReason.NOT_FOUND: ("not found", "Restore the page, or remove the URL from the sitemap."),
    PageReason.SERVER_ERROR: ("server error", "Fix the error of the server, which is in its log."),
    PageReason.OTHER_STATUS: (
        "status without a page",
        "Return 200 for the page, or remove the URL from the sitemap.",
    ),
    PageReason.REDIRECT_ERROR: ("redirects do not end", "Fix the redirects, or remove the URL from the sitemap."),
    PageReason.REDIRECT: ("redirects", "List the URL that it redirects to instead."),
    PageReason.CLIENT_REDIRECT: (
        "redirects by refresh or script",
        "List the URL that it redirects to instead, and let the server redirect.",
    ),
    PageReason.NOINDEX: ("noindex", "Remove the noindex, or remove the URL from the sitemap."),
    PageReason.EXPIRED: (
        "expired (unavailable_after)",
        "Remove the URL from the sitemap, or change the unavailable_after date.",
    ),
    PageReason.CANONICAL_ELSEWHERE: (
        "canonical is another URL",
        "If the canonical is right, list it instead; if not, correct it.",
    ),
    PageReason.NOT_HTML: ("not a web page", "List the page that shows or links to the file instead."),
    PageReason.DUPLICATE: (
        "same content as another listed page",
        "List one of the pages, and make it the canonical of the others; translate versions for other languages.",
    ),
    PageReason.UNTRANSLATED: (
        "same text as a listed page that names another language",
        "Put the translation in the HTML: if a script translates the page, Google runs the script later, and most "
        "other crawlers do not run it.",
    ),
    PageReason.NOINDEX_IN_BODY: (
        "noindex in the body, which Google reportedly obeys",
        "Move the robots meta element into the head, or remove it, or remove the URL from the sitemap.",
    ),
    PageReason.EMPTY: (
        "no main text in its HTML",
        "Put the content of the page in its HTML, as only some search engines run scripts, or remove the URL from the "
        "sitemap.",
    ),
    PageReason.EMPTY_SHELL: (
        "the same page without text as many URLs",
        "Put the content of each page in its HTML, or remove these URLs from the sitemap.",
    ),
    PageReason.ERROR_TITLE: (
        "its title is that of an error page",
        "Return 404 or 410 if the page does not exist, or change the title.",
    ),
    PageReason.REFUSED: (
        "refused to this client",
        "Let urlset through (`--user-agent`, `--header`, `--auth`, `--rate`) to find out.",
    ),
    PageReason.NO_RESPONSE: ("no response", "Check that the server is reachable, and run the audit again."),
    PageReason.ROBOTS_UNREACHABLE: (
        "robots.txt of its host is unreachable",
        "Make robots.txt return 200 or 404: while it fails, search engines do not crawl the host.",
    ),
    PageReason.PRIVATE_ADDRESS: ("on a private address", "Use `--allow-private` to request it."),
    PageReason.OUTSIDE: (
        "not below the base URL of the directory",
        "Set `--base-url` to the URL at which the directory is published.",
    ),
    PageReason.UNDECIDED: (
        "left to a rule of the host that was not applied",
        "Audit the site itself to find out, or add the file.",
    ),
    PageReason.NOT_CHECKED: ("not checked", "See the errors of the run, and run the audit again."),
}

RELOADED_WORDS = 20
"""Words of main text below which a page that reloads itself at once has no content."""

RELOADS = f"""(
                words < {RELOADED_WORDS} AND coalesce(complete, true) AND (
                    refresh_seconds < 1 AND coalesce(refresh_url, url) IN (url, final_url)
                    OR script_url IN (url, final_url)
                )
            )"""
"""SQL for a page that reloads itself at once and has no content."""

OTHER_CONTENT = "not_a_page IN ('json', 'feed', 'sitemap', 'xml', 'calendar', 'binary')"
"""SQL for a page whose content is something else, whatever its Content-Type."""

NOT_HTML = (
    r"""(content_type <> '' AND NOT regexp_matches(
                lower(trim(split_part(content_type, ';', 1))),
                concat('^(text/(html|plain|markdown|rtf)|application/(xhtml\+xml|pdf|rtf|postscript|msword',
                    '|vnd\.(openxmlformats|oasis|ms-).*))$')
            ) OR """
    f"coalesce({OTHER_CONTENT}, false))"
)
"""SQL for a page in a format that search engines do not index as a page.
https://developers.google.com/search/docs/crawling-indexing/indexable-file-types"""

CANONICAL_ELSEWHERE = """(
                NOT canonical_is_self AND NOT coalesce(canonical_redirects, false)
                AND NOT coalesce(canonical_is_respelled, canonical_spelling_hash = final_spelling_hash, false)
            )"""
"""SQL for a page whose canonical is another page.

A canonical that redirects back names this page, and so does one in another spelling, unless its response differs.
"""

_ORIGIN = (
    "lower(concat(split_part({0}, '/', 1), regexp_replace(split_part({0}, '/', 3), '"
    f":({'|'.join(map(str, DEFAULT_PORTS.values()))})$', '')))"
)

REDIRECTS_ELSEWHERE = f"""(
                len(hops) > 0 AND NOT (
                    coalesce(canonical_redirects, false) AND {_ORIGIN.format("url")} = {_ORIGIN.format("final_url")}
                )
            )"""
"""SQL for a page that redirects to another URL than a spelling on the same origin whose canonical redirects back."""

SOFT_404_TITLE = (
    "(^|[^a-z0-9])(404|not found|no longer available|does not exist"
    "|nicht gefunden|introuvable|no encontrada|non trovata)([^a-z0-9]|$)"
)
"""A regular expression for the lowercase title of an error page."""

SOFT_404_WORDS = 150
"""Words of main text below which a page with such a title counts as an error page."""

CAUSE = f"""CASE
            WHEN skipped = '{INVALID}' THEN '{PageReason.INVALID_URL}'
            WHEN blocked_by <> '{ROBOTS_UNREACHABLE}' THEN '{PageReason.BLOCKED_BY_ROBOTS}'
            WHEN skipped = 'robots' THEN '{PageReason.ROBOTS_UNREACHABLE}'
            WHEN skipped = 'private' THEN '{PageReason.PRIVATE_ADDRESS}'
            WHEN skipped = 'outside' THEN '{PageReason.OUTSIDE}'
            WHEN skipped = 'undecided' AND len(hops) > 0 THEN '{PageReason.REDIRECT}'
            WHEN skipped = 'undecided' THEN '{PageReason.UNDECIDED}'
            WHEN skipped IS NOT NULL THEN '{PageReason.NOT_CHECKED}'
            WHEN error_kind IN ('too-many-redirects', 'redirect-loop', 'bad-redirect')
                THEN '{PageReason.REDIRECT_ERROR}'
            WHEN len(hops) > 0 AND (coalesce(error_kind, 'too-large') <> 'too-large' OR status {IS_TO_US})
                THEN '{PageReason.REDIRECT}'
            WHEN status IS NULL OR coalesce(error_kind, 'too-large') <> 'too-large' THEN '{PageReason.NO_RESPONSE}'
            WHEN status {IS_TO_US} THEN '{PageReason.REFUSED}'
            WHEN status IN (404, 410) THEN '{PageReason.NOT_FOUND}'
            WHEN status >= 500 THEN '{PageReason.SERVER_ERROR}'
            WHEN status NOT BETWEEN 200 AND 299 THEN '{PageReason.OTHER_STATUS}'
            WHEN {REDIRECTS_ELSEWHERE} THEN '{PageReason.REDIRECT}'
            WHEN refresh_url <> url AND refresh_url <> final_url AND coalesce(refresh_seconds, 0) < 1
                THEN '{PageReason.CLIENT_REDIRECT}'
            WHEN script_url <> url AND script_url <> final_url THEN '{PageReason.CLIENT_REDIRECT}'
            WHEN noindex IS NOT NULL THEN '{PageReason.NOINDEX}'
            WHEN unavailable_after_at < fetched_at THEN '{PageReason.EXPIRED}'
            WHEN {CANONICAL_ELSEWHERE} THEN '{PageReason.CANONICAL_ELSEWHERE}'
            WHEN {NOT_HTML} THEN '{PageReason.NOT_HTML}'
            WHEN body_noindex IS NOT NULL THEN '{PageReason.NOINDEX_IN_BODY}'
            WHEN words = 0 AND coalesce(complete, true) OR {RELOADS} THEN '{PageReason.EMPTY}'
            WHEN words < {SOFT_404_WORDS} AND regexp_matches(lower(title), '{SOFT_404_TITLE}')
                THEN '{PageReason.ERROR_TITLE}'
        END"""
"""SQL for the reason of a row of `pages` that depends on no other row; null if there is none.

Google treats a meta refresh without a delay, and a redirect by script, as a redirect:
https://developers.google.com/search/docs/crawling-indexing/301-redirects
"""

NEEDED = frozenset({"canonical_is_self", "hops", "noindex"})
"""The columns besides the status that decide about most pages. Without one of them, nothing is known of any page."""

READ_BY_CAUSE = (
    "url", "blocked_by", "skipped", "error_kind", "status", "hops", "refresh_url", "refresh_seconds", "final_url",
    "noindex", "unavailable_after_at", "fetched_at", "canonical_is_self", "content_type", "not_a_page",
    "canonical_redirects", "canonical_is_respelled", "canonical_spelling_hash", "final_spelling_hash",
    "script_url", "body_noindex", "words", "complete", "title",
)  # fmt: skip
"""The columns that `CAUSE` reads."""

MIN_WORDS = 50
"""Minimum words of pages that count as duplicates for their text alone: short pages are often alike without being
copies."""

_HAS_VERSIONS = "coalesce(len(hreflang_codes), 0) > 0"

SHELL_WORDS = 5
"""Words of main text below which a script may make the content of a page, and below which no pages are compared."""

IS_SHELL = f"words < {SHELL_WORDS} AND coalesce(complete, true) AND has_script AND content_hash IS NOT NULL"
"""SQL for a page whose content a script may make: it has at most a few words, such as "Loading, please wait"."""

MIN_SHELL_URLS = 3
"""Minimum number of URLs that return one page without content."""

_NAMES_NO_URL = "(canonical IS NULL AND in_body IS NULL AND bytes IS NOT NULL)"
"""SQL for a page that says nowhere at which URL it belongs. Two that are alike in text, title, and size are one
response at two URLs, such as the home page that a host returns for a missing file."""

_LANGUAGE = "lower(trim(split_part(replace(coalesce(html_lang, ''), '_', '-'), '-', 1)))"
"""SQL for the language that a page says it is in, without script and region; empty if it names none."""

_HAS_TEXT = f"""(
                coalesce(complete, true) AND content_hash IS NOT NULL
                AND (words >= {MIN_WORDS} OR words >= {SHELL_WORDS} AND {_NAMES_NO_URL})
            )"""

_PLACE = "(document_id::BIGINT * 4294967296 + ordinal)"


def comparable(pages: str) -> str:
    """Return a query for the pages whose content is compared with that of the others in the same language.

    Language versions of a page may have the same text, so a page with hreflang links is compared with those that name
    themselves in the same language; one that does not name itself is compared with none. Of short pages, only those are
    compared that are the same response. The rows have `document_id`, `ordinal`, `content_hash`, and `version`: the
    language, which is empty without hreflang links, and for short pages what else they share.

    Args:
        pages: As for `verdicts`.
    """
    return f"""
            SELECT p.document_id, p.ordinal, p.content_hash,
                concat(coalesce(l.language, ''), CASE
                    WHEN words >= {MIN_WORDS} THEN '' ELSE concat(' ', p.bytes::VARCHAR, ' ', coalesce(p.title, ''))
                END) AS version
            FROM {pages} AS p
            LEFT JOIN (
                SELECT document_id, ordinal, max(lower(code)) AS language
                FROM (
                    SELECT document_id, ordinal, loc_hash, final_hash, unnest(hreflang_codes) AS code,
                        unnest(hreflang_hashes) AS hash
                    FROM {pages} AS of_versions
                    WHERE {_HAS_TEXT} AND {_HAS_VERSIONS}
                ) AS versions
                WHERE hash IN (loc_hash, final_hash) AND lower(code) <> 'x-default'
                GROUP BY document_id, ordinal
            ) AS l ON l.document_id = p.document_id AND l.ordinal = p.ordinal
            WHERE {_HAS_TEXT} AND (NOT {_HAS_VERSIONS} OR l.language IS NOT NULL)"""


def verdicts(pages: str) -> str:
    """Return a query for the reason of each page of a run, by `document_id` and `ordinal`.

    Args:
        pages: SQL for the rows of `pages` of the run: a table, or a query in parentheses.
    """
    return f"""
        WITH causes AS (
            SELECT
                document_id, ordinal, {_PLACE} AS place, length(url) AS length, {CAUSE} AS cause,
                CASE WHEN {IS_SHELL} THEN content_hash END AS shell_hash, coalesce(title, '') AS title,
                {_LANGUAGE} AS language
            FROM {pages} AS of_run
        ), texts AS ({comparable(pages)}
        ), firsts AS (
            SELECT
                t.content_hash, t.version, arg_min(c.place, (c.length, c.place)) AS place,
                arg_min(c.language, (c.length, c.place)) AS language
            FROM causes AS c
            JOIN texts AS t ON t.document_id = c.document_id AND t.ordinal = c.ordinal
            WHERE c.cause IS NULL
            GROUP BY t.content_hash, t.version
            HAVING count(*) > 1
        ), shells AS (
            SELECT shell_hash, title
            FROM causes
            WHERE coalesce(cause, '{PageReason.EMPTY}') = '{PageReason.EMPTY}' AND shell_hash IS NOT NULL
            GROUP BY shell_hash, title
            HAVING count(*) >= {MIN_SHELL_URLS}
        )
        SELECT
            c.document_id, c.ordinal,
            CASE
                WHEN s.shell_hash IS NOT NULL AND coalesce(c.cause, '{PageReason.EMPTY}') = '{PageReason.EMPTY}'
                    THEN '{PageReason.EMPTY_SHELL}'
                WHEN c.cause IS NOT NULL THEN c.cause
                WHEN c.place <> f.place AND c.language <> f.language AND '' NOT IN (c.language, f.language)
                    THEN '{PageReason.UNTRANSLATED}'
                WHEN c.place <> f.place THEN '{PageReason.DUPLICATE}'
            END AS reason
        FROM causes AS c
        LEFT JOIN texts AS t ON t.document_id = c.document_id AND t.ordinal = c.ordinal
        LEFT JOIN firsts AS f ON f.content_hash = t.content_hash AND f.version = t.version
        LEFT JOIN shells AS s ON s.shell_hash = c.shell_hash AND s.title = c.title
    """


def may_be_indexable(page: str | None = None) -> str:
    """Return SQL for whether the response of a row of `pages` allows to index it, whatever its content.

    It does so for a page that was requested at the URL which an invalid one means, too.
    """
    of = "" if page is None else f"{page}."
    reasons = ", ".join(f"'{name}'" for name in sorted(OF_CONTENT))
    meant = f"{of}reason = '{PageReason.INVALID_URL}' AND {of}skipped IS NULL"
    return f"({of}is_indexable OR {of}reason IN ({reasons}) OR {meant})"


def is_indexable(reason: str) -> str:
    """Return SQL for whether a page is indexable, from SQL for its reason; null if that is not known."""
    unknown = ", ".join(f"'{name}'" for name in sorted(UNKNOWN))
    return f"CASE WHEN {reason} IS NULL THEN true WHEN {reason} NOT IN ({unknown}) THEN false END"


VALUE = f"""CASE
            WHEN reason = '{PageReason.BLOCKED_BY_ROBOTS}' THEN blocked_by
            WHEN reason IN (
                '{PageReason.NO_RESPONSE}', '{PageReason.REDIRECT_ERROR}', '{PageReason.UNDECIDED}',
                '{PageReason.NOT_CHECKED}', '{PageReason.ROBOTS_UNREACHABLE}'
            )
                THEN coalesce(error, error_kind)
            WHEN reason = '{PageReason.REDIRECT}' THEN final_url
            WHEN reason = '{PageReason.CLIENT_REDIRECT}' THEN coalesce(refresh_url, script_url)
            WHEN reason = '{PageReason.NOINDEX}' THEN noindex
            WHEN reason = '{PageReason.NOINDEX_IN_BODY}' THEN body_noindex
            WHEN reason IN ('{PageReason.ERROR_TITLE}', '{PageReason.EMPTY_SHELL}') THEN title
            WHEN reason = '{PageReason.EXPIRED}' THEN strftime(unavailable_after_at, '%Y-%m-%d')
            WHEN reason = '{PageReason.CANONICAL_ELSEWHERE}' THEN canonical
            WHEN reason = '{PageReason.NOT_HTML}' THEN CASE WHEN {OTHER_CONTENT} THEN not_a_page ELSE content_type END
            WHEN reason IN (
                '{PageReason.NOT_FOUND}', '{PageReason.SERVER_ERROR}', '{PageReason.OTHER_STATUS}',
                '{PageReason.REFUSED}'
            ) THEN status::VARCHAR
        END"""
"""SQL for what a page has that makes it not indexable, such as the URL that it redirects to, or its status."""


def phrase(reason: str | None, value: str | None) -> str:
    """Return a reason with what the page has: `redirects: https://example.com/new`."""
    if reason is None:
        return "indexable"
    words = PageReason(reason).words
    return words if value is None else f"{words}: {value}"
