"""Options for the store, the DuckDB file that keeps runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from urlset.errors import UsageError
from urlset.options.declare import PER_RUN, Facts, OptionGroup, Panel, option, option_group

DEFAULT_STORE = Path("urlset.duckdb")
"""The store where none is given."""


@option_group
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
    no_store: bool = option(
        False,
        Facts(
            help="Do not keep the run; it cannot be resumed or compared later",
            panel=Panel.STORE,
            faces=PER_RUN,
        ),
    )
    resume: bool = option(
        False,
        Facts(
            help="Resume the last unfinished run in the store",
            panel=Panel.STORE,
            faces=PER_RUN,
        ),
    )

    @classmethod
    def check_given(cls, given: Mapping[str, object]) -> None:
        """Check what was set explicitly, which the values alone do not show.

        Raises:
            UsageError: A store is named that is not to be kept.
        """
        if given.get("no_store") and (given.get("resume") or given.get("store") is not None):
            raise UsageError("--no-store keeps nothing: leave out --store and --resume")
