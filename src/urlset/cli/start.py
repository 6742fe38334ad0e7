"""The start of the command, before the rest is imported."""

import gc
import sys

OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""Allocations between garbage collections. Imports create no garbage, and collecting after every 700 allocations, the
default, takes longer than most rules."""


def run() -> None:
    """The entry point of the installed command."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    from urlset.cli.main import fill_closed_streams
    from urlset.cli.main import run as begin
    from urlset.database.connections import load_lazily
    from urlset.database.interrupts import end, end_on_interrupt

    # This comes first, since the pipe in the next line would get the number of a closed stream.
    fill_closed_streams()
    end_on_interrupt()
    load_lazily()
    try:
        begin()
    except SystemExit as stop:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError):
            raise stop from None
        # Python would take every module apart before it ends, which takes longer than most of what was imported.
        end(stop.code if isinstance(stop.code, int) else 0)
