"""The rules of a run: selected built-in and custom rules, with their effective severities and limits."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs

from urlset.errors import ConfigError, ExitCode, MemoryLimitError, UsageError
from urlset.options.convert import hint
from urlset.options.declare import Face
from urlset.options.judging import AdjustedRuleOptions, JudgingOptions
from urlset.options.resolve import DEFAULT
from urlset.options.values import LARGEST
from urlset.options.verbs import ValidateOptions
from urlset.rules.adjust import adjust, changes_of
from urlset.rules.families import DEFAULT_LIMITS, PARAMETER_NAME
from urlset.rules.registry import all_rules, removed_rule, rule_templates, select
from urlset.rules.rule import Lifecycle
from urlset.rules.templates import fill_limits
from urlset.sources import is_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset.model.finding import Finding
    from urlset.model.reference import ChangedRule, EffectiveConfiguration, ListedRule, Setting
    from urlset.options.judging import CustomRule, Limit
    from urlset.options.resolve import ResolvedOptions
    from urlset.rules.rule import Rule

V = TypeVar("V", bound=ValidateOptions)
R = TypeVar("R", bound=AdjustedRuleOptions)


def limits_of(options: AdjustedRuleOptions) -> dict[str, Limit]:
    """Return the effective limits: options override the profile, which overrides the defaults."""
    return {**DEFAULT_LIMITS, **changes_of(options.profile).limits, **options.limits}


def rules_of(
    options: ValidateOptions, now: datetime, *, chosen: bool = True, pages: bool = False, coverage: bool = False
) -> tuple[Rule, ...]:
    """Return the rules of a run with their effective severities, without those on access logs and deployments.

    Args:
        chosen: Whether to apply `select` and `ignore`; if false, all rules are returned.
        pages: Whether listed pages are fetched; if false, rules on pages do not run.
        coverage: Whether reports of search engines are read; if false, rules on them do not run.

    Raises:
        UsageError: A rule code prefix is unknown.
        ConfigError: A custom rule is invalid.
    """
    limits = limits_of(options)
    rules, own = rule_templates(), frozenset[str]()
    if options.rule:
        from urlset.engine.own_rules import own_rules

        added = own_rules(options.rule, {**limits, "now": now})
        rules, own = (*rules, *added), frozenset(rule.code for rule in added)
    if chosen:
        rules = select(rules, options.select, options.ignore)
        rules = _requested_rules(rules, options)
        rules = tuple(rule for rule in rules if not (rule.needs_logs or rule.needs_deployment))
        if not pages:
            rules = tuple(rule for rule in rules if not rule.needs_pages)
        if not coverage:
            rules = tuple(rule for rule in rules if not rule.needs_coverage)
        rules = tuple(rule for rule in rules if all(getattr(options, name) for name in rule.requires))
    rules = tuple(rule if rule.code in own else fill_limits(rule, limits) for rule in rules)
    return adjust(rules, options.profile, options.severity, limits, DEFAULT_LIMITS)


def log_rules_of(options: AdjustedRuleOptions) -> tuple[Rule, ...]:
    """Return the rules on access logs with their effective severities.

    Raises:
        UsageError: A rule code prefix is unknown.
    """
    return _rules_among((rule for rule in rule_templates() if rule.needs_logs), options)


def deployment_rules_of(options: AdjustedRuleOptions) -> tuple[Rule, ...]:
    """Return the rules on deployments with their effective severities.

    Raises:
        UsageError: A rule code prefix is unknown.
    """
    return _rules_among((rule for rule in rule_templates() if rule.needs_deployment), options)


def _rules_among(among: Iterable[Rule], options: AdjustedRuleOptions) -> tuple[Rule, ...]:
    limits = limits_of(options)
    codes = {rule.code for rule in among}
    rules = select(rule_templates(), options.select, options.ignore)
    rules = tuple(fill_limits(rule, limits) for rule in rules if rule.code in codes)
    return adjust(rules, options.profile, options.severity, limits, DEFAULT_LIMITS)


def rules_in_force(configuration: ResolvedOptions[ValidateOptions]) -> tuple[Rule, ...]:
    """Return every rule with its severity under the configuration, custom rules last.

    Rules that are not selected, are ignored, or are disabled by the profile have their default severity.
    """
    check_rules(configuration)
    in_force = {rule.code: rule for rule in rules_of(configuration.options, datetime.now(UTC), chosen=False)}
    ours = tuple(in_force.pop(rule.code, rule) for rule in all_rules())
    return (*ours, *in_force.values())


def default_severity(code: str) -> str | None:
    """Return the default severity of a rule; None for a custom rule."""
    return next((rule.severity.value for rule in all_rules() if rule.code == code), None)


def listed_rules(configuration: ResolvedOptions[ValidateOptions]) -> tuple[ListedRule, ...]:
    """Return the rules of `rules_in_force` with their default severities."""
    from urlset.model.reference import ListedRule

    return tuple(ListedRule(rule, default_severity(rule.code)) for rule in rules_in_force(configuration))


def changed_rules(configuration: ResolvedOptions[V]) -> tuple[ChangedRule, ...]:
    """Return custom rules, and rules whose severity the configuration changes."""
    from urlset.model.reference import ChangedRule

    in_force = {rule.code: rule for rule in rules_of(configuration.options, datetime.now(UTC), chosen=False)}
    changed = []
    for rule in all_rules():
        now = in_force.pop(rule.code, None)
        if now is None or now.severity is not rule.severity:
            changed.append(ChangedRule(rule, None if now is None else now.severity.value, rule.severity.value))
    return (*changed, *(ChangedRule(own, own.severity.value, None) for own in in_force.values()))


def check_rules(configuration: ResolvedOptions[R]) -> None:
    """Check the codes and limits that a configuration names, before anything is read.

    Raises:
        ConfigError: The configuration file has an unknown code or limit, or an invalid value.
        UsageError: The command line or Python has one.
    """
    options = configuration.options
    if not (options.select or options.ignore or options.severity or options.per_document_ignores or options.limits):
        # Importing all rules is slow, so it is deferred until the first documents are being read.
        return
    own_rules = options.rule if isinstance(options, JudgingOptions) else ()
    known_codes = [*(rule.code for rule in all_rules()), *(own.code for own in own_rules)]
    codes = {
        "select": options.select,
        "ignore": options.ignore,
        "severity": tuple(options.severity),
        "per_document_ignores": tuple(code for each in options.per_document_ignores.values() for code in each),
    }
    for name, prefixes in codes.items():
        for prefix in prefixes:
            if not any(code.startswith(prefix) for code in known_codes):
                unknown = f"no rule has a code that starts with {prefix!r}{hint(prefix, known_codes)}"
                raise _usage_error(configuration, name, removed_rule(prefix.upper()) or unknown)
    names = {name.replace("_", "-"): name for name in DEFAULT_LIMITS}
    for name, value in options.limits.items():
        key = name.replace("_", "-")
        if key not in names:
            raise _usage_error(
                configuration, "limits", f"unknown key {key!r}{hint(key, names) or '; known keys: ' + ', '.join(names)}"
            )
        if (requirement := _wrong_limit(name, value)) is not None:
            raise _usage_error(configuration, "limits", f"{key} must be {requirement}, not {value!r}")


def _wrong_limit(name: str, value: Limit) -> str | None:
    """Return what the value of a limit must be; None if the value is valid."""
    default = DEFAULT_LIMITS[name]
    if isinstance(default, tuple):
        is_right = isinstance(value, tuple) and all(PARAMETER_NAME.fullmatch(name) for name in value)
        return None if is_right else "a list of names that consist of letters, digits, dots, hyphens, and underscores"
    is_share = type(default) is float
    if is_share:
        return None if isinstance(value, int | float) and 0 < value <= 1 else "a number greater than 0 and at most 1"
    return None if isinstance(value, int) and 1 <= value <= LARGEST else "an integer of at least 1"


def _usage_error(configuration: ResolvedOptions[R], name: str, message: str) -> UsageError:
    origin = configuration.origin(name)
    if configuration.file is not None and name not in configuration.explicit:
        return ConfigError(f"{configuration.file.where}: {name.replace('_', '-')}: {message}")
    return UsageError(f"{origin}: {message}")


def configuration_in_force(configuration: ResolvedOptions[V]) -> EffectiveConfiguration:
    """Return every setting of the configuration file with its origin, and the rules that it changes.

    Raises:
        ConfigError: The file has an unknown code or limit, or an invalid custom rule.
    """
    from urlset.model.reference import EffectiveConfiguration, Setting

    check_rules(configuration)
    settings: list[Setting] = []
    for setting in configuration.in_force:
        if setting.option.name == "limits":
            settings += (Setting(*limit) for limit in limits_in_force(configuration))
        elif Face.FILE in setting.option.facts.faces:
            words = setting.option.facts.default_text if setting.origin == DEFAULT else ""
            settings.append(Setting(setting.option.path, setting.value, setting.origin, words))
    file = None if configuration.file is None else configuration.file.path
    return EffectiveConfiguration(file, tuple(settings), changed_rules(configuration))


def limits_in_force(configuration: ResolvedOptions[V]) -> Iterator[tuple[str, Limit, str]]:
    """Yield the key, value, and origin of every limit."""
    by_profile = changes_of(configuration.options.profile).limits
    for name in sorted(DEFAULT_LIMITS):
        key = f"limits.{name.replace('_', '-')}"
        if name in configuration.options.limits:
            yield key, configuration.options.limits[name], configuration.origin("limits")
        elif name in by_profile:
            yield key, by_profile[name], f"profile {configuration.options.profile}"
        else:
            yield key, DEFAULT_LIMITS[name], DEFAULT


def _requested_rules(rules: tuple[Rule, ...], options: JudgingOptions) -> tuple[Rule, ...]:
    """Remove preview rules, rules of other profiles, and rules for fields that are not required.

    A rule whose full code is selected is kept, and its findings are shown and counted.
    """
    codes = {code.strip().upper() for code in options.select}
    return tuple(
        structs.replace(rule, quiet=False) if rule.quiet and rule.code in codes else rule
        for rule in rules
        if rule.code in codes
        or (
            (options.preview or rule.lifecycle is not Lifecycle.PREVIEW)
            and (rule.profile is None or rule.profile == options.profile)
            and (rule.required_field is None or rule.required_field in options.require)
        )
    )


@contextmanager
def blaming_own(written: Iterable[CustomRule]) -> Iterator[None]:
    """Report the failure of a custom rule as a configuration error instead of an internal error.

    A rule that compiles can still fail on a value, such as when it casts non-numeric text to a number.

    Raises:
        ConfigError: A custom rule failed; the message has its name and DuckDB's error.
        MemoryLimitError: It needs more memory than it may use.
    """
    from urlset.engine.rule_sql import EngineError

    try:
        yield
    except EngineError as error:
        labels = {own.code: own.label for own in written}
        if error.code not in labels:
            raise
        text = f"{labels[error.code]}: the rule fails on these documents: {error.reason}"
        raise (MemoryLimitError if error.exit_code is ExitCode.UNREADABLE else ConfigError)(text) from None


def without_ignored(
    findings: Iterable[Finding], documents: Iterable[Mapping[str, object]], options: AdjustedRuleOptions
) -> list[Finding]:
    if not options.per_document_ignores:
        return list(findings)
    ignored = {
        document["document_id"]: _ignored_in(str(document["url"]), options.per_document_ignores, options.globs_from)
        for document in documents
    }
    return [finding for finding in findings if not finding.rule.code.startswith(ignored[finding.document_id])]


def _ignored_in(document: str, ignores: Mapping[str, tuple[str, ...]], folder: Path | None) -> tuple[str, ...]:
    """Return the code prefixes that are ignored for a document."""
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
