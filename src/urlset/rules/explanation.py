"""Builds the page of a rule from the docstring of its module and the fields of the rule.

The docstring starts with what the rule checks for, followed by the sections in `EXPLAINED`. Title, fix, and sources are
fields of the rule. `urlset explain`, the reference, SARIF, and the HTML report all get their text from here.
"""

from __future__ import annotations

import re
from textwrap import fill
from typing import TYPE_CHECKING

from urlset.rules import registry
from urlset.rules.queries import REPORTED_BY
from urlset.rules.rule import SetRule
from urlset.text.safe import safe

if TYPE_CHECKING:
    from urlset.rules.rule import Rule
    from urlset.web.indexability import PageReason

WHAT = "What it does"
WHY = "Why is this bad"
FIX = "How to fix"
SOURCES = "Sources"

EXPLAINED = (WHY, "Fails", "Passes")
"""Headings in the docstring of a rule, in order, after the introduction, which the page shows under `WHAT`."""

_HEADING = re.compile(r"^## (.+)\n", re.MULTILINE)


def sections(rule: Rule) -> dict[str, str]:
    """Return the sections of a rule's page in Markdown, by heading and in order; empty for a custom rule.

    Args:
        rule: The rule, with its limits filled in.
    """
    explained = registry.docstring(rule.code)
    if explained is None:
        return {}
    opening, *parts = _HEADING.split(explained)
    explained_by_heading = {WHAT: opening, **dict(zip(parts[::2], parts[1::2], strict=True))}
    fix = fill(f"{rule.fix} {rule.advice}", 120, break_long_words=False, break_on_hyphens=False)
    stated = {FIX: fix, SOURCES: "\n".join(f"- {source}" for source in rule.sources)}
    return {heading: text.strip() for heading, text in {**explained_by_heading, **stated}.items()}


def page(rule: Rule, opening: str = "") -> str:
    """Return the page of a built-in rule, in Markdown.

    Args:
        rule: The rule, with its limits filled in.
        opening: A paragraph to insert below the title.
    """
    title = [f"# {rule.code}: {rule.name}", *([opening] if opening else [])]
    body = [f"## {heading}\n{text}" for heading, text in sections(rule).items()]
    return "\n\n".join([*title, *body]) + "\n"


def reason_page(reason: PageReason) -> str:
    """Return the page of a reason why a page is not indexable, in Markdown."""
    meaning = "cannot be indexed at its listed URL" if reason.is_known else "may not be indexed at its listed URL"
    codes = REPORTED_BY.get(reason, ())
    rules = "\n".join(f"- {each.code} ({each.name}): {each.message}" for each in map(registry.rule, codes))
    parts = [
        f"# {reason}: {reason.words}",
        f"A reason why a listed page {meaning}, in `urlset audit` and `urlset pages`.",
        f"## {FIX}\n{reason.fix}",
        *([f"## Rules that report it\n{rules}"] if rules else []),
        f"## Pages\n`urlset pages STORE --reason {reason}` lists the pages of an audit.",
    ]
    return "\n\n".join(parts) + "\n"


def own_page(own: Rule) -> str:
    """Return the page of a custom rule, in Markdown, from its fields in the configuration."""
    sql = ((own.query if isinstance(own, SetRule) else own.where) or "").strip()
    sources = "".join(f"- {safe(source)}\n" for source in own.sources)
    return (
        f"# {own.code}: {own.name}\n\nSeverity: {own.severity.value}. Custom rule.\n\n"
        f"## {WHAT}\n{safe(own.message)}.\n\n## SQL\n```sql\n{sql}\n```\n\n## {FIX}\n{safe(own.fix)}\n"
        + (f"\n## {SOURCES}\n{sources}" if sources else "")
    )
