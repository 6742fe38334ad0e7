"""Options that only the command line has: what is printed, where, and in which format."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import structs

from urlset.errors import UsageError
from urlset.options.declare import (
    COMMAND_LINE,
    OptionFacts,
    OptionGroup,
    Panel,
    T,
    Text,
    option,
    option_group,
    required,
)
from urlset.options.resolve import DEFAULT
from urlset.options.storing import DEFAULT_STORE, store_of_builds
from urlset.text.sizes import enumeration, quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.options.resolve import ResolvedOptions

F = TypeVar("F", bound=StrEnum)

DASH = Path("-")
"""Standard output, or standard input, as a file."""


class Color(StrEnum):
    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Format(StrEnum):
    """The output formats of every command."""

    TEXT = "text"
    JSON = "json"


def output_option(
    default: T, what: str, metavar: str = "", *, short: str = "", default_text: str = "", rare: bool = False
) -> T:
    """Declare an option on the output, which only the command line has. A path names a file that is written."""
    facts = OptionFacts(
        help=what,
        panel=Panel.REPORT,
        metavar=metavar,
        short=short,
        faces=COMMAND_LINE,
        default_text=default_text,
        is_output=metavar.startswith("FILE"),
        rare=rare,
    )
    return option(default, facts)


def targets_facts(metavar: str = "TARGET") -> OptionFacts:
    return OptionFacts(
        has_user=True,
        help="Files, directories, http(s) or object store URLs, or - for standard input",
        panel=Panel.TARGETS,
        metavar=metavar,
        faces=COMMAND_LINE,
        positional=True,
    )


def format_option(default: F) -> F:
    """Declare `--format` with the formats of an enum."""
    return output_option(default, f"Output format: {enumeration([*type(default)], 'or')}", "FORMAT")


@option_group
class ColorOptions(OptionGroup):
    """Whether text is colored."""

    color: Color = option(
        Color.AUTO,
        OptionFacts(
            rare=True,
            help="Color the text: auto, always, or never",
            panel=Panel.REPORT,
            metavar="WHEN",
            faces=COMMAND_LINE,
            more="auto colors it on a terminal, unless NO_COLOR is set, and elsewhere if FORCE_COLOR is set.",
        ),
    )
    no_color: bool = output_option(False, "Do not color the text, like --color never", rare=True)

    def check(self) -> None:
        """Apply --no-color."""
        if self.no_color:
            object.__setattr__(self, "color", Color.NEVER)


@option_group
class TargetOptions(OptionGroup):
    """The targets of a command that requires at least one."""

    targets: tuple[Text, ...] = required(targets_facts())


@option_group
class OpeningOptions(OptionGroup):
    """Whether to open the HTML report, for every command that writes one."""

    open: bool = output_option(False, "Open the HTML report in the browser", rare=True)


@option_group
class PageOptions(OpeningOptions):
    """The HTML report, for commands that also print one."""

    report: Path | None = output_option(None, "Also write a self-contained HTML report", "FILE.html")

    def check(self) -> None:
        """Check that --report names a file, and that there is one to open.

        Raises:
            UsageError: The report goes to standard output, or there is no report to open.
        """
        only_file("--report", self.report)
        if self.open and self.report is None:
            raise UsageError("--open: no report to open; name its file with --report FILE.html")


@option_group
class StoreOptions(OptionGroup):
    """The store of a command that reads one."""

    store: Path = option(
        DEFAULT_STORE,
        OptionFacts(
            help="Store to read",
            panel=Panel.STORE,
            metavar="STORE",
            faces=COMMAND_LINE,
            positional=True,
            default_text="urlset.duckdb, or else the store of directories audited from this working directory",
        ),
    )


def unnamed_store() -> Path:
    """Return the store to read if none is named: the one in the working directory, or that of audited directories."""
    return store if not DEFAULT_STORE.exists() and (store := store_of_builds()).exists() else DEFAULT_STORE


def with_store_of_builds(configuration: ResolvedOptions[Any]) -> ResolvedOptions[Any]:
    """Return the options with the store of audited directories, if no store is named or in the working directory."""
    if configuration.origin("store") != DEFAULT or (store := unnamed_store()) == DEFAULT_STORE:
        return configuration
    return structs.replace(configuration, options=replace(configuration.options, store=store))


def with_named_store(configuration: ResolvedOptions[Any]) -> ResolvedOptions[Any]:
    """Return the options with the store and the run that `STORE@N` names, or with the store that none names.

    Raises:
        UsageError: The text after @ is not a run, or the command does not show one, or another one.
    """
    if configuration.origin("store") == DEFAULT:
        return with_store_of_builds(configuration)
    from urlset.comparison.sides import store_of

    options = configuration.options
    path, run = store_of(str(options.store)) or (options.store, None)
    if run is None:
        return configuration
    if not hasattr(options, "run"):
        raise UsageError(f"{options.store}: this command is not about one run; name the store {path}")
    if options.run is not None:
        raise UsageError(f"{options.store}: --run names a run as well; use one of them")
    return structs.replace(configuration, options=replace(options, store=path, run=run))


def only_file(key: str, path: Path | None) -> None:
    """Check that a path is not standard output.

    Raises:
        UsageError: It is.
    """
    if path == DASH:
        raise UsageError(f"{key}: standard output is already in use; name a file")


def file_or_stdout(path: Path | None) -> Path | None:
    """Return the file to write to; None, standard output, for `-`."""
    return None if path == DASH else path


def deletion(runs: Sequence[int]) -> str:
    numbers = f": {', '.join(map(str, runs))}" if runs else ""
    return f"deleted {quantity(len(runs), 'run')}{numbers}"
