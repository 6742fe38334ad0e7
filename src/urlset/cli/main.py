"""The `urlset` command: puts the commands together, and turns every way to end into an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from urlset.cli.commands import Commands
from urlset.cli.output import complain
from urlset.errors import ExitCode, UrlsetError

HELP = """Build, find, read, inspect, validate, repair and score sitemaps.

A TARGET is a file, a folder, an http(s) URL, or - for standard input. XML sitemaps and sitemap indexes, text sitemaps,
RSS and Atom feeds are read, plain or gzipped, whatever their names say.

\b
Examples:
  urlset validate public/sitemap.xml
  urlset validate https://example.com/sitemap_index.xml --format json
  urlset inspect public/
  urlset discover example.com
  urlset check example.com
  urlset fix public/ --in-place
  urlset build public/ --base-url https://example.com -o public/
  urlset inspect sitemap.xml.gz --urls | sort | uniq -d
  urlset sql "select host, count(*) from urls group by all" public/
  urlset robots https://example.com https://example.com/search?q=a
  urlset explain LOC003

\b
Exit codes:
  0    nothing found at or above --fail-on
  1    something found at or above --fail-on
  2    a wrong option or configuration
  3    a target could not be read at all, whatever was found in the others
  4    a fault of urlset's own
  130  interrupted
"""


@dataclass
class Settings:
    """What the options before the command say."""

    traceback: bool = False


app = typer.Typer(
    name="urlset",
    cls=Commands,
    help=HELP,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    # Rich takes longer to import than the rest of `--help` to run.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"urlset {version('urlset')}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Show where a fault of urlset's own happened (also: URLSET_DEBUG=1).")
    ] = False,
) -> None:
    """Options that stand before the command."""
    context.ensure_object(Settings).traceback = traceback


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line.

    Args:
        arguments: What stands after `urlset`; None for what the process was given.

    Returns:
        The exit code: an `ExitCode`.
    """
    settings = Settings(traceback=os.environ.get("URLSET_DEBUG", "0") not in ("", "0"))
    debug = settings.traceback
    try:
        app(args=arguments, prog_name="urlset", obj=settings)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else ExitCode.FAULT
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except UrlsetError as error:
        if error.exit_code is not ExitCode.FAULT:
            complain(str(error))
            return error.exit_code
        return _fault(str(error), show_traceback=debug or settings.traceback)
    except MemoryError:
        complain("not enough memory")
        return ExitCode.UNREADABLE
    except Exception as error:  # noqa: BLE001 - the last resort: a user is owed a line, not a stack
        return _fault(f"{type(error).__name__}: {error}", show_traceback=debug or settings.traceback)
    return ExitCode.CLEAN


def _fault(what: str, *, show_traceback: bool) -> int:
    if show_traceback:
        import traceback

        traceback.print_exc()
    hint = "" if show_traceback else "; `urlset --traceback …` shows where it happened"
    complain(f"a fault of urlset's own, please report it: {what}{hint}")
    return ExitCode.FAULT


def run() -> None:
    """The entry point of the installed command."""
    sys.exit(main())
