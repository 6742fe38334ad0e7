"""Finds the copies of a sitemap that the runs of a store have fetched."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - the type of a field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.store.file import utc
from urlset.store.stored_values import stored_values
from urlset.store.url_hashes import add_hashes
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.store.file import Store


class Copy(NamedTuple):
    """A fetched copy.

    Attributes:
        at: When it was received, UTC.
    """

    at: datetime
    sha256: str


def copies_of(store: Store, urls: Iterable[str]) -> dict[str, list[Copy]]:
    """Return the complete copies of sitemaps in all runs of a store, by URL, in the order of time."""
    store.connection.execute("CREATE OR REPLACE TEMP TABLE document_names (name VARCHAR, page_hash BIGINT)")
    add_hashes(
        store.connection,
        "document_names",
        f"SELECT name, name AS url FROM (SELECT url AS name FROM {DOCUMENTS.name} UNION "
        f"SELECT final_url FROM {DOCUMENTS.name})",
    )
    asked = sorted(set(urls))
    rows = store.rows(
        f"""
        SELECT DISTINCT asked.url, d.run_id, d.document_id, d.fetched_at, d.sha256
        FROM (SELECT unnest($1::VARCHAR[]) AS url, unnest($2::BIGINT[]) AS page_hash) AS asked
        JOIN document_names USING (page_hash)
        JOIN {DOCUMENTS.name} AS d ON name IN (d.url, d.final_url)
        WHERE d.fetched_at IS NOT NULL AND d.sha256 IS NOT NULL AND d.http_status = 200 AND d.error_kind IS NULL
        ORDER BY d.fetched_at
        """,
        [asked, [*map(_core.page_hash, asked)]],
    )
    copies: dict[str, list[Copy]] = {}
    with stored_values(store.path, "the sitemaps of its runs"):
        for url, _, _, at, sha256 in rows:
            copies.setdefault(url, []).append(Copy(utc(at), str(sha256)))
    return copies


def changed_since(copies: Iterable[Copy], moment: datetime) -> tuple[bool | None, str] | None:
    """Return whether the bytes have changed since a moment, and what the copies show, in words.

    A change between the copies before and after the moment may have happened before it: the first value is then None.
    None if the copies show neither that, nor that nothing changed.

    Example:
        >>> from datetime import UTC, datetime
        >>> days = [datetime(2026, 11, day, tzinfo=UTC) for day in (1, 2, 3, 4)]
        >>> changed_since([Copy(days[0], "a"), Copy(days[3], "a")], days[1])
        (False, 'are those of 2026-11-01')
        >>> changed_since([Copy(days[2], "a"), Copy(days[3], "b")], days[1])
        (True, 'changed, between 2026-11-03 and 2026-11-04')
    """
    ordered = sorted(copies)
    before = [copy for copy in ordered if copy.at <= moment][-1:]
    later = [copy for copy in ordered if copy.at > moment]
    changes = [(old, new) for old, new in pairwise([*before, *later]) if old.sha256 != new.sha256]
    if sure := [(old, new) for old, new in changes if old.at > moment]:
        return True, f"changed, {_between(*sure[-1])}"
    if changes:
        return None, f"changed {_between(*changes[0])}"
    return (False, f"are those of {before[0].at:%Y-%m-%d}") if before and later else None


def _between(old: Copy, new: Copy) -> str:
    form = "%Y-%m-%d" if old.at.date() != new.at.date() else "%Y-%m-%d %H:%M:%S"
    return f"between {old.at:{form}} and {new.at:{form}}"
