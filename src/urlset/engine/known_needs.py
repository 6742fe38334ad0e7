"""Loads the precomputed columns that the queries of urlset's own rules need: parsing the queries would be slow."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeAlias

from msgspec import json

Needs: TypeAlias = dict[str, tuple[str, ...]]
"""The columns that a query may read, by table."""

NEEDS_FILE = Path(__file__).with_name("needs.json")
"""The precomputed columns of the queries of urlset's own rules; written by `scripts/make_rules.py`."""


def known_needs(sql: str) -> Needs | None:
    """Return the columns that a query of urlset's own rules needs; None for any other query.

    Parsing the queries of all rules takes longer than checking a small sitemap, so the result is stored in
    `needs.json`, by the text of the query. A changed query is parsed again.
    """
    return _all_known_needs().get(sql)


@cache
def _all_known_needs() -> dict[str, Needs]:
    return json.decode(NEEDS_FILE.read_bytes(), type=dict[str, Needs])
