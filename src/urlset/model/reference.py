"""What the commands `rules`, `config` and `cache` show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A rule with the severity that it has under a configuration.

    Attributes:
        rule: The rule.
        usual: Its default severity; None for a rule of the user's own.
    """

    rule: Rule
    usual: str | None


@dataclass(frozen=True, slots=True)
class ChangedRule:
    """A rule that a configuration adds or changes.

    Attributes:
        rule: The rule.
        severity: Its severity; None if the profile leaves it out.
        usual: Its default severity; None for a rule of the user's own.
    """

    rule: Rule
    severity: str | None
    usual: str | None


@dataclass(frozen=True, slots=True)
class Setting:
    """A value in force.

    Attributes:
        key: Its key in the configuration file: `timeout`, `audit.sample`, `limits.max-entries`.
        value: Its value; a secret is masked.
        origin: The file, the option, the profile, or `default`.
    """

    key: str
    value: object
    origin: str


@dataclass(frozen=True, slots=True)
class ConfigurationInForce:
    """The configuration of a working directory.

    Attributes:
        file: The configuration file; None for none.
        settings: Every value that the file can set.
        rules: The rules that it adds or changes.
    """

    file: Path | None
    settings: tuple[Setting, ...]
    rules: tuple[ChangedRule, ...]


@dataclass(frozen=True, slots=True)
class CacheState:
    """The HTTP cache, or what was removed from it.

    Attributes:
        folder: Its directory.
        entries: Number of bodies.
        bytes: Their size, in bytes.
        is_cleared: Whether these were removed.
    """

    folder: Path
    entries: int
    bytes: int
    is_cleared: bool
