"""The errors that urlset raises. A broken sitemap is not an error: it is read, and its problems are findings.

UrlsetError
├── UsageError            a call or an option is invalid
│   ├── ConfigError        the configuration file is invalid
│   └── QueryError         a SQL query is wrong or could not be completed
├── MemoryLimitError       a rule of the user needs more memory than it may use
├── MissingExtraError      a feature requires a package that is not installed
├── InputError             an input could not be read at all: no such file, no response, no permission
├── EntryRefusedError      an entry cannot be written, and `strict` is set
├── ShrinkError            a published set would lose all of its URLs, or more than half of them
├── EmptySetError          everything was left out, so that a set would have no URLs
└── OutputError            an output could not be written
"""

from __future__ import annotations

import errno
import re
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Annotated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_INTERNAL_ERROR = "internal error"


class ExitCode(IntEnum):
    """The exit codes of the command line. They do not change between releases."""

    CLEAN = 0
    """No findings at or above `--fail-on`."""
    FINDINGS = 1
    """Findings at or above `--fail-on`."""
    USAGE = 2
    """Usage or configuration error."""
    UNREADABLE = 3
    """A target could not be read, memory ran out, or output could not be written."""
    FAULT = 4
    """Internal error, in the whole run or in one document, page, or site while the rest is reported."""
    INTERRUPTED = 130
    """Interrupted with Ctrl-C."""


class UrlsetError(Exception):
    """Base class of all errors that urlset raises. The text says what happened, where, and what to do.

    `urlset.errors` has the kinds: `UsageError`, `ConfigError`, `InputError`, `OutputError`, and others.
    """

    exit_code = ExitCode.FAULT


class MemoryLimitError(UrlsetError):
    """A rule of the user needs more memory than it may use; for a query, it is a `QueryError`."""

    exit_code = ExitCode.UNREADABLE


class UsageError(UrlsetError):
    """A call or an option is invalid."""

    exit_code = ExitCode.USAGE


class ConfigError(UsageError):
    """The configuration file is invalid."""


class QueryError(UsageError):
    """A SQL query is wrong or could not be completed. The text is the engine's, with the place in the query.

    Attributes:
        option: The option that helps, as Python spells it, such as `max_time`; empty for none.
    """

    def __init__(self, text: str, remedy: str = "", option: str = "", exit_code: ExitCode = ExitCode.USAGE) -> None:
        """Make the error. Its text is `text`, the option, and `remedy`, which says how the option helps."""
        super().__init__(f"{text}{option}{remedy}")
        self.option = option
        self.exit_code = exit_code
        self._text, self._remedy = text, remedy

    @property
    def on_command_line(self) -> str:
        """The text with the option as the command line spells it."""
        option = f"--{self.option.replace('_', '-')}" if self.option else ""
        return f"{self._text}{option}{self._remedy}"


class MissingExtraError(UrlsetError):
    """A feature requires a package that is not installed. The text names the extra to install."""

    exit_code = ExitCode.USAGE


@contextmanager
def requiring_extra(extra: str, what: str) -> Iterator[None]:
    """Name the extra if a block cannot import what it installs.

    Args:
        what: What requires it, with its verb, such as `signed requests require`.

    Raises:
        MissingExtraError: A package is not installed, or cannot be loaded.
    """
    try:
        yield
    except ImportError as error:
        if (error.name or "").partition(".")[0] == __name__.partition(".")[0]:
            raise
        # A package that is installed can be broken, which installing the extra does not repair.
        detail = "" if isinstance(error, ModuleNotFoundError) else f" ({error})"
        raise MissingExtraError(f"{what} an extra: pip install 'urlset[{extra}]'{detail}") from error


class InputError(UrlsetError):
    """An input could not be read at all.

    Attributes:
        target: The target as the user wrote it, with the scheme added to a URL without one.
        reason: Why it could not be read, without the target.
    """

    exit_code = ExitCode.UNREADABLE

    def __init__(self, target: str, reason: str) -> None:
        super().__init__(f"{target}: {reason}")
        self.target = target
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A target that could not be read at all: an `InputError` as a value."""

    # Described by text alone: msgspec, which other results use for it, takes longer to import than this module.
    target: Annotated[str, "The target as the user wrote it, with the scheme added to a URL without one."]
    reason: Annotated[str, "Why it could not be read, without the target."]

    @classmethod
    def of(cls, error: InputError) -> Unreadable:
        return cls(error.target, error.reason)


_NO_RESOURCES = re.compile(
    "can't (start|create) new thread|failed to map segment|cannot allocate memory|could not allocate|"
    "out of memory error|MemoryError",
    re.IGNORECASE,
)


def reason_of(error: Exception) -> str:
    """Return the reason of a system error as text that follows a colon.

    It does not include the name of the file, which messages name themselves, and starts in lowercase. No other module
    words such reasons.

    Example:
        >>> reason_of(FileNotFoundError(2, "No such file or directory", "a.xml"))
        'no such file or directory'
        >>> reason_of(OSError("RPC failed"))
        'RPC failed'
    """
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def is_out_of_resources(error: BaseException) -> bool:
    """Return whether an error means that the system has no more memory or threads."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    # Threads, shared libraries, and DuckDB, which the error of a rule can quote, report it with general error types.
    is_general = isinstance(error, RuntimeError | ImportError | OSError) or type(error).__name__ == "EngineError"
    return is_general and _NO_RESOURCES.search(str(error)) is not None


def internal_error(error: Exception) -> str:
    """Return the reason why one document, page, or site has no result: an internal error that does not end the run.

    It names the place in the code, since no traceback is shown.

    Raises:
        Exception: The same error, if it concerns the whole run: an error of urlset, or lack of memory.
    """
    if isinstance(error, UrlsetError) or is_out_of_resources(error):
        raise error
    import traceback
    from pathlib import PurePath

    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if PurePath(__file__).parent in PurePath(frame.filename).parents] or frames
    place = f" at {PurePath(own[-1].filename).name}:{own[-1].lineno}" if own else ""
    lines = str(error).splitlines() or [""]
    return f"{_INTERNAL_ERROR}, please report it: {type(error).__name__}{place}: {lines[0][:200]}"


def is_internal_error(reason: str | None) -> bool:
    """Return whether a reason was made by `internal_error`."""
    return reason is not None and reason.startswith(_INTERNAL_ERROR)


def exit_code_for(reasons: Iterable[str]) -> ExitCode:
    """Return the exit code of a run with unreadable inputs: 4 if a reason is an internal error, else 3."""
    unread = list(reasons)
    if any(map(is_internal_error, unread)):
        return ExitCode.FAULT
    return ExitCode.UNREADABLE if unread else ExitCode.CLEAN


class EntryRefusedError(UrlsetError):
    """An entry cannot be written, and `strict` is set.

    Attributes:
        refused: The entry and its problems: a `urlset.model.Refusal`.
    """

    exit_code = ExitCode.FINDINGS

    def __init__(self, text: str, refused: object) -> None:
        super().__init__(text)
        self.refused = refused


class ShrinkError(UrlsetError):
    """A published set would lose all of its URLs, or more than half of them. Nothing was replaced.

    Attributes:
        before: Number of published URLs.
        after: Number of URLs that would replace them.
    """

    exit_code = ExitCode.FINDINGS

    def __init__(self, before: int, after: int, base_url: str | None = None) -> None:
        place = "" if base_url is None else f"{base_url}: "
        urls = "URL" if before == 1 else "URLs"
        super().__init__(
            f"{place}refusing to replace {before:,} published {urls} with {after:,}; pass --allow-shrink if this is "
            "intended"
        )
        self.before = before
        self.after = after


class EmptySetError(UrlsetError):
    """Every page or entry was left out, so that a set would have no URLs. Nothing was written.

    Attributes:
        left_out: Number of pages and entries that were left out, by reason.
    """

    exit_code = ExitCode.FINDINGS

    def __init__(self, text: str, left_out: Mapping[str, int]) -> None:
        super().__init__(text)
        self.left_out = left_out


class OutputError(UrlsetError):
    """An output could not be written."""

    exit_code = ExitCode.UNREADABLE
