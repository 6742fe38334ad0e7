"""Results of the commands `rules`, `ignore`, `config`, and `cache`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from msgspec import Struct, field

from urlset.model.fields import NOT_IN_JSON, Flat, NonNegativeInt, about, computed
from urlset.rules.rule import Rule


class ListedRule(Struct, frozen=True):
    """A rule with its effective severity."""

    IN_JSON: ClassVar = (
        "rule.code", "rule.name", "rule.severity", "default_severity=usual", "scope", "rule.lifecycle", "rule.since",
        "rule.fixable", "rule.check_effect", "rule.message", "rule.fix", "rule.sources",
    )  # fmt: skip

    rule: Annotated[Rule, about("The rule.")]
    usual: Annotated[str | None, about("Its default severity; None for a custom rule.")]

    @property
    def scope(self) -> Literal["entry", "anomaly", "set"]:
        """What it is applied to: entries one by one, anomalies of documents, or sets of rows."""
        kind: Literal["entry", "anomaly", "set"] = self.rule.kind  # type: ignore[assignment]
        return kind


class ChangedRule(Struct, frozen=True):
    """A rule that a configuration adds or changes."""

    rule: Annotated[Rule, Flat("code"), about("The rule.")]
    severity: Annotated[str | None, about("Its severity; None if the profile disables it.")]
    usual: Annotated[str | None, about("Its default severity; None for a custom rule.")] = field(name="default")


class Setting(Struct, frozen=True):
    """An effective setting."""

    key: Annotated[str, about("Its key in the configuration file: `timeout`, `audit.sample`, `limits.max-entries`.")]
    value: Annotated[object, about("Its value; secrets are masked.")]
    origin: Annotated[str, about("Where the value comes from: the file, the option, the profile, or `default`.")]
    default_text: Annotated[str, NOT_IN_JSON, about("The default in words, where the value alone is not clear.")] = ""

    @property
    @computed("value")
    def plain_value(self) -> object:
        """Its value; secrets are masked."""
        return setting_value(self.value)


def setting_value(value: object) -> object:
    """Return a value as a JSON value; a custom rule becomes its code."""
    if isinstance(value, tuple):
        return [setting_value(item) for item in value]
    if isinstance(value, dict):
        return {key: setting_value(item) for key, item in value.items()}
    if isinstance(value, Path):
        return str(value)
    return getattr(value, "code", value)


class EffectiveConfiguration(Struct, frozen=True):
    """The effective configuration of a working directory."""

    file: Annotated[Path | None, about("The configuration file, if there is one.")]
    settings: Annotated[tuple[Setting, ...], about("Every setting that the file can contain.")] = field(name="values")
    rules: Annotated[tuple[ChangedRule, ...], about("The rules that the file adds or changes.")]


class CachedStores(Struct, frozen=True):
    """The stores of audited directories in the user's cache."""

    folder: Annotated[Path, about("Their directory.")]
    count: Annotated[NonNegativeInt, about("Number of stores.")]
    bytes: Annotated[NonNegativeInt, about("Total size, in bytes.")]


class CacheState(Struct, frozen=True):
    """Size of the HTTP cache, or of what was removed from it."""

    folder: Annotated[Path, about("Its directory.")]
    entries: Annotated[NonNegativeInt, about("Number of cached responses.")]
    bytes: Annotated[NonNegativeInt, about("Total size, in bytes.")]
    is_cleared: Annotated[bool, NOT_IN_JSON, about("Whether the responses were removed.")]
    stores: Annotated[CachedStores, about("The stores of audited directories that are in the cache.")]
    removed_stores: Annotated[
        CachedStores | None, about("The stores that were removed; None if `--stores` was not given.")
    ] = None

    @property
    @computed(before="entries")
    def action(self) -> Literal["info", "clear"]:
        """What the command did."""
        return "clear" if self.is_cleared else "info"


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
