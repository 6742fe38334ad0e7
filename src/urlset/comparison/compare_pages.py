"""Compare the pages that two runs requested, in SQL on their rows of `pages`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from urlset.comparison.run_tables import RunTables, is_text_comparable
from urlset.engine.page_verdicts import IS_SERVED
from urlset.engine.rule_sql import section, text_literal
from urlset.engine.store_tables import columns_in
from urlset.model.page_changes import (
    ChangedPage,
    PageChanges,
    PropertyChanges,
    SharedChange,
    Uncompared,
    ValueChange,
)
from urlset.options.comparing import PageProperty
from urlset.tables import CRAWLED, PAGES, URLS
from urlset.web.indexability import VALUE, PageReason, phrase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    import duckdb

    from urlset.store.file import Store

MAX_PAGES = 10
"""Maximum pages to return for two runs of a store."""

MIN_SHARED = 3
"""Minimum number of pages that share a change for it to be reported once."""

SAMPLED = 1_000
"""Number of changed values to look for edits in that pages share: an edit of half of the pages is in any sample."""

MAX_EDITS = 20
"""Maximum number of edits of a property to try on all pages, those of most sampled pages first."""

MAX_SECTIONS = 10
"""Maximum number of sections to name."""

MAX_VALUE = 300
"""Maximum length of a value, in characters; longer ones are cut where they are shown, not where they are compared."""

MIN_MOVED_WORDS = 20
"""Minimum number of words for a page to be recognized at another URL by its main text."""

EDITED = (PageProperty.TITLE, PageProperty.CANONICAL, PageProperty.REDIRECT)
"""Properties in whose text an edit can be the same for different values, such as the suffix of a title."""

COUNTED = (PageProperty.TEXT, PageProperty.LINKS)
"""Properties whose values are numbers, which many pages can change by the same difference."""

PAGE_KEY = "coalesce(page_hash, loc_hash)"
"""SQL for what tells pages apart: `loc_hash` is of the entry as written, and so another one if its URL is relative."""

_BETWEEN = ": "

# An older version did not keep the date as written.
_LASTMOD = "coalesce(lastmod, replace(strftime(lastmod_at, '%Y-%m-%dT%H:%M:%SZ'), 'T00:00:00Z', ''))"

# A page is known if its response is, or if it cannot have one, such as for a rule of robots.txt.
_PAGE = f"""
CREATE TEMP TABLE {{side}}_facts AS
SELECT loc_hash, url, {{section}} AS section, skipped, status, is_indexable, content_hash,
    status IS NOT NULL OR is_indexable IS NOT NULL AS is_known,
    {IS_SERVED} AS is_served,
    reason,
    CASE WHEN is_indexable THEN '' WHEN NOT is_indexable THEN concat_ws('{_BETWEEN}', reason, {VALUE}) END AS verdict,
    CASE WHEN len(hops) > 0 THEN final_url END AS redirect,
    lower(regexp_replace(content_type, '\\s*;\\s*', '; ', 'g')) AS content_type,
    list_concat(meta_robots, list_transform(x_robots, lambda x: 'X-Robots-Tag: ' || x)) AS robots,
    nullif(coalesce(canonical, array_to_string(list_concat(canonical_links, canonical_headers), ', ')), '')
        AS canonical,
    list_transform(
        list_zip(coalesce(hreflang_codes, []), coalesce(hreflang_urls, [])), lambda x: concat_ws(' ', x[1], x[2])
    ) AS hreflang,
    title, words, links, {_LASTMOD} AS lastmod, lastmod_at
FROM (SELECT * REPLACE ({PAGE_KEY} AS loc_hash) FROM ({{pages}})) {{first}}
"""

# Sorting takes two thirds of the time for a large run, and hardly any run has a page in several spellings.
_FIRST = "QUALIFY row_number() OVER (PARTITION BY loc_hash ORDER BY document_id, ordinal) = 1"
_REPEATED = f"SELECT count(loc_hash) > count(DISTINCT {PAGE_KEY}) FROM {{pages}}"

_COMPARED = """
CREATE TEMP TABLE compared_pages AS
SELECT n.loc_hash, n.section, o.lastmod AS lastmod_before, n.lastmod AS lastmod_after,
    n.is_indexable AND NOT o.is_indexable AS is_gained, o.is_indexable AND NOT n.is_indexable AS is_lost
FROM before_facts AS o JOIN after_facts AS n USING (loc_hash) WHERE o.is_known AND n.is_known
"""

# Of the content of an error page or of another page that a URL redirects to, nothing is said: the status says it.
_CHANGES = """
CREATE TEMP TABLE page_changes AS
SELECT loc_hash, url, section, property, before, after, {edits} AS edit
FROM (
    SELECT n.loc_hash, n.url, n.section, unnest([{changes}], recursive := true)
    FROM before_facts AS o JOIN after_facts AS n USING (loc_hash) WHERE o.is_known AND n.is_known
)
WHERE is_changed
"""


# A text that several pages of a side have says nothing about where one of them is now.
_UNIQUE = f"""
SELECT content_hash, any_value(url) AS url, any_value({PAGE_KEY}) AS page FROM {{pages}}
WHERE {IS_SERVED} AND words >= {MIN_MOVED_WORDS:d} AND coalesce(complete, true)
GROUP BY content_hash HAVING count(DISTINCT {PAGE_KEY}) = 1
"""


def moved_pages(before: RunTables, after: RunTables) -> str:
    """Return a query for the pages of two runs with the same main text, which no other page has: `before`, `after`."""
    sides = (_UNIQUE.format(pages=run.rows(PAGES)) for run in (before, after))
    return (
        "SELECT o.url AS before, n.url AS after FROM ({}) AS o JOIN ({}) AS n USING (content_hash) "
        "WHERE o.page <> n.page"
    ).format(*sides)


# Every page of a run, listed or not, by its URL in any spelling.
_EVERY_PAGE = """
SELECT {columns}, true AS is_listed FROM {pages} UNION ALL SELECT {columns}, false FROM {crawled}
"""

_IN_FOLDER = f"""
CREATE OR REPLACE TEMP TABLE {{side}}_folder AS
SELECT coalesce(spelling_hash, page_hash) AS page, arg_max(url, is_listed) AS url, bool_or(is_listed) AS is_listed,
    bool_or(coalesce({IS_SERVED}, true)) AS is_there,
    bool_or({IS_SERVED}) AS is_served,
    any_value(content_hash) FILTER (words >= {MIN_MOVED_WORDS:d} AND coalesce(complete, true) AND {IS_SERVED})
        AS content_hash
FROM ({{every}}) GROUP BY page
"""
"""The pages of a directory: whether each has a response or may have one (`is_there`), and its main text."""

RENAMED = """(
    SELECT o.url, n.url AS after
    FROM before_folder AS o JOIN after_folder AS n USING (content_hash)
    WHERE o.is_served AND n.is_served AND o.page <> n.page
        AND o.page NOT IN (SELECT page FROM after_folder WHERE is_there)
        AND n.page NOT IN (SELECT page FROM before_folder WHERE is_there)
    QUALIFY count(*) OVER (PARTITION BY content_hash) = 1
)"""
"""Pages of a directory that the later build has at another URL only: `url`, `after`."""

NEW_UNLISTED = f"""(
    SELECT url FROM after_folder
    WHERE is_served AND NOT is_listed AND page NOT IN (SELECT page FROM before_folder)
        AND url NOT IN (SELECT after FROM {RENAMED} AS renamed)
)"""
"""Pages of a directory that only the later build has, and that none of its sitemaps lists: `url`."""


def take_folder_pages(connection: duckdb.DuckDBPyConnection, before: RunTables, after: RunTables) -> None:
    """Create the tables that `RENAMED` and `NEW_UNLISTED` read, of two runs that have every page of a directory."""
    columns = "url, spelling_hash, final_spelling_hash, page_hash, status, hops, words, complete, content_hash"
    for side, run in (("before", before), ("after", after)):
        every = _EVERY_PAGE.format(columns=columns, pages=run.rows(PAGES), crawled=run.rows(CRAWLED))
        connection.execute(_IN_FOLDER.format(side=side, every=every))


class _Compared(NamedTuple):
    """SQL for how a property differs between the rows `o` and `n`."""

    before: str
    after: str
    is_changed: str
    of_content: bool = True


def _plain(column: str) -> _Compared:
    return _Compared(f"o.{column}", f"n.{column}", f"o.{column} IS DISTINCT FROM n.{column}")


def _lists(column: str) -> _Compared:
    """Compare lists as sets, by what only one side has."""

    def only(mine: str, other: str) -> str:
        missing = f"NOT list_contains(coalesce({other}.{column}, []), x)"
        entries = f"list_sort(list_distinct(list_filter(coalesce({mine}.{column}, []), lambda x: {missing})))"
        return f"nullif(array_to_string({entries}, ', '), '')"

    before, after = only("o", "n"), only("n", "o")
    return _Compared(before, after, f"({before}) IS NOT NULL OR ({after}) IS NOT NULL")


_COMPARED_AS: Mapping[PageProperty, _Compared] = {
    # How a sitemap writes the URL is nothing that changed on the page.
    PageProperty.INDEXABLE: _Compared(
        "o.verdict",
        "n.verdict",
        "o.verdict <> n.verdict AND o.reason IS DISTINCT FROM n.reason "
        f"AND '{PageReason.INVALID_URL}' NOT IN (coalesce(o.reason, ''), coalesce(n.reason, ''))",
        of_content=False,
    ),
    PageProperty.STATUS: _Compared("o.status::VARCHAR", "n.status::VARCHAR", "o.status <> n.status", of_content=False),
    PageProperty.REDIRECT: _Compared(
        "o.redirect",
        "n.redirect",
        "o.status IS NOT NULL AND n.status IS NOT NULL AND o.redirect IS DISTINCT FROM n.redirect",
        of_content=False,
    ),
    PageProperty.CONTENT_TYPE: _plain("content_type"),
    PageProperty.ROBOTS: _lists("robots"),
    PageProperty.CANONICAL: _plain("canonical"),
    PageProperty.HREFLANG: _lists("hreflang"),
    PageProperty.TITLE: _plain("title"),
    PageProperty.TEXT: _Compared("o.words::VARCHAR", "n.words::VARCHAR", "o.content_hash <> n.content_hash"),
    PageProperty.LINKS: _Compared("o.links::VARCHAR", "n.links::VARCHAR", "o.links <> n.links"),
    PageProperty.LASTMOD: _Compared(
        "o.lastmod",
        "n.lastmod",
        "o.lastmod IS DISTINCT FROM n.lastmod AND coalesce(o.lastmod_at <> n.lastmod_at, true)",
        of_content=False,
    ),
}


def compare_pages(
    connection: duckdb.DuckDBPyConnection,
    before: RunTables,
    after: RunTables,
    max_examples: int,
    properties: Collection[PageProperty],
) -> PageChanges:
    """Compare the pages of two runs.

    Args:
        connection: A connection that can read both runs; temporary tables are created in it.
        max_examples: Maximum number of pages to return.
        properties: What to compare.
    """
    run = connection.execute
    of_url = _section(connection, before, after)
    for side, tables in (("before", before), ("after", after)):
        [(is_repeated,)] = run(_REPEATED.format(pages=tables.rows(PAGES))).fetchall()
        run(_PAGE.format(side=side, pages=tables.pages, section=of_url, first=_FIRST if is_repeated else ""))
    has_comparable_text = is_text_comparable(connection, before, after)
    run(_COMPARED)
    chosen = [
        one for one in PageProperty if one in properties and (has_comparable_text or one is not PageProperty.TEXT)
    ]
    run(_CHANGES.format(changes=", ".join(map(_change, chosen)), edits=_edit()))
    for one in EDITED:
        if one in chosen:
            _find_edits(connection, one)
    shared = tuple(_shared(connection))
    own, examples = _own(connection, max_examples)
    [(compared, gained, lost)] = run(
        "SELECT count(*), count(*) FILTER (is_gained), count(*) FILTER (is_lost) FROM compared_pages"
    ).fetchall()
    [(changed,)] = run("SELECT count(DISTINCT loc_hash) FROM page_changes").fetchall()
    uncompared = _uncompared(connection, before, after)
    if PageProperty.TEXT in properties and not has_comparable_text and compared:
        uncompared[Uncompared.TEXT_VERSION] = int(compared)
    return PageChanges(
        compared=int(compared),
        changed=int(changed),
        lost=int(lost),
        gained=int(gained),
        properties=tuple(_by_property(connection)),
        shared=shared,
        pages=examples,
        own=own,
        uncompared=uncompared,
    )


def _section(connection: duckdb.DuckDBPyConnection, *runs: RunTables) -> str:
    """Return SQL for the section of a URL, below the folder that all pages are in."""
    urls = " UNION ALL ".join(f"SELECT min(url) AS a, max(url) AS z FROM {run.rows(PAGES)}" for run in runs)
    [(first, last)] = connection.execute(f"SELECT min(a), max(z) FROM ({urls})").fetchall()
    return section("url", (first or "")[: _common(first or "", last or "")])


def changes_in_store(store: Store, before: int, after: int) -> PageChanges:
    """Return what changed on the pages between two runs of a store."""
    columns = columns_in(store.connection)
    return compare_pages(
        store.connection, RunTables("", before, columns), RunTables("", after, columns), MAX_PAGES, tuple(PageProperty)
    )


def _by_property(connection: duckdb.DuckDBPyConnection) -> Iterator[PropertyChanges]:
    rows = connection.execute(
        "SELECT property, section, count(*) AS pages FROM page_changes GROUP BY property, section "
        "ORDER BY pages DESC, section"
    ).fetchall()
    for one in PageProperty:
        sections = [(str(name), int(pages)) for of, name, pages in rows if of == one]
        if sections:
            yield PropertyChanges(one, sum(pages for _, pages in sections), tuple(sections[:MAX_SECTIONS]))


def _change(name: PageProperty) -> str:
    """Return SQL for a struct with the change of a property."""
    compared = _COMPARED_AS[name]
    is_changed = (
        compared.is_changed if not compared.of_content else f"o.is_served AND n.is_served AND ({compared.is_changed})"
    )
    return (
        f"{{'property': {text_literal(name)}, 'before': {compared.before}, 'after': {compared.after}, "
        f"'is_changed': coalesce({is_changed}, false)}}"
    )


def _edit() -> str:
    """Return SQL for what tells changes of a property apart: the difference of numbers, or both values."""
    counted = ", ".join(text_literal(name) for name in COUNTED)
    edited = ", ".join(text_literal(name) for name in EDITED)
    return (
        f"CASE WHEN property IN ({counted}) "
        "THEN {'before': NULL, 'after': printf('%+d', after::BIGINT - before::BIGINT)} "
        f"WHEN property NOT IN ({edited}) THEN {{'before': before, 'after': after}} END"
    )


def _find_edits(connection: duckdb.DuckDBPyConnection, name: PageProperty) -> None:
    """Find the edits that values of a property share, such as the suffix of a title, and store them."""
    rows = connection.execute(
        f"SELECT before, after FROM page_changes WHERE property = {text_literal(name)} AND before IS NOT NULL "
        f"AND after IS NOT NULL ORDER BY hash(loc_hash) LIMIT {SAMPLED:d}"
    ).fetchall()
    edits = Counter(edit_of(before, after) for before, after in rows)
    cases = [
        f"WHEN {condition} THEN {{'before': nullif({text_literal(old)}, ''), 'after': nullif({text_literal(new)}, '')}}"
        for (place, old, new), count in edits.most_common(MAX_EDITS)
        if count >= MIN_SHARED
        for condition in [_is_edited(place, old, new)]
    ]
    others = "ELSE {'before': before, 'after': after} END"
    cases_sql = f"CASE {' '.join(cases)} {others}" if cases else "{'before': before, 'after': after}"
    connection.execute(f"UPDATE page_changes SET edit = {cases_sql} WHERE property = {text_literal(name)}")


def edit_of(before: str, after: str) -> tuple[str, str, str]:
    """Return where two texts differ (`start`, `end`, or `middle`), what was replaced, and what replaced it.

    Example:
        >>> edit_of("Beds | Acme", "Beds | Acme Ltd")
        ('end', '', ' Ltd')
        >>> edit_of("https://a.example/x", "https://b.example/x")
        ('middle', 'a', 'b')
    """
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    return ("end" if end == 0 else "start" if start == 0 else "middle"), old, new


def _common(one: str, other: str) -> int:
    """Return the number of characters that two texts have in common at their start."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _is_edited(place: str, old: str, new: str) -> str:
    """Return SQL for whether a change is this edit."""
    before, after = text_literal(old), text_literal(new)
    if place == "end":
        return (
            f"ends_with(before, {before}) AND left(before, -{len(old):d}) || {after} = after"
            if old
            else f"before || {after} = after"
        )
    if place == "start":
        return f"starts_with(before, {before}) AND {after} || substr(before, {len(old) + 1:d}) = after"
    return f"replace(before, {before}, {after}) = after" if old else "false"


_SHARED = f"""
CREATE TEMP TABLE shared_changes AS
WITH edits AS (
    SELECT property, edit, count(*) AS pages, list(DISTINCT section ORDER BY section) AS sections, min(url) AS url
    FROM page_changes GROUP BY property, edit HAVING pages >= {MIN_SHARED:d}
), of_section AS (
    SELECT section, count(*) AS compared FROM compared_pages GROUP BY section
), edits_in AS (
    SELECT property, edit, pages, url, unnest(sections) AS section FROM edits
)
SELECT property, edit, pages, sum(compared)::BIGINT AS compared, url,
    list(section ORDER BY compared DESC, section) AS sections
FROM edits_in JOIN of_section USING (section)
GROUP BY property, edit, pages, url HAVING pages * 2 >= sum(compared)
"""

_OWN = """
CREATE TEMP TABLE own_changes AS
SELECT * FROM page_changes ANTI JOIN shared_changes USING (property, edit)
"""

_RANK = f"list_position({[*map(str, PageProperty)]}, property)"
_OWN_PAGES = f"""
SELECT loc_hash, any_value(url) AS url, any_value(section), coalesce(bool_or(is_lost), false) AS is_lost,
    any_value(lastmod_before), any_value(lastmod_after), min({_RANK}) AS rank
FROM own_changes JOIN (SELECT * EXCLUDE (section, is_gained) FROM compared_pages) USING (loc_hash)
GROUP BY loc_hash ORDER BY is_lost DESC, rank, url LIMIT $1
"""

_LISTED = """(
    SELECT coalesce(page, loc_hash) AS page
    FROM {urls} LEFT JOIN (SELECT DISTINCT loc_hash, page_hash AS page FROM {pages} WHERE loc_hash <> page_hash)
        USING (loc_hash)
)"""

_UNCOMPARED = f"""
WITH listed AS (
    SELECT loc_hash, bool_or(is_before) AS before, bool_or(NOT is_before) AS after
    FROM (SELECT page AS loc_hash, true AS is_before FROM {{before}} UNION ALL SELECT page, false FROM {{after}})
    GROUP BY loc_hash
)
SELECT CASE WHEN NOT after THEN '{Uncompared.ONLY_BEFORE}' WHEN NOT before THEN '{Uncompared.ONLY_AFTER}'
    WHEN o.loc_hash IS NULL OR n.loc_hash IS NULL OR coalesce(o.skipped, n.skipped) IS NOT NULL
        THEN '{Uncompared.NOT_REQUESTED}'
    ELSE '{Uncompared.NO_RESPONSE}' END AS why, count(*)
FROM listed LEFT JOIN before_facts AS o USING (loc_hash) LEFT JOIN after_facts AS n USING (loc_hash)
WHERE loc_hash IS NOT NULL AND loc_hash NOT IN (SELECT loc_hash FROM compared_pages)
GROUP BY why
"""


def _shared(connection: duckdb.DuckDBPyConnection) -> Iterator[SharedChange]:
    """Find the changes that many pages share, and yield them, most pages first."""
    connection.execute(_SHARED)
    rows = connection.execute(
        "SELECT property, edit.before, edit.after, pages, compared, sections, url FROM shared_changes "
        "ORDER BY pages DESC, property, url"
    ).fetchall()
    for name, before, after, pages, compared, sections, url in rows:
        change = _value_change(name, before, after)
        yield SharedChange(
            change.property, change.before, change.after, pages, compared, tuple(sections[:MAX_SECTIONS]), url
        )


def _own(connection: duckdb.DuckDBPyConnection, limit: int) -> tuple[int, tuple[ChangedPage, ...]]:
    """Return the number of pages with changes that many pages do not share, and the first of them."""
    connection.execute(_OWN)
    [(count,)] = connection.execute("SELECT count(DISTINCT loc_hash) FROM own_changes").fetchall()
    pages = connection.execute(_OWN_PAGES, [limit]).fetchall()
    changes = changes_by_page(connection, [loc_hash for loc_hash, *_ in pages], "own_changes")
    return int(count), tuple(
        ChangedPage(
            url=url,
            section=page_section,
            changes=changes[loc_hash],
            lastmod_before=lastmod_before,
            lastmod_after=lastmod_after,
            is_lost=is_lost,
        )
        for loc_hash, url, page_section, is_lost, lastmod_before, lastmod_after, _ in pages
    )


def changes_by_page(
    connection: duckdb.DuckDBPyConnection, pages: Collection[int], table: str = "page_changes"
) -> dict[int, tuple[ValueChange, ...]]:
    """Return what changed on pages that were compared, by loc_hash, most consequential first."""
    changes: dict[int, list[ValueChange]] = {}
    for loc_hash, is_changed, *change in connection.execute(
        "SELECT loc_hash, property IS NOT NULL, property, before, after FROM compared_pages "
        f"LEFT JOIN {table} USING (loc_hash) WHERE loc_hash IN (SELECT unnest($1::BIGINT[]))",
        [list(pages)],
    ).fetchall():
        of_page = changes.setdefault(loc_hash, [])
        if is_changed:
            of_page.append(_value_change(*change))
    order = list(PageProperty).index
    return {page: tuple(sorted(found, key=lambda one: order(one.property))) for page, found in changes.items()}


def count_changes(connection: duckdb.DuckDBPyConnection, pages: str) -> dict[PageProperty, int]:
    """Return on how many pages of a query for `loc_hash` each property changed."""
    counts = dict(
        connection.execute(
            f"SELECT property, count(DISTINCT loc_hash) FROM page_changes WHERE loc_hash IN ({pages}) GROUP BY property"
        ).fetchall()
    )
    return {one: int(counts[one.value]) for one in PageProperty if one.value in counts}


def _value_change(name: str, before: str | None, after: str | None) -> ValueChange:
    values = (before, after)
    if name == PageProperty.INDEXABLE:
        values = (_verdict(before), _verdict(after))
    start = _common(*(value or "" for value in values))
    # Cut so that the difference is shown.
    cut, dots = (start - MAX_VALUE // 2, "…") if start >= MAX_VALUE else (0, "")
    return ValueChange(PageProperty(name), *(value and dots + value[cut : cut + MAX_VALUE] for value in values))


def _verdict(value: str | None) -> str:
    """Return a verdict in words."""
    reason, _, what = (value or "").partition(_BETWEEN)
    return phrase(reason or None, what or None)


def _uncompared(connection: duckdb.DuckDBPyConnection, before: RunTables, after: RunTables) -> dict[Uncompared, int]:
    listed = (_LISTED.format(urls=run.rows(URLS), pages=run.rows(PAGES)) for run in (before, after))
    statement = _UNCOMPARED.format(**dict(zip(("before", "after"), listed, strict=True)))
    counts = dict(connection.execute(statement).fetchall())
    return {reason: int(counts[reason.value]) for reason in Uncompared if reason.value in counts}
