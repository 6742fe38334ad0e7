"""What an audit shows of the files for agents: Markdown twins of pages, and llms.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.tables import LLMS_FILES, LLMS_LINKS, LLMS_PROBLEMS, TWINS
from urlset.text.safe import safe
from urlset.text.sizes import inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.audit import LlmsCounts, TwinCounts
    from urlset.rules.rule import Rule

_TABLES = frozenset(table.name for table in (TWINS, LLMS_FILES, LLMS_LINKS, LLMS_PROBLEMS))

MAX_SECTIONS = 3
"""Sections to name that have pages without a link."""


def llms_words(llms: LlmsCounts) -> str:
    """Return how many pages the llms.txt files link to."""
    if llms.sections is None:
        return "cannot tell which pages it links to: it was only partly read"
    pages, linked = (sum(getattr(each, name) for each in llms.sections) for name in ("pages", "linked"))
    if not pages:
        return "no listed page to link to could be read"
    without = [each for each in llms.sections if each.linked < each.pages]
    named = [f"{safe(each.section)} {each.pages - each.linked:,}" for each in without[:MAX_SECTIONS]]
    rest = len(without) - len(named)
    more = f", and {quantity(rest, 'more section')}" if rest else ""
    others = f"; without a link: {', '.join(named)}{more}" if named else ""
    return f"links to {linked:,} of {quantity(pages, 'page')}{others}"


def coverage(twins: TwinCounts) -> str:
    """Return how many pages have a twin, such as `212 of 240 pages have a Markdown twin`."""
    verb = inflect(twins.with_twin, "has", "have")
    return f"{twins.with_twin:,} of {quantity(twins.pages, 'page')} {verb} a Markdown twin"


def twins_words(twins: TwinCounts) -> str:
    """Return how many pages have a twin, declare one, and are returned as Markdown."""
    text = f"{coverage(twins)}, {twins.declared:,} declared"
    if twins.asked:
        text += (
            f"; {twins.negotiated:,} of {twins.asked:,} requested as Markdown "
            f"{inflect(twins.negotiated, 'returns', 'return')} it"
        )
    return text


def sentences(twins: TwinCounts | None, llms: LlmsCounts | None) -> Iterator[str]:
    """Yield what the audit found and compared, each without a full stop."""
    if twins is not None and twins.has_any:
        yield twins_words(twins)
        if twins.with_twin:
            yield f"{twins.compared:,} of {quantity(twins.with_twin, 'twin')} compared with the text of the page"
    if llms is not None:
        is_known = llms.sections is not None
        yield f"an llms.txt {llms_words(llms)}" if is_known else "an llms.txt was only partly read"


def is_for_agents(rule: Rule) -> bool:
    """Return whether a rule checks twins or llms.txt."""
    return not rule.tables.isdisjoint(_TABLES)
