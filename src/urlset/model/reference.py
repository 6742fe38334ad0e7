"""Results of the commands `rules`, `ignore`, `config`, and `cache`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from msgspec import Struct, field

from urlset.model.fields import NonNegativeInt, about
from urlset.rules.rule import Rule


class ListedRule(Struct, frozen=True):
    """A rule with its effective severity."""

    rule: Annotated[Rule, about("The rule.")]
    usual: Annotated[str | None, about("Its default severity; None for a custom rule.")]


class ChangedRule(Struct, frozen=True):
    """A rule that a configuration adds or changes."""

    rule: Annotated[Rule, about("The rule.")]
    severity: Annotated[str | None, about("Its severity; None if the profile disables it.")]
    usual: Annotated[str | None, about("Its default severity; None for a custom rule.")]


class Setting(Struct, frozen=True):
    """An effective setting."""

    key: Annotated[str, about("Its key in the configuration file: `timeout`, `audit.sample`, `limits.max-entries`.")]
    value: Annotated[object, about("Its value; secrets are masked.")]
    origin: Annotated[str, about("Where the value comes from: the file, the option, the profile, or `default`.")]


class EffectiveConfiguration(Struct, frozen=True):
    """The effective configuration of a working directory."""

    file: Annotated[Path | None, about("The configuration file, if there is one.")]
    settings: Annotated[tuple[Setting, ...], about("Every setting that the file can contain.")] = field(name="values")
    rules: Annotated[tuple[ChangedRule, ...], about("The rules that the file adds or changes.")]


class CacheState(Struct, frozen=True):
    """Size of the HTTP cache, or of what was removed from it."""

    folder: Annotated[Path, about("Its directory.")]
    entries: Annotated[NonNegativeInt, about("Number of cached responses.")]
    bytes: Annotated[NonNegativeInt, about("Total size, in bytes.")]
    is_cleared: Annotated[bool, about("Whether the responses were removed.")]


class IgnoredRule(Struct, frozen=True, kw_only=True):
    """A rule whose findings a baseline ignores until a date."""

    code: Annotated[str, about("Its code.")]
    name: Annotated[str, about("Its name.")]
    document: Annotated[
        str,
        about("The document or the pattern: a URL, or a path relative to the directory of the baseline; `*` for all."),
    ]
    reason: Annotated[str, about("Why the findings are accepted.")]
    until: Annotated[date, about("The last day on which they are ignored.")]
    baseline: Annotated[Path, about("The baseline.")]
    entries: Annotated[NonNegativeInt, about("Number of entries of the baseline, with this one.")]
    replaced_until: Annotated[
        date | None, about("The last day of the entry that this one replaced; None if there was no such entry.")
    ]
