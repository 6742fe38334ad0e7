"""The options of a run: frozen values that the command line and the Python API fill in and the pipeline reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from urlset.errors import MisuseError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

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
class ExpandOptions:
    """How far the documents that indexes list are followed. What lies beyond is not read, and is a finding.

    Attributes:
        max_depth: Indexes above a document, at most; the protocol allows one.
        max_documents: Documents of a run, at most, those given counted.
        max_total_bytes: Bytes of all documents after decompression; when they are reached no further one is begun.
    """

    max_depth: int = 5
    max_documents: int = 100_000
    max_total_bytes: int = 1024**4

    def __post_init__(self) -> None:
        for name in ("max_depth", "max_documents", "max_total_bytes"):
            if getattr(self, name) < 1:
                raise MisuseError(f"{name} must be at least 1, not {getattr(self, name)}")


class Profile(StrEnum):
    """Whose eyes a sitemap is looked at with: a named set of severities and limits."""

    PROTOCOL = "protocol"
    """The prose of sitemaps.org alone: what it demands is an error, what is particular to an engine is left out."""
    GOOGLE = "google"
    """Google: it ignores changefreq and priority, and times without timezone are rejected."""
    BING = "bing"
    """Bing: it ignores changefreq and priority, and rejects dates in the future."""
    YANDEX = "yandex"
    """Yandex: URLs of at most 1,024 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRule:
    """A rule of the user's own, as it stands in the configuration; nothing of it has been checked yet.

    Attributes:
        code: Letters in capitals and three digits, with letters that no family of urlset has: `SHOP001`.
        message: What is wrong, as one sentence.
        origin: Where it is written, for messages about it: `urlset.toml, [[rule]] 2`.
        name: The fault in lower case with hyphens; empty for the code in lower case.
        severity: error, warning, info or hint.
        table: The table whose rows `where` is asked of; for a query, the table that it yields rows of.
        where: A predicate in SQL, true of a row that breaks the rule; None if there is a query.
        query: A query in SQL with a row for each place that breaks the rule; None if there is a predicate.
        span: document or run: whether the query sees some whole documents or all at once.
        field: The column at fault, whose value and place are shown.
        example: Template for one place; `{value}` and the columns of the row may stand in it. None for the message.
        fix: What to do about it.
        sources: Where that is agreed: links.
    """

    code: str
    message: str
    origin: str
    name: str = ""
    severity: str = "warning"
    table: str | None = None
    where: str | None = None
    query: str | None = None
    span: str = "document"
    field: str | None = None
    example: str | None = None
    fix: str | None = None
    sources: tuple[str, ...] = ()


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
        profile: Whose eyes to look with; None for urlset's own.
        severity: Prefixes of rule codes and the severity (error, warning, info, hint) that those rules get; the longest
            prefix decides, and it wins over the profile.
        document_ignores: Globs of documents, and the prefixes of rule codes that do not count there. A glob is compared
            with the URL or the path; one without a slash with the name alone.
        globs_from: The folder that paths are taken from when compared with a glob; None for the working directory.
        limits: Values of `rule.PARAMETERS` other than the usual, by name; they win over the profile's.
        required_urls: URLs that some document must list.
        rules: Rules of the user's own.
        max_warnings: How many warnings do not make the run fail yet; None for any number.
        preview: Whether rules in preview run, too; one whose whole code is selected always does.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: FailOn = FailOn.ERROR
    max_examples: int = 10
    now: datetime | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    threads: int | None = None
    profile: Profile | None = None
    severity: Mapping[str, str] = field(default_factory=dict)
    document_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    globs_from: Path | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    required_urls: tuple[str, ...] = ()
    rules: tuple[OwnRule, ...] = ()
    max_warnings: int | None = None
    preview: bool = False

    def __post_init__(self) -> None:
        if self.max_examples < 0:
            raise MisuseError(f"max_examples must be 0 or more, not {self.max_examples}")
        if self.threads is not None and self.threads < 1:
            raise MisuseError(f"threads must be 1 or more, not {self.threads}")
        if self.max_warnings is not None and self.max_warnings < 0:
            raise MisuseError(f"max_warnings must be 0 or more, not {self.max_warnings}")
