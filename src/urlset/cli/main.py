"""The `urlset` command: runs a command line, and maps every outcome to an exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import click

from urlset.cli.output import complain, send_nowhere, write_error
from urlset.cli.root import Commands
from urlset.database.interrupts import is_interrupted
from urlset.errors import ExitCode, InputError, UrlsetError, is_out_of_resources, reason_of
from urlset.text.sizes import KiB, MiB, limit_size

HELP = """Build, validate, repair, and audit XML sitemaps.

A TARGET is a file, directory, URL, or - for standard input. XML sitemaps and sitemap indexes, text
sitemaps, and RSS and Atom feeds are detected by content, gzipped or not."""

RAISED = ("max_memory", "memory")
"""Options that allow more memory."""

LOWERED = ("max_document_bytes", "concurrency")
"""Options that need less memory if they are lower."""

LIGHT = frozenset({"rules", "explain", "ignore", "config", "cache", "help"})
"""Commands that do not open DuckDB or start threads."""

MIN_ADDRESS_SPACE = 1280 * MiB
"""Bytes. With less, libraries end the process without a message when they cannot reserve memory that they never use."""


class Settings:
    """The options before the command."""

    def __init__(self, *, traceback: bool = False) -> None:
        self.traceback = traceback
        self.command: str | None = None


def _show_version(context: click.Context, _: click.Parameter, is_requested: bool) -> None:
    if not is_requested:
        return
    if context.params.get("verbose"):
        from urlset.cli.output import Output
        from urlset.cli.versions import lines

        Output().write(lines())
    else:
        from importlib.metadata import version

        click.echo(f"urlset {version('urlset')}")
    context.exit()


@click.group(
    cls=Commands,
    help=HELP,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit; with -v, the versions of all parts, for bug reports.",
)
# Eager, so that its value is known when `--version` is handled, in any order.
@click.option("-v", "--verbose", is_flag=True, is_eager=True, hidden=True)
@click.option("--traceback", is_flag=True, help="Show the traceback of an internal error (also: URLSET_DEBUG=1).")
@click.pass_context
def app(context: click.Context, traceback: bool, verbose: bool) -> None:
    """Apply the options before the command.

    Raises:
        UsageError: `-v` belongs after the command.
    """
    if verbose:
        raise click.UsageError(
            "-v before a command requires --version; commands with -v take it after their name", context
        )
    settings = context.ensure_object(Settings)
    settings.traceback, settings.command = traceback, context.invoked_subcommand
    if context.invoked_subcommand not in LIGHT:
        _check_address_space()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line.

    Args:
        arguments: The arguments after `urlset`; by default those of the process.

    Returns:
        The exit code: an `ExitCode`.
    """
    fill_closed_streams()
    settings = Settings(traceback=os.environ.get("URLSET_DEBUG", "0") not in ("", "0"))
    debug = settings.traceback
    if "_URLSET_COMPLETE" in os.environ:
        from urlset.cli.completion import register

        register()
    try:
        code = app(args=arguments, prog_name="urlset", obj=settings, standalone_mode=False)
        return code if isinstance(code, int) else ExitCode.CLEAN
    except SystemExit as stop:
        if _is_pipe_closed():
            return ExitCode.CLEAN
        return stop.code if isinstance(stop.code, int) else ExitCode.FAULT
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return ExitCode.USAGE
    except click.UsageError as error:
        return _usage_error(error)
    except (KeyboardInterrupt, click.Abort):
        return ExitCode.INTERRUPTED
    except UrlsetError as error:
        if is_interrupted():
            return ExitCode.INTERRUPTED
        if is_out_of_resources(error):
            complain(_no_memory(settings.command))
            return ExitCode.UNREADABLE
        if error.exit_code is not ExitCode.FAULT:
            complain(str(error))
            return error.exit_code
        return _fault(str(error), show_traceback=debug or settings.traceback)
    except BrokenPipeError:
        send_nowhere(sys.stdout)
        return ExitCode.CLEAN
    except Exception as error:  # noqa: BLE001 - the last resort: a message instead of a traceback
        if is_interrupted():
            return ExitCode.INTERRUPTED
        if (reason := _reason_of_system(error, settings.command)) is not None:
            send_nowhere(sys.stdout)
            complain(reason)
            return ExitCode.UNREADABLE
        return _fault(f"{type(error).__name__}: {error}", show_traceback=debug or settings.traceback)


def fill_closed_streams() -> None:
    """Replace closed standard streams, so that only using them is an error.

    Otherwise the next file that is opened would get their number, and be written to as standard output.
    """
    for number, name, mode in ((0, "stdin", os.O_WRONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            # Opened in the wrong mode, so that the system refuses to read from it or write to it.
            descriptor = os.open(os.devnull, mode)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            stream = open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _is_pipe_closed() -> bool:
    """Return whether a pipe was closed while help was written to it: click then wraps the stream and exits with 1."""
    return type(sys.stdout).__name__.endswith("PacifyFlushWrapper")


def _usage_error(error: click.UsageError) -> int:
    """Report what is wrong with the command line, and where to find help."""
    message = error.format_message()
    if isinstance(error, click.NoSuchOption):
        from urlset.cli.command import Command

        command = error.ctx.command if error.ctx is not None else None
        if isinstance(command, Command):
            suggestion = command.suggestion(error.option_name)
        else:
            from urlset.cli.suggestions import for_command_as_option

            suggestion = for_command_as_option(error.option_name)
        message = f"no such option {error.option_name!r}{suggestion}"
    is_sentence = message[1:2].islower()
    complain((message[:1].lower() if is_sentence else message[:1]) + message[1:].removesuffix("."))
    if error.ctx is not None:
        write_error(f"Try `{error.ctx.command_path} --help` for help.")
    return ExitCode.USAGE


def _check_address_space() -> None:
    """Check that a limit on the address space (`ulimit -v`) is high enough for the libraries."""
    try:
        # By its name, because type checkers know that it is empty on Windows.
        resource = import_module("resource")
    except ImportError:  # Windows has no limits.
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < MIN_ADDRESS_SPACE and not {"-h", "--help"} & set(sys.argv):
        raise InputError(
            f"not enough memory: the address space is limited to {limit_size(limit)}",
            f"raise it with ulimit -v {MIN_ADDRESS_SPACE // KiB}",
        )


def _no_memory(command: str | None) -> str:
    """Return the message for too little memory, with the options of the command that change how much it needs."""
    from urlset.options.declare import options_of

    options = options_of(import_module(f"urlset.cli.{command}").COMMAND.options) if command else ()
    spellings = {each.name: each.spelling for each in options}
    raised = [spellings[name] for name in RAISED if name in spellings] or ["the limit"]
    lowered = [spellings[name] for name in LOWERED if name in spellings]
    advice = f"raise {raised[0]}" + (f", or lower {' or '.join(lowered)}" if lowered else "")
    return f"not enough memory; {advice}"


def _reason_of_system(error: Exception, command: str | None) -> str | None:
    """Return the message for an error of the system; None for other errors."""
    if is_out_of_resources(error):
        return _no_memory(command)
    if isinstance(error, OSError) and error.errno is not None:
        try:
            os.getcwd()  # noqa: PTH109
        except OSError:
            return "the working directory no longer exists; change to another one"
        if error.errno == errno.EBADF:
            return f"output cannot be written: {reason_of(error)}"
        what = f"{error.filename}: " if isinstance(error.filename, str) else ""
        return f"{what}{reason_of(error)}"
    return None


def _fault(what: str, *, show_traceback: bool) -> int:
    if show_traceback:
        import traceback

        for line in traceback.format_exc().splitlines():
            write_error(line)
    hint = "report it" if show_traceback else "run again with --traceback and report it"
    complain(f"internal error: {what}; {hint}")
    return ExitCode.FAULT


def run() -> None:
    """Run the command line of the process, and exit."""
    code = main()
    if code == ExitCode.INTERRUPTED:
        from urlset.database.interrupts import end

        # Python would wait for threads that never end, and DuckDB would list objects that the interrupt left.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        end(code)
    sys.exit(code)
