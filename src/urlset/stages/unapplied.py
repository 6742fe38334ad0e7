"""Say which selected rules have nothing to check in a run: that nothing is found does not mean that all is well."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.errors import UsageError
from urlset.rules.registry import rule_templates, select
from urlset.tables import PAGES, TABLES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from urlset.options.judging import JudgingOptions
    from urlset.rules.rule import Rule

OF_SERVER = "the server of the site, as only its responses show what it is about"


def notes_on_unapplied(
    options: JudgingOptions, done: Collection[str] | None = None, of_server: Collection[str] = ()
) -> list[str]:
    """Return a note on each selected group of rules that has nothing to check, with what it needs.

    Args:
        done: What the audit does besides reading documents, as `Table.needs` names it; None for `validate`.
        of_server: Codes of rules for which the run needs a server, and has none.

    Raises:
        UsageError: None of the selected rules has anything to check, and they are not those of a configuration file,
            which is for several commands.
    """
    lacks: dict[str, str] = {}
    for prefix in options.select:
        code = prefix.strip().upper()
        if any(own.code.startswith(code) for own in options.rule):
            return []
        lacking = [_lacking(rule, options, done, of_server) for rule in select(rule_templates(), [prefix])]
        if all(lacking):
            lacks[code] = _most(lacking)
    if lacks and len(lacks) == len({*options.select}):
        needs = "; ".join(f"{code} needs {what}" for code, what in lacks.items())
        if not options.is_select_configured:
            raise UsageError(f"nothing would be checked: {needs}")
        return [f"no rules were applied, because of `select` in the configuration: {needs}"]
    return [f"{code} was not checked: it needs {what}" for code, what in lacks.items()]


def _lacking(rule: Rule, options: JudgingOptions, done: Collection[str] | None, of_server: Collection[str]) -> str:
    """Return what a rule needs and the run does not have; empty for nothing."""
    table = TABLES[rule.table]
    if missing := [name for name in rule.requires if not getattr(options, name)]:
        return f"`--{missing[0].replace('_', '-')}`"
    needs = table.needs or (PAGES.needs if rule.needs_pages else "")
    is_filled = done is not None and table.source in (None, "pages") and (not needs or needs in done)
    if rule.filled_by and not is_filled:
        return rule.filled_by
    return OF_SERVER if rule.code in of_server else ""


def _most(reasons: Iterable[str]) -> str:
    return Counter(reasons).most_common(1)[0][0]
