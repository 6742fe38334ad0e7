"""Results of the commands `rules`, `ignore`, `config`, and `cache`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from urlset.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A rule with its effective severity.

    Attributes:
        rule: The rule.
        usual: Its default severity; None for a custom rule.
    """

    rule: Rule
    usual: str | None


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A rule that a configuration adds or changes.

    Attributes:
        rule: The rule.
        severity: Its severity; None if the profile disables it.
        usual: Its default severity; None for a custom rule.
    """

    rule: Rule
    severity: str | None
    usual: str | None


@dataclass(frozen=True, slots=True)
class Setting:
    """An effective setting.

    Attributes:
        key: Its key in the configuration file: `timeout`, `audit.sample`, `limits.max-entries`.
        value: Its value; secrets are masked.
        origin: Where the value comes from: the file, the option, the profile, or `default`.
    """

    key: str
    value: object
    origin: str


@dataclass(frozen=True, slots=True)
class EffectiveConfiguration:
    """The effective configuration of a working directory.

    Attributes:
        file: The configuration file, if there is one.
        settings: Every setting that the file can contain.
        rules: The rules that the file adds or changes.
    """

    file: Path | None
    settings: tuple[Setting, ...]
    rules: tuple[ChangedRule, ...]


@dataclass(frozen=True, slots=True)
class CacheState:
    """Size of the HTTP cache, or of what was removed from it.

    Attributes:
        folder: Its directory.
        entries: Number of cached responses.
        bytes: Total size, in bytes.
        is_cleared: Whether the responses were removed.
    """

    folder: Path
    entries: int
    bytes: int
    is_cleared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnoredRule:
    """A rule whose findings a baseline ignores until a date.

    Attributes:
        code: Its code.
        name: Its name.
        document: The document or the pattern: a URL, or a path relative to the directory of the baseline; `*` for all.
        reason: Why the findings are accepted.
        until: The last day on which they are ignored.
        baseline: The baseline.
        entries: Number of entries of the baseline, with this one.
        replaced_until: The last day of the entry that this one replaced; None if there was no such entry.
    """

    code: str
    name: str
    document: str
    reason: str
    until: date
    baseline: Path
    entries: int
    replaced_until: date | None
