"""The list of rules as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.roles import SEVERITY_ROLES
from urlset.report.style import Style
from urlset.report.words import counted
from urlset.rules.registry import FAMILIES
from urlset.rules.rule import Fixable, Lifecycle
from urlset.safe import safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.reference import ListedRule

_FIXABLE = {Fixable.ALWAYS: " (fixed)", Fixable.SOMETIMES: " (fixed in part)", Fixable.NEVER: ""}


def render(rules: Sequence[ListedRule], style: Style = Style()) -> Iterator[str]:
    """Yield the rules by family, the user's own last."""
    width = max((len(one.rule.name) for one in rules), default=0)
    prefixes = {family.prefix for family in FAMILIES}
    groups = [
        (f"{family.title} ({family.prefix})", [one for one in rules if one.rule.family == family.prefix])
        for family in FAMILIES
    ]
    groups.append(("Your own", [one for one in rules if one.rule.family not in prefixes]))
    for title, members in groups:
        if members:
            yield style.paint(title, Role.HEADING)
            yield from (_line(one, width, style) for one in members)
            yield ""
    yield f"{counted(len(rules), 'rule')}. `urlset explain CODE` tells the why and how of one."
    yield "`urlset fix` settles what is marked as fixed; in part means where there is one right answer."


def _line(one: ListedRule, width: int, style: Style) -> str:
    rule = one.rule
    severity = style.paint(f"{rule.severity.value:7}", SEVERITY_ROLES[rule.severity])
    changed = f" (default: {one.usual})" if one.usual not in (None, rule.severity.value) else ""
    stage = "" if rule.lifecycle is Lifecycle.STABLE else f" ({rule.lifecycle.value})"
    stage += _FIXABLE[rule.fixable]
    return f"  {rule.code}  {severity}  {rule.name:{width}}  {safe(rule.message)}{changed}{stage}"
