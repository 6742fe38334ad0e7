"""Text list of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.report.roles import SEVERITY_ROLES
from urlset.report.style import Style
from urlset.rules.registry import FAMILIES
from urlset.rules.rule import Fixable, Lifecycle
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.reference import ListedRule

_FIXABLE = {Fixable.ALWAYS: " (fixable)", Fixable.SOMETIMES: " (sometimes fixable)", Fixable.NEVER: ""}


def render(rules: Sequence[ListedRule], style: Style = Style()) -> Iterator[str]:
    """Yield the rules by family, custom rules last."""
    width = max((len(one.rule.name) for one in rules), default=0)
    prefixes = {family.prefix for family in FAMILIES}
    groups = [
        (f"{family.title} ({family.prefix})", [one for one in rules if one.rule.family == family.prefix])
        for family in FAMILIES
    ]
    groups.append(("Custom", [one for one in rules if one.rule.family not in prefixes]))
    for title, members in groups:
        if members:
            yield style.paint(title, Role.HEADING)
            yield from (_line(one, width, style) for one in members)
            yield ""
    yield f"{counted(len(rules), 'rule')}. Run `urlset explain CODE` for details on a rule."
    yield "`urlset fix` fixes findings of fixable rules; of sometimes fixable ones, those with only one possible fix."


def _line(one: ListedRule, width: int, style: Style) -> str:
    rule = one.rule
    severity = style.paint(f"{rule.severity.value:7}", SEVERITY_ROLES[rule.severity])
    changed = f" (default: {one.usual})" if one.usual not in (None, rule.severity.value) else ""
    stage = "" if rule.lifecycle is Lifecycle.STABLE else f" ({rule.lifecycle.value})"
    stage += _FIXABLE[rule.fixable]
    return f"  {rule.code}  {severity}  {rule.name:{width}}  {safe(rule.message)}{changed}{stage}"
