"""The options of a run: frozen values that the command line and the Python API fill in and the pipeline reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from urlset.errors import MisuseError

if TYPE_CHECKING:
    from datetime import datetime

DEFAULT_MAX_INFLATED = 200 * 1024 * 1024
"""Bound on the inflated size of a document, in bytes: `DEFAULT_MAX_INFLATED` of `core/src/limits.rs`."""

Progress: TypeAlias = Callable[[int, int | None, str], None]
"""Told after each document: how many are done, how many are known of (None if that is open), the one just done."""


class FailOn(StrEnum):
    """The least severity of a finding that makes a run fail."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How targets are fetched and read.

    Attributes:
        max_inflated: Bound on a document's size after decompression, in bytes.
        timeout: Bound on one request, in seconds.
    """

    max_inflated: int = DEFAULT_MAX_INFLATED
    timeout: float = 30.0

    def __post_init__(self) -> None:
        if self.max_inflated < 1:
            raise MisuseError(f"max_inflated must be at least 1 byte, not {self.max_inflated}")
        if not self.timeout > 0:
            raise MisuseError(f"timeout must be more than 0 seconds, not {self.timeout}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateOptions:
    """What is checked, how, and what counts as failing.

    Attributes:
        select: Prefixes of rule codes to run; empty for every rule that runs by default.
        ignore: Prefixes of rule codes to leave out; a longer prefix wins over a shorter one of `select`.
        fail_on: The least severity that makes the run fail.
        max_examples: How many examples a finding keeps; its count is exact whatever this is.
        now: The moment that "in the future" is measured from; None for the moment the run starts.
        read: How targets are fetched and read.
        threads: How many threads the engine uses; None for one per core, at most four.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: FailOn = FailOn.ERROR
    max_examples: int = 10
    now: datetime | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.max_examples < 0:
            raise MisuseError(f"max_examples must be 0 or more, not {self.max_examples}")
        if self.threads is not None and self.threads < 1:
            raise MisuseError(f"threads must be 1 or more, not {self.threads}")
