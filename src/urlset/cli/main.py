"""The `urlset` command: puts the commands together, and turns every way to end into an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import typer

from urlset.cli.commands import Commands
from urlset.cli.output import complain, send_nowhere
from urlset.errors import ExitCode, InputError, UrlsetError, is_out_of_resources, reason_of
from urlset.interrupts import was_asked
from urlset.sizes import GiB, size

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
  3    a target could not be read at all, whatever was found in the others; or the system refused memory or output
  4    internal error; if it concerns one document, page or site only, the rest is reported nonetheless
  130  interrupted
"""


NO_MEMORY = "not enough memory; raise the limit, or read less at once: --max-bytes, --concurrency"

LIGHT = frozenset({"rules", "explain", "config", "cache"})
"""Commands that neither open DuckDB nor start threads."""

LEAST_ADDRESS_SPACE = GiB
"""Bytes: with less, libraries end the process when they cannot reserve what they never use, and say nothing."""


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
    if context.invoked_subcommand not in LIGHT:
        _check_address_space()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line.

    Args:
        arguments: What stands after `urlset`; None for what the process was given.

    Returns:
        The exit code: an `ExitCode`.
    """
    fill_closed_streams()
    settings = Settings(traceback=os.environ.get("URLSET_DEBUG", "0") not in ("", "0"))
    debug = settings.traceback
    try:
        app(args=arguments, prog_name="urlset", obj=settings)
    except SystemExit as stop:
        if _is_pipe_closed():
            return ExitCode.CLEAN
        return stop.code if isinstance(stop.code, int) else ExitCode.FAULT
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except UrlsetError as error:
        if was_asked():
            return ExitCode.INTERRUPTED
        if is_out_of_resources(error):
            complain(NO_MEMORY)
            return ExitCode.UNREADABLE
        if error.exit_code is not ExitCode.FAULT:
            complain(str(error))
            return error.exit_code
        return _fault(str(error), show_traceback=debug or settings.traceback)
    except BrokenPipeError:
        send_nowhere(sys.stdout)
        return ExitCode.CLEAN
    except Exception as error:  # noqa: BLE001 - the last resort: a user is owed a line, not a stack
        if was_asked():
            return ExitCode.INTERRUPTED
        if (reason := _reason_of_system(error)) is not None:
            send_nowhere(sys.stdout)
            complain(reason)
            return ExitCode.UNREADABLE
        return _fault(f"{type(error).__name__}: {error}", show_traceback=debug or settings.traceback)
    return ExitCode.CLEAN


def fill_closed_streams() -> None:
    """Puts something in the place of standard streams that are closed, which is an error only for who uses them.

    Otherwise the next file that is opened would get their number, and be written to as if it were standard output.
    """
    for number, name, mode in ((0, "stdin", os.O_WRONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            # Opened the wrong way round, so that the system refuses to read from it, or to write to it.
            descriptor = os.open(os.devnull, mode)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            stream = open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _is_pipe_closed() -> bool:
    """Returns whether a pipe was closed while help was written to it: Click then wraps the stream, and exits with 1."""
    return type(sys.stdout).__name__ == "PacifyFlushWrapper"


def _check_address_space() -> None:
    """Refuses to begin where a limit on the address space (`ulimit -v`) is too low for the libraries.

    Raises:
        InputError: It is.
    """
    try:
        import resource
    except ImportError:  # Windows has none.
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < LEAST_ADDRESS_SPACE and not {"-h", "--help"} & set(sys.argv):
        raise InputError(
            f"not enough memory: the address space is limited to {size(limit)}",
            f"raise it to {size(LEAST_ADDRESS_SPACE)} or more: ulimit -v",
        )


def _reason_of_system(error: Exception) -> str | None:
    """Returns what the system refused, for an error that is about it and not about urlset; None for other errors."""
    if is_out_of_resources(error):
        return NO_MEMORY
    if isinstance(error, OSError) and error.errno is not None:
        try:
            os.getcwd()  # noqa: PTH109
        except OSError:
            return "the working directory does not exist any more; change to another one"
        if error.errno == errno.EBADF:
            return f"the output cannot be written: {reason_of(error)}"
        what = f"{error.filename}: " if isinstance(error.filename, str) else ""
        return f"{what}{reason_of(error)}"
    return None


def _fault(what: str, *, show_traceback: bool) -> int:
    if show_traceback:
        import traceback

        traceback.print_exc()
    hint = "" if show_traceback else "; `urlset --traceback …` shows where it happened"
    complain(f"a fault of urlset's own, please report it: {what}{hint}")
    return ExitCode.FAULT


def run() -> None:
    """The entry point of the installed command."""
    code = main()
    if code == ExitCode.INTERRUPTED:
        from urlset.interrupts import end

        # Python would wait for threads that never end, and DuckDB list the objects that the interrupt left.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        end(code)
    sys.exit(code)
