"""`urlset history`: the runs that a store keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from urlset.cli.options import DEFAULT_STORE, Colour, ColourOption, Format

EXAMPLES = """\b
Examples:
  urlset history
  urlset history audits.duckdb --format json
  urlset history audits.duckdb --keep 30
"""


def history(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The store's file.")] = DEFAULT_STORE,
    keep: Annotated[
        int | None,
        typer.Option("--keep", metavar="N", min=1, help="Forget all but the newest N runs first.", show_default=False),
    ] = None,
    form: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text for people, or json.")] = Format.TEXT,
    colour: ColourOption = Colour.AUTO,
) -> None:
    """List the runs of a store with their numbers, oldest first.

    A run without an end was interrupted, or goes on in another process. What is forgotten makes room for later runs;
    the file does not shrink.
    """
    from urlset.cli.output import Output
    from urlset.store.file import Store

    if keep is not None:
        # Reading first: a store that is not there must not be made.
        Store.read(store).close()
        with Store.create(store) as opened:
            for run in opened.runs()[:-keep]:
                opened.forget(run.run_id)
    with Store.read(store) as opened:
        runs = opened.runs()
    output = Output(colour)
    output.show("history", form, runs, output.style)
