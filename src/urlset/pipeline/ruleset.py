"""The rules of a run: ours and the user's, chosen, and with the severities and limits that are in force."""

from __future__ import annotations

from contextlib import contextmanager
from fnmatch import fnmatchcase
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.errors import ConfigError
from urlset.rules.adjust import adjust, changes_of
from urlset.rules.registry import rule_templates, select
from urlset.rules.rule import AnomalyRule, Lifecycle
from urlset.rules.templates import USUAL_LIMITS, filled
from urlset.sources import is_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from urlset.config import Limit, OwnRule, ValidateOptions
    from urlset.model.finding import Finding
    from urlset.rules.rule import Rule


def usual_limits() -> dict[str, Limit]:
    """Return the limits of the protocol and of urlset, by the names that rules use."""
    return dict(USUAL_LIMITS)


def limits_of(options: ValidateOptions) -> dict[str, Limit]:
    """The limits in force: the options' over the profile's over the usual ones."""
    return {**usual_limits(), **changes_of(options.profile).limits, **options.limits}


def rules_of(options: ValidateOptions, now: datetime, *, chosen: bool = True, pages: bool = False) -> tuple[Rule, ...]:
    """The rules of a run, with the severity that each has in it.

    Args:
        options: What is selected, ignored and changed.
        now: The time of the check.
        chosen: Whether `select` and `ignore` count; without them every rule is given.
        pages: Whether listed pages are looked at; rules on them have nothing to do otherwise.

    Raises:
        MisuseError: A prefix of rule codes is unknown.
        ConfigError: A rule of the user's own is wrong.
    """
    limits = limits_of(options)
    rules = tuple(filled(rule, limits) for rule in rule_templates())
    if options.rules:
        from urlset.engine.own_rules import own_rules

        rules += own_rules(options.rules, {**limits, "now": now})
    if chosen:
        rules = select(rules, options.select, options.ignore)
        rules = _without_unasked(rules, options)
        if not pages:
            rules = tuple(rule for rule in rules if not rule.looks_at_pages)
        rules = tuple(rule for rule in rules if all(getattr(options, name) for name in rule.requires))
    return adjust(rules, options.profile, options.severity, limits, usual_limits())


def _without_unasked(rules: tuple[Rule, ...], options: ValidateOptions) -> tuple[Rule, ...]:
    """Without rules in preview, rules of other profiles and rules on fields that are not required.

    One whose whole code is selected stays.
    """
    named = {code.strip().upper() for code in options.select}
    return tuple(
        rule
        for rule in rules
        if rule.code in named
        or (
            (options.preview or rule.lifecycle is not Lifecycle.PREVIEW)
            and (rule.profile is None or rule.profile == options.profile)
            and (rule.required_field is None or rule.required_field in options.require)
        )
    )


def wants_schema_view(rules: Iterable[Rule]) -> bool:
    """Whether a rule goes by what breaks the official schemas, which the reader notes only on demand."""
    return any(kind.startswith("schema-") for rule in rules if isinstance(rule, AnomalyRule) for kind in rule.kinds)


@contextmanager
def blaming_own(written: Iterable[OwnRule]) -> Iterator[None]:
    """Turns the failure of a rule of the user's own into an error of the configuration: it is no fault of urlset's.

    A rule that compiles may still fail on a value, as when it casts text that is no number.

    Raises:
        ConfigError: Such a rule failed; the message names it and what DuckDB says.
    """
    from urlset.engine.sql import EngineError

    try:
        yield
    except EngineError as error:
        origins = {own.code: own.origin for own in written}
        if error.code not in origins:
            raise
        raise ConfigError(
            f"{origins[error.code]} ({error.code}): it fails on these documents: {error.reason}"
        ) from None


def without_ignored(
    findings: Iterable[Finding], documents: Iterable[Mapping[str, object]], options: ValidateOptions
) -> list[Finding]:
    """The findings that count in their documents."""
    if not options.document_ignores:
        return list(findings)
    ignored = {
        document["document_id"]: _ignored_in(str(document["url"]), options.document_ignores, options.globs_from)
        for document in documents
    }
    return [finding for finding in findings if not finding.rule.code.startswith(ignored[finding.document_id])]


def _ignored_in(document: str, ignores: Mapping[str, tuple[str, ...]], folder: Path | None) -> tuple[str, ...]:
    """The prefixes of codes that do not count in a document. An empty tuple begins no code."""
    name = document
    if not is_url(document):
        try:
            name = Path(relpath(document, folder or Path.cwd())).as_posix()
        except ValueError:  # Another drive has no relative path.
            name = Path(document).as_posix()
    last = name.rstrip("/").rpartition("/")[2]
    return tuple(
        prefix.upper()
        for glob, prefixes in ignores.items()
        if fnmatchcase(name if "/" in glob else last, glob)
        for prefix in prefixes
    )
