"""Generate the short pages of the reference that git holds, with a line for each rule, table, and name of the API.

The documentation site has full pages instead, with the same anchors. `config_page` makes both forms of the keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from griffe import Function, Object
from griffe import ParameterKind as Kind

from api_page import public_objects, shown_name
from option_pages import markdown_table
from urlset import _core, tables
from urlset.rules import registry
from urlset.rules.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VOCABULARIES = {
    "UrlProblem": "url_problems",
    "DateProblem": "date_problems",
    "Date precision": "date_precisions",
    "HreflangProblem": "hreflang_problems",
    "RobotsProblem": "robots_problems",
}
"""Closed sets of values in columns and facts: the heading of each, and its name in the core."""


def short_rules_page() -> Iterator[str]:
    """Yield the index of the rules: a table per family."""
    rules = registry.all_rules()
    yield "# Rules"
    yield ""
    yield f"{len(rules)} rules. `urlset explain CODE` prints the page of a rule: why it matters, and how to fix it."
    yield "The column *fixed* shows whether [`urlset fix`](../how-to/fix.md) repairs violations of a rule."
    for family in FAMILIES:
        yield ""
        yield f"## {family.title}"
        yield ""
        rows = [
            (
                _entry(rule.code.lower(), f"[{rule.code}](#{rule.code.lower()})"),
                f"`{rule.name}`",
                rule.severity.value,
                rule.fixable.value,
                rule.message,
            )
            for rule in rules
            if rule.family == family.prefix
        ]
        yield from markdown_table(("code", "name", "severity", "fixed", "what it finds"), rows)


def short_tables_page() -> Iterator[str]:
    """Yield a line for each table, and for each closed set of values."""
    yield "# Tables"
    yield ""
    yield "The tables of a store, which `urlset sql` and the rules query. A column that ends with `_problem` says"
    yield "what is wrong with a value, whose text is in another column. `DESCRIBE urls` in `urlset sql` explains each."
    yield ""
    rows = [
        (_entry(table.name, f"`{table.name}`"), f"{table.row}.", _names(table.column_names))
        for table in tables.TABLES.values()
    ]
    yield from markdown_table(("table", "a row is", "columns"), rows)
    yield ""
    yield "## Values"
    yield ""
    members = _core.vocabularies()
    values = [(heading, _names(members[name])) for heading, name in VOCABULARIES.items()]
    bits = ", ".join(f"`{name}` {bit}" for name, (_, bit) in members["traits"].items())
    yield from markdown_table(("set of values", "values"), [*values, ("Bits of `traits`", bits)])


def short_api_page() -> Iterator[str]:
    """Yield a line for each public name of the package."""
    yield "# Python API"
    yield ""
    yield "Every public name of the package `urlset`, whose docstring `help()` shows. Other names may change without"
    yield "notice. Exceptions other than `UrlsetError` are in `urlset.errors`, results in `urlset.model`. Options are"
    yield "in `urlset.options`: each verb takes them as a value or as keywords, with the names of the"
    yield "[keys of the configuration](config.md), but `_` for `-`."
    for heading, listed in public_objects().items():
        yield ""
        yield f"## {heading}"
        yield ""
        yield from map(_api_line, listed)


def _api_line(each: Object) -> str:
    name = shown_name(each)
    shown = f"{name}({', '.join(_parameters(each))})" if isinstance(each, Function) else name
    first = each.docstring.value.partition("\n\n")[0] if each.docstring is not None else ""
    return f"- {_entry(each.name.lower(), f'`{shown}`')}: {' '.join(first.split())}"


def _parameters(function: Function) -> Iterator[str]:
    """Yield the parameters without their types and defaults."""
    is_named = False
    for each in function.parameters:
        if each.kind is Kind.keyword_only and not is_named:
            yield "*"
        is_named |= each.kind in (Kind.keyword_only, Kind.var_positional)
        stars = {Kind.var_positional: "*", Kind.var_keyword: "**"}
        yield f"{stars.get(each.kind, '')}{each.name}"


def _entry(anchor: str, text: str) -> str:
    """Return the start of a line, to which links lead."""
    return f'<a id="{anchor}"></a>{text}'


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
