"""Asks the rules on dates which dates of a build are newer than the last change of their pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.database.connections import connect
from urlset.rules.date_evidence import inflated_dates
from urlset.tables import EPOCH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.model.build import DateProof


class BuiltDate(NamedTuple):
    """The date that a build would publish for a page.

    Attributes:
        lastmod: The date.
        before: The date that the last build published for the same main text; None if it is unknown.
        content_hash: Hash of the main text.
        proof: The commit that proves when the text changed; None without one.
    """

    lastmod: str
    before: str | None
    content_hash: int
    proof: DateProof | None


def find_inflated(dates: Mapping[int, BuiltDate], now: datetime) -> list[tuple[int, str]]:
    """Return the keys of the dates of a source that are newer than the last change, and why each of them is.

    Args:
        dates: The dates of all pages, which are also compared with each other.
    """
    if not dates:
        return []
    read = [_core.read_date(date.lastmod) for date in dates.values()]
    before = [None if date.before is None else _core.read_date(date.before)[0] for date in dates.values()]
    columns = {
        "place": ("INTEGER", list(dates)),
        "lastmod_at": ("TIMESTAMP", [_moment(at) for at, _, _ in read]),
        "lastmod_precision": ("VARCHAR", [precision for _, precision, _ in read]),
        "lastmod_at_before": ("TIMESTAMP", [_moment(at) for at in before]),
        "content_hash": ("BIGINT", [date.content_hash for date in dates.values()]),
        "content_hash_before": (
            "BIGINT",
            [None if date.before is None else date.content_hash for date in dates.values()],
        ),
        "page_modified": ("VARCHAR", [None] * len(dates)),
        "page_modified_at": (
            "TIMESTAMP",
            [None if date.proof is None else date.proof.committed.replace(tzinfo=None) for date in dates.values()],
        ),
        "proof_commit": ("VARCHAR", [None if date.proof is None else date.proof.commit for date in dates.values()]),
    }
    values = ", ".join(
        f"unnest(${number}::{kind}[]) AS {name}" for number, (name, (kind, _)) in enumerate(columns.items(), 1)
    )
    at = f"make_timestamp({(now - EPOCH) // timedelta(microseconds=1):d})"
    with connect({"threads": 1}) as connection:
        connection.execute(f"CREATE TABLE built AS SELECT {values}", [rows for _, rows in columns.values()])
        return connection.execute(inflated_dates("built", at)).fetchall()


def _moment(microseconds: int | None) -> datetime | None:
    if microseconds is None:
        return None
    return (EPOCH + timedelta(microseconds=microseconds)).astimezone(UTC).replace(tzinfo=None)
