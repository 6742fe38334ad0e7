"""Compares two runs by joining their tables in SQL, which spills to disk if memory is insufficient."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

from urlset.engine.run_folder import attach_run
from urlset.engine.session import Session
from urlset.engine.sql import text_literal
from urlset.model.comparison import FindingChange, LastmodChange, LastmodChangeKind, ListedUrl, Part, State, UrlChange
from urlset.rules.rule import Severity
from urlset.store.file import DEFAULT_MEMORY, IN_UTC, RUN_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from urlset.store.rules_run import AppliedRules

Item = TypeVar("Item")

MOST_DOCUMENTS = 10
"""Maximum number of documents to list in a part."""

URLS_AT_ONCE = 1_000
"""Number of URLs to fetch at once."""

_STATES = {state: rank for rank, state in enumerate(State)}
_SEVERITIES = {severity: rank for rank, severity in enumerate(Severity)}

# A URL in several documents counts once: with the newest lastmod, in the first document.
_LISTED = """
CREATE TEMP TABLE {side}_urls AS
SELECT loc AS url, min(document_id) AS document_id, arg_max(lastmod, lastmod_at) AS readable, max(lastmod) AS written,
    max(lastmod_at) AS at
FROM {side}.urls WHERE {run} AND loc <> '' GROUP BY loc
"""

_CHILDREN = """
CREATE TEMP TABLE {side}_children AS SELECT DISTINCT loc AS url FROM {side}.children WHERE {run} AND loc <> ''
"""

# URLs that only the side `here` lists.
_ONLY = "SELECT * FROM {here}_urls WHERE url NOT IN (SELECT url FROM {there}_urls)"

_MOVED = f"""
CREATE TEMP TABLE moved AS
SELECT new.url, new.document_id, coalesce(old.readable, old.written) AS before_value,
    coalesce(new.readable, new.written) AS after_value,
    CASE WHEN before_value IS NULL THEN '{LastmodChangeKind.ADDED}'
        WHEN after_value IS NULL THEN '{LastmodChangeKind.REMOVED}'
        WHEN new.at > old.at THEN '{LastmodChangeKind.LATER}'
        WHEN new.at < old.at THEN '{LastmodChangeKind.EARLIER}'
        ELSE '{LastmodChangeKind.REWRITTEN}' END AS moved
FROM before_urls AS old JOIN after_urls AS new USING (url)
WHERE before_value IS DISTINCT FROM after_value
"""

# A URL with the same lastmod on both sides is not listed.
_CHANGED_URLS = f"""
SELECT change, url, lastmod_before, lastmod_after FROM (
    SELECT coalesce(new.url, old.url) AS url, coalesce(old.readable, old.written) AS lastmod_before,
        coalesce(new.readable, new.written) AS lastmod_after,
        CASE WHEN old.url IS NULL THEN '{UrlChange.ADDED}' WHEN new.url IS NULL THEN '{UrlChange.REMOVED}'
            WHEN lastmod_before IS DISTINCT FROM lastmod_after THEN '{UrlChange.CHANGED}' END AS change
    FROM before_urls AS old FULL JOIN after_urls AS new ON new.url = old.url)
WHERE change IN ({{changes}}) ORDER BY url
"""

# Documents are matched by path, so that a folder can be compared with another folder or with the deployed site. If a
# side has several hosts, they are matched by host and path. If both sides have a single document, they match whatever
# their names.
_FINDINGS = """
SELECT code, {key} AS place, min(document), arg_min(severity, example), sum("count") FILTER (example <= 1),
    arg_min(message, example)
FROM {side}.findings JOIN (SELECT document_id, url, host, site_path FROM {side}.documents WHERE {run}) AS named
    USING (document_id)
WHERE {run} GROUP BY code, place
"""


class Comparer(Session):
    """Compares two runs in one or two stores.

    Args:
        before: The store of the earlier run, and its number.
        after: The store of the later run, and its number.
        max_examples: Maximum number of examples per part.
        output: The file that `write_urls` writes.
    """

    def __init__(
        self, before: tuple[Path, int], after: tuple[Path, int], max_examples: int, output: Path | None = None
    ) -> None:
        self._most = max_examples
        self._output = output
        self._sides = (("before", before), ("after", after))
        self._runs: dict[str, str] = {}
        self._catalogs: dict[str, str] = {}
        super().__init__(
            {"memory_limit": DEFAULT_MEMORY, "threads": os.cpu_count() or 1, "preserve_insertion_order": False},
            [IN_UTC],
            readable=[before[0], after[0], *([] if output is None else [output])],
        )

    def _prepare(self) -> None:
        catalogs: dict[Path, str] = {}
        for side, (path, run_id) in self._sides:
            known = catalogs.get(path.resolve())
            if known is None:
                attach_run(self._connection, path, side)
                known = catalogs[path.resolve()] = side
            self._catalogs[side] = known
            self._runs[side] = f"{RUN_ID} = {run_id:d}"
        for side, _ in self._sides:
            for statement in (_LISTED, _CHILDREN):
                self._connection.execute(self._filled(statement.replace("{side}_", f"{side}_"), side))

    def url_count(self, side: str) -> int:
        """Return the number of distinct URLs on a side."""
        return self._number(f"SELECT count(*) FROM {side}_urls")

    def only(self, here: str, there: str) -> Part[ListedUrl]:
        """Return the URLs that only one side lists."""
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE only_{here} AS {_only(here, there)}")
        return self._part(
            f"only_{here}", here, "url, document, coalesce(readable, written)", lambda row: ListedUrl(*row)
        )

    def urls_of(self, here: str) -> Iterator[tuple[str, str]]:
        """Yield the URLs found by `only`, each with the URL of its document, sorted by URL."""
        documents = self._filled("(SELECT document_id, final_url FROM {side}.documents WHERE {run})", here)
        last = ""
        while rows := self._connection.execute(
            f"SELECT url, final_url FROM only_{here} JOIN {documents} USING (document_id) "
            f"WHERE url > $1 ORDER BY url LIMIT {URLS_AT_ONCE:d}",
            [last],
        ).fetchall():
            yield from rows
            last = rows[-1][0]

    def lists(self, side: str, urls: list[str]) -> set[str]:
        """Return those of the given URLs that a side lists."""
        rows = self._connection.execute(
            f"SELECT url FROM {side}_urls WHERE url IN (SELECT unnest($1::VARCHAR[]))", [urls]
        ).fetchall()
        return {url for (url,) in rows}

    def lastmods(self) -> tuple[Part[LastmodChange], dict[LastmodChangeKind, int]]:
        """Return the URLs whose lastmod changed, and the number of changes of each kind."""
        self._connection.execute(_MOVED)
        part = self._part(
            "moved",
            "after",
            "url, document, before_value, after_value, moved",
            lambda row: LastmodChange(row[0], row[1], row[2], row[3], LastmodChangeKind(row[4])),
        )
        counts = dict(self._connection.execute("SELECT moved, count(*) FROM moved GROUP BY moved").fetchall())
        return part, {kind: counts[kind.value] for kind in LastmodChangeKind if kind.value in counts}

    def urls(self, changes: Iterable[UrlChange]) -> Iterator[tuple[str | None, ...]]:
        """Yield every URL with one of these changes, sorted by URL: `model.comparison.URL_COLUMNS`."""
        self._connection.execute(_changed_urls(changes))
        while rows := self._connection.fetchmany(URLS_AT_ONCE):
            yield from rows

    def write_urls(self, changes: Iterable[UrlChange]) -> None:
        """Write the rows of `urls` to the output file, as Parquet."""
        target = text_literal(str(self._output))
        # The file exists already, and another next to it cannot be opened.
        options = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
        self._connection.execute(f"COPY ({_changed_urls(changes)}) TO {target} ({options})")

    def children(self, here: str, there: str) -> Part[str]:
        """Return the sitemaps that only indexes of one side list."""
        source = f"SELECT url FROM {here}_children WHERE url NOT IN (SELECT url FROM {there}_children)"
        rows = self._connection.execute(f"{source} ORDER BY url LIMIT {self._most:d}").fetchall()
        return Part(self._number(f"SELECT count(*) FROM ({source})"), tuple(url for (url,) in rows))

    def findings(
        self, before: AppliedRules, after: AppliedRules
    ) -> tuple[tuple[FindingChange, ...], tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return the changes in findings, new findings first, then by severity, document, and code.

        Args:
            before: The rules that the earlier run applied.
            after: The rules that the later run applied.

        Returns:
            The changes for rules that both runs applied, and, for each side, the codes of findings of rules that only
            this side applied.
        """
        one_sided: dict[str, set[str]] = {"before": set(), "after": set()}
        found: dict[tuple[str, str], dict[str, Any]] = {}
        key = self._document_key()
        for side in ("before", "after"):
            statement = self._filled(_FINDINGS, side).replace("{key}", key)
            for code, place, document, severity, count, message in self._connection.execute(statement).fetchall():
                if not before.compares(after, code):
                    one_sided[side].add(code)
                    continue
                row = found.setdefault((code, place), {"before": 0, "after": 0})
                row |= {side: int(count), "document": document, "severity": Severity(severity), "message": message}
        changes = [FindingChange(code=code, **row) for (code, _), row in found.items()]

        def order(change: FindingChange) -> tuple[int, int, str, str]:
            return (_STATES[change.state], _SEVERITIES[change.severity], change.document, change.code)

        ordered = tuple(sorted(changes, key=order))
        return ordered, (tuple(sorted(one_sided["before"])), tuple(sorted(one_sided["after"])))

    def _document_key(self) -> str:
        """Return SQL for the key that matches documents of the two sides."""
        counts = [
            self._connection.execute(
                self._filled("SELECT count(*), count(DISTINCT host) FROM {side}.documents WHERE {run}", side)
            ).fetchall()[0]
            for side in ("before", "after")
        ]
        if all(documents == 1 for documents, _ in counts):
            return "''"
        path = "coalesce(named.site_path, named.url)"
        return f"coalesce(named.host, '') || {path}" if any(hosts > 1 for _, hosts in counts) else path

    def _filled(self, statement: str, side: str) -> str:
        """Fill in the database and the run of a side."""
        return statement.replace("{side}", self._catalogs[side]).replace("{run}", self._runs[side])

    def _part(self, table: str, side: str, columns: str, make: Callable[[tuple[Any, ...]], Item]) -> Part[Item]:
        documents = self._filled("(SELECT document_id, url AS document FROM {side}.documents WHERE {run})", side)
        source = f"{table} JOIN {documents} AS named USING (document_id)"
        rows = self._connection.execute(f"SELECT {columns} FROM {source} ORDER BY url LIMIT {self._most:d}").fetchall()
        most = self._connection.execute(
            f"SELECT document, count(*) AS size FROM {source} GROUP BY document ORDER BY size DESC, document "
            f"LIMIT {MOST_DOCUMENTS:d}"
        ).fetchall()
        count = self._number(f"SELECT count(*) FROM {table}")
        return Part(count, tuple(make(row) for row in rows), tuple((str(name), int(size)) for name, size in most))

    def _number(self, statement: str) -> int:
        [(number,)] = self._connection.execute(statement).fetchall()
        return int(number)


def _changed_urls(changes: Iterable[UrlChange]) -> str:
    return _CHANGED_URLS.replace("{changes}", ", ".join(text_literal(change.value) for change in changes))


def _only(here: str, there: str) -> str:
    return _ONLY.replace("{here}", here).replace("{there}", there)
