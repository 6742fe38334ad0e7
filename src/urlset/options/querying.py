"""Options for SQL queries."""

from __future__ import annotations

from pathlib import Path

from urlset.options.declare import PER_RUN, NaturalNumber, OptionFacts, Panel, Text, option, option_group
from urlset.options.verbs import ValidateOptions

DEFAULT_MEMORY = "256MB"
"""Default memory limit of a query, beyond which DuckDB writes to its temporary folder."""

DEFAULT_SECONDS = 300.0
"""Default time limit of a query."""


@option_group(panel=Panel.TARGETS, faces=PER_RUN)
class QueryOptions(ValidateOptions):
    """Options of `query`: how documents are read and checked, and what the query can do and use."""

    xsd: Path | None = None

    allow_files: bool = option(
        False,
        OptionFacts(help="Allow the query to read local files, as with read_csv('…')"),
    )
    memory: Text = option(
        DEFAULT_MEMORY,
        OptionFacts(
            help="Maximum memory for the query before it spills to disk",
            metavar="SIZE",
        ),
    )
    max_time: NaturalNumber = option(
        DEFAULT_SECONDS,
        OptionFacts(help="Stop the query after SECONDS; 0 for no limit", metavar="SECONDS"),
    )
