"""Text of what `rules`, `agents`, `config`, and `cache` show."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.options.configuration_file import display_path
from urlset.report.paint import Role
from urlset.report.style import SEVERITY_ROLES, Style
from urlset.report.words import setting_text, them
from urlset.rules.families import FAMILIES
from urlset.rules.rule import Fixable, Lifecycle
from urlset.text.safe import safe
from urlset.text.sizes import exact_size, quantity
from urlset.web.agents import TITLES, Obedience, age_of_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.reference import CachedStores, CacheState, EffectiveConfiguration, ListedRule
    from urlset.web.agents import KnownAgent

_FIXABLE = {Fixable.ALWAYS: " (fixable)", Fixable.SOMETIMES: " (sometimes fixable)", Fixable.NEVER: ""}


NO_FILE = "none; urlset.toml is read if it is in this directory or one above it"


def rule_list(rules: Sequence[ListedRule], style: Style = Style()) -> Iterator[str]:
    """Yield the rules by family, custom rules last."""
    width = max((len(entry.rule.name) for entry in rules), default=0)
    prefixes = {family.prefix for family in FAMILIES}
    groups = [
        (
            f"{family.title} ({family.prefix})",
            [entry for entry in rules if entry.rule.family == family.prefix],
        )
        for family in FAMILIES
    ]
    groups.append(("Custom", [entry for entry in rules if entry.rule.family not in prefixes]))
    for title, members in groups:
        if members:
            yield style.paint(title, Role.HEADING)
            yield from (_rule_line(entry, width, style) for entry in members)
            yield ""
    yield f"{quantity(len(rules), 'rule')}. Run `urlset explain CODE` for details on a rule."
    yield "`urlset fix` fixes findings of fixable rules; of sometimes fixable ones, those with only one possible fix."


def _rule_line(entry: ListedRule, width: int, style: Style) -> str:
    rule = entry.rule
    severity = style.paint(f"{rule.severity.value:7}", SEVERITY_ROLES[rule.severity])
    changed = f" (default: {entry.usual})" if entry.usual not in (None, rule.severity.value) else ""
    stage = "" if rule.lifecycle is Lifecycle.STABLE else f" ({rule.lifecycle.value})"
    stage += _FIXABLE[rule.fixable]
    return f"  {rule.code}  {severity}  {rule.name:{width}}  {safe(rule.message)}{changed}{stage}"


NOTES = {
    Obedience.FOLLOWS: "",
    Obedience.OWN_GROUP: "; ignores groups for *",
    Obedience.IGNORES: "; ignores robots.txt",
}


def crawler_list(agents: Sequence[KnownAgent], style: Style = Style()) -> Iterator[str]:
    """Yield the crawlers by purpose: product token, operator, documentation, and when it was compared."""
    width = max((len(agent.name) for agent in agents), default=0)
    for purpose, title in TITLES.items():
        yield style.paint(title, Role.HEADING)
        for agent in agents:
            if agent.purpose is purpose:
                note = "; may ignore robots.txt" if agent.may_ignore else NOTES[agent.robots]
                opt_out = "" if agent.fetches else "; a token to opt out, which fetches nothing"
                yield f"  {agent.name:{width}}  {agent.operator}{note}{opt_out}"
                yield f"  {'':{width}}  {style.paint(f'{agent.source} ({agent.date})', Role.FAINT)}"
                if agent.signature_agent:
                    signs = f"signs some requests as {agent.signature_agent}, as an experiment"
                    yield f"  {'':{width}}  {style.paint(signs, Role.FAINT)}"
        yield ""
    yield f"{quantity(len(agents), 'crawler')}. The date is that of the last comparison with the source."
    if (age := age_of_list(datetime.now(UTC).date())) is not None:
        yield f"{age[0].upper()}{age[1:]}."


def configuration_lines(configuration: EffectiveConfiguration, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001
    """Yield each value with its origin, then the rules that differ from the defaults."""
    file = configuration.file
    yield f"Configuration file: {safe(display_path(file)) if file else NO_FILE}"
    yield ""
    width = max(len(setting.key) for setting in configuration.settings)
    for setting in configuration.settings:
        value = safe(setting.default_text or setting_text(setting.value))
        yield f"{setting.key:{width}}  {value}  ({safe(setting.origin)})"
    if configuration.rules:
        yield ""
        yield "Rules that differ from the defaults:"
    for changed in configuration.rules:
        default = f"default {changed.usual}" if changed.usual else "custom rule"
        yield f"  {changed.rule.code}  {changed.severity or 'off'} ({default})  {safe(changed.rule.name)}"


def cache_size(cache: CacheState, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001
    """Yield the number and size of cached responses and stores, or of those removed."""
    size = f"{quantity(cache.entries, 'cached response')}, {exact_size(cache.bytes)}"
    yield safe(f"removed {size} from {cache.folder}" if cache.is_cleared else f"{cache.folder}: {size}")
    if cache.removed_stores is not None:
        yield safe(f"removed {_stores(cache.removed_stores)} from {cache.removed_stores.folder}")
    if cache.stores.count:
        kept = "kept " if cache.is_cleared else ""
        yield safe(
            f"{kept}{_stores(cache.stores)} in {cache.stores.folder}; `urlset cache clear --stores` removes "
            f"{them(cache.stores.count)}, with the runs that `urlset history` lists"
        )


def _stores(stores: CachedStores) -> str:
    return f"{quantity(stores.count, 'store')} of audited directories, {exact_size(stores.bytes)}"
