"""Loads the precomputed columns that the queries of urlset's own rules need: parsing the queries would be slow."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TypeAlias

Needs: TypeAlias = dict[str, tuple[str, ...]]
"""The columns that a query may read, by table."""

DERIVED_BEFORE = Path(__file__).with_name("needs.json")
"""The precomputed columns of the queries of urlset's own rules; written by `scripts/make_needs.py`."""


def derived_before(sql: str) -> Needs | None:
    """Return the columns that a query of urlset's own rules needs; None for any other query.

    Parsing the queries of all rules takes longer than checking a small sitemap, so the result is stored in
    `needs.json`, by the digest of the query. A changed query is parsed again.
    """
    return _all_derived_before().get(digest(sql))


def digest(sql: str) -> str:
    """Return the key of a query in `needs.json`."""
    return hashlib.blake2b(sql.encode(), digest_size=8).hexdigest()


@cache
def _all_derived_before() -> dict[str, Needs]:
    found: dict[str, dict[str, list[str]]] = json.loads(DERIVED_BEFORE.read_bytes())
    return {name: {table: tuple(columns) for table, columns in needs.items()} for name, needs in found.items()}
