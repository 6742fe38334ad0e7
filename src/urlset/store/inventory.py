"""Compares the URLs in a run with a list of existing URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.sql import quote
from urlset.model.audit import Inventory
from urlset.store.file import RUN_ID
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.store.file import Store


def compare_inventory(store: Store, run_id: int, known: Iterable[str], most: int) -> Inventory:
    """Compare the URLs in a run with a list of existing URLs.

    Args:
        store: The store.
        run_id: The run.
        known: The existing URLs.
        most: Maximum number of examples.
    """
    connection = store.connection
    connection.execute("CREATE OR REPLACE TEMP TABLE inventory (url VARCHAR)")
    rows = [url for url in known if url]
    connection.execute("INSERT INTO inventory SELECT DISTINCT unnest($1::VARCHAR[])", [rows])
    listed = f"(SELECT DISTINCT loc AS url FROM {quote(URLS.name)} WHERE {RUN_ID} = {run_id:d} AND loc <> '')"
    unlisted = f"SELECT url FROM inventory WHERE url NOT IN (SELECT url FROM {listed})"
    unknown = f"SELECT url FROM {listed} WHERE url NOT IN (SELECT url FROM inventory)"

    def number(statement: str) -> int:
        [(count,)] = connection.execute(f"SELECT count(*) FROM ({statement})").fetchall()
        return int(count)

    def first(statement: str) -> tuple[str, ...]:
        return tuple(url for (url,) in connection.execute(f"{statement} ORDER BY url LIMIT {most:d}").fetchall())

    return Inventory(number("FROM inventory"), number(unlisted), first(unlisted), number(unknown), first(unknown))
