"""The errors that urlset raises. A bad sitemap is none of them: it is read, and its faults are findings.

UrlsetError
├── UsageError            a call or an option makes no sense
│   ├── ConfigError        the configuration file is wrong
│   └── QueryError         a query on the tables is wrong
├── MissingExtraError      a feature needs a package that is not installed
├── InputError             an input could not be read at all: no such file, no answer, no permission
├── EntryRefusedError      an entry cannot be written, and strictness was asked for
├── ShrinkError            a published set would be replaced with nothing, or with less than half of it
└── OutputError            an output could not be written
"""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_INTERNAL_ERROR = "internal error"


class ExitCode(IntEnum):
    """What the command line says when it ends. Fixed from the first release."""

    CLEAN = 0
    """Nothing at or above `--fail-on`."""
    FINDINGS = 1
    """Findings at or above `--fail-on`."""
    USAGE = 2
    """A wrong option or configuration."""
    UNREADABLE = 3
    """An input could not be read at all, or the system refused memory or output."""
    FAULT = 4
    """An internal error: of the whole run, or of one document, page or site while the rest is reported."""
    INTERRUPTED = 130
    """Stopped from the keyboard."""


class UrlsetError(Exception):
    """Every error that urlset raises on purpose. Its text says what happened, where, and what to do.

    `urlset.errors` has the kinds: `UsageError`, `ConfigError`, `InputError`, `OutputError`, and others.
    """

    exit_code = ExitCode.FAULT


class UsageError(UrlsetError):
    """A call or an option makes no sense."""

    exit_code = ExitCode.USAGE


class ConfigError(UsageError):
    """The configuration file is wrong."""


class QueryError(UsageError):
    """A SQL query is wrong or could not be completed. The text is the engine's, with the place in the query.

    Attributes:
        option: The option that helps, as Python spells it, such as `max_time`; empty for none.
    """

    def __init__(self, text: str, remedy: str = "", option: str = "") -> None:
        """Make the error.

        Args:
            text: What is wrong.
            remedy: How the option helps, to follow its name; empty for none.
            option: The option.
        """
        super().__init__(f"{text}{option}{remedy}")
        self.option = option
        self._text, self._remedy = text, remedy

    @property
    def on_command_line(self) -> str:
        """The text with the option as the command line spells it."""
        option = f"--{self.option.replace('_', '-')}" if self.option else ""
        return f"{self._text}{option}{self._remedy}"


class MissingExtraError(UrlsetError):
    """A feature needs a package that is not installed; the text names the extra to install."""

    exit_code = ExitCode.USAGE


class InputError(UrlsetError):
    """An input could not be read at all.

    Attributes:
        target: What was asked for, as the user wrote it.
        reason: Why it could not be read, without the target.
    """

    exit_code = ExitCode.UNREADABLE

    def __init__(self, target: str, reason: str) -> None:
        super().__init__(f"{target}: {reason}")
        self.target = target
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A target that could not be read at all: an `InputError` as a value.

    Attributes:
        target: What was asked for, as the user wrote it.
        reason: Why it could not be read, without the target.
    """

    target: str
    reason: str

    @classmethod
    def of(cls, error: InputError) -> Unreadable:
        """The error as a value."""
        return cls(error.target, error.reason)


_NO_RESOURCES = re.compile(
    "can't (start|create) new thread|failed to map segment|cannot allocate memory|could not allocate|"
    "out of memory error|MemoryError",
    re.IGNORECASE,
)


def reason_of(error: Exception) -> str:
    """Returns why the system refused something, in words that follow a colon; the one place that puts them.

    The name of the file is left out, which messages name themselves, and the first letter is small.

    Example:
        >>> reason_of(FileNotFoundError(2, "No such file or directory", "a.xml"))
        'no such file or directory'
        >>> reason_of(OSError("RPC failed"))
        'RPC failed'
    """
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def is_out_of_resources(error: BaseException) -> bool:
    """Returns whether an error says that the system gives no more memory or threads."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    # Threads, shared libraries and DuckDB, which a rule's error may quote, have no error of their own for it.
    is_told = isinstance(error, RuntimeError | ImportError | OSError) or type(error).__name__ == "EngineError"
    return is_told and _NO_RESOURCES.search(str(error)) is not None


def internal_error(error: Exception) -> str:
    """Returns the reason why one document, page or site has no result: a fault of urlset that the run outlives.

    It names the place in the code, as there is no other trace of it.

    Raises:
        Exception: The error again, if it is about the run and not about the one document: it was raised on purpose,
            or there is no memory.
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
    """Returns whether a reason is one that `internal_error` gave."""
    return reason is not None and reason.startswith(_INTERNAL_ERROR)


def exit_code_for(reasons: Iterable[str]) -> ExitCode:
    """Returns how a run ends that could not read something: 4 if one of the reasons is an internal error, else 3."""
    unread = list(reasons)
    if any(map(is_internal_error, unread)):
        return ExitCode.FAULT
    return ExitCode.UNREADABLE if unread else ExitCode.CLEAN


class EntryRefusedError(UrlsetError):
    """An entry cannot be written, and strictness was asked for.

    Attributes:
        refused: The entry and what is wrong with it: a `urlset.model.Refused`.
    """

    exit_code = ExitCode.FINDINGS

    def __init__(self, text: str, refused: object) -> None:
        super().__init__(text)
        self.refused = refused


class ShrinkError(UrlsetError):
    """A published set would be replaced with nothing, or with less than half of it; nothing was replaced.

    Attributes:
        before: Number of URLs that are published.
        after: Number of URLs that would have been published.
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


class OutputError(UrlsetError):
    """An output could not be written."""

    exit_code = ExitCode.UNREADABLE
