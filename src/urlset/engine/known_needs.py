"""What the queries of urlset's own rules need, derived before: parsing all of them takes longer than a small run."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TypeAlias

Needs: TypeAlias = dict[str, tuple[str, ...]]
"""Table -> the columns that a query may read of it."""

DERIVED_BEFORE = Path(__file__).with_name("needs.json")
"""What was derived of the queries of urlset's own rules; `scripts/make_needs.py` writes it."""


def derived_before(sql: str) -> Needs | None:
    """Return what was derived of a query of urlset's own rules; None for any other query.

    Parsing the queries of all rules takes longer than judging a small sitemap, so what was derived of them is kept in
    `needs.json`, by the digest of the query: one that has changed is parsed anew.
    """
    return _all_derived_before().get(digest(sql))


def digest(sql: str) -> str:
    """Return the name of a query in `needs.json`."""
    return hashlib.blake2b(sql.encode(), digest_size=8).hexdigest()


@cache
def _all_derived_before() -> dict[str, Needs]:
    found: dict[str, dict[str, list[str]]] = json.loads(DERIVED_BEFORE.read_bytes())
    return {name: {table: tuple(columns) for table, columns in needs.items()} for name, needs in found.items()}
