"""Options for the store, the DuckDB file that keeps runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from urlset.options.declare import Face, Facts, OptionGroup, Panel, option

DEFAULT_STORE = Path("urlset.duckdb")
"""The store where none is given."""


@dataclass(frozen=True, kw_only=True)
class StoringOptions(OptionGroup):
    """Where a run is kept, and whether an unfinished one is resumed."""

    TABLE: ClassVar[str] = "audit"

    store: Path = option(
        DEFAULT_STORE,
        Facts(
            help="DuckDB file that keeps the run",
            panel=Panel.STORE,
            metavar="FILE",
            example='"audits.duckdb"',
            is_place=True,
        ),
    )
    resume: bool = option(
        False,
        Facts(
            help="Resume the last unfinished run in the store",
            panel=Panel.STORE,
            faces=frozenset({Face.COMMAND_LINE, Face.PYTHON}),
        ),
    )
