"""The errors that urlset raises. A bad sitemap is none of them: it is read, and its faults are findings.

UrlsetError
├── MisuseError            a call or an option makes no sense
│   ├── ConfigError        the configuration file is wrong
│   └── QueryError         a query on the tables is wrong
├── MissingExtraError      a feature needs a package that is not installed
├── InputError             an input could not be read at all: no such file, no answer, no permission
├── EntryRefusedError      an entry cannot be written, and strictness was asked for
├── ShrinkError            a published set would be replaced with nothing, or with less than half of it
└── OutputError            an output could not be written
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class ExitCode(IntEnum):
    """What the command line says when it ends. Fixed from the first release."""

    CLEAN = 0
    """Nothing at or above `--fail-on`."""
    FINDINGS = 1
    """Findings at or above `--fail-on`."""
    MISUSE = 2
    """A wrong option or configuration."""
    UNREADABLE = 3
    """An input could not be read at all."""
    FAULT = 4
    """A fault of urlset's own."""
    INTERRUPTED = 130
    """Stopped from the keyboard."""


class UrlsetError(Exception):
    """Every error that urlset raises on purpose. Its text says what happened, where, and what to do."""

    exit_code = ExitCode.FAULT


class MisuseError(UrlsetError):
    """A call or an option makes no sense."""

    exit_code = ExitCode.MISUSE


class ConfigError(MisuseError):
    """The configuration file is wrong."""


class QueryError(MisuseError):
    """A query on the tables is wrong, or cannot be run to its end; the text is the engine's, with the place."""


class MissingExtraError(UrlsetError):
    """A feature needs a package that is not installed; the text names the extra to install."""

    exit_code = ExitCode.MISUSE


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


class EntryRefusedError(UrlsetError):
    """An entry cannot be written, and strictness was asked for.

    Attributes:
        refused: The entry and what is wrong with it: a `urlset.Refused`.
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
