"""Text of `robots --policy` and `key new`."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from urlset.report import policy_words
from urlset.report.clients import cause_lines
from urlset.report.paint import Role
from urlset.report.rows import table
from urlset.report.style import Style
from urlset.text.safe import safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.policy import PolicyReport
    from urlset.model.signing import NewSigningKey


def policy(report: PolicyReport, style: Style = Style()) -> Iterator[str]:
    paint = style.paint
    yield paint(f"{safe(report.url)}: policy for crawlers on {report.checked_at:%Y-%m-%d}", Role.HEADING)
    yield ""
    yield paint("Declared:", Role.HEADING)
    yield from (f"  {line}" for line in policy_words.declared_lines(report))
    yield ""
    yield paint("Crawlers:", Role.HEADING)
    yield from _crawlers(report, style)
    for finding in report.findings:
        evidence = f"{finding.evidence}, on {finding.seen_on}"
        yield from cause_lines(finding, finding.kind.value, evidence, paint)
    yield ""
    if not report.findings:
        yield "  No contradictions, as far as can be seen from here."
    yield paint("  Not known from here:", Role.FAINT)
    for line in report.unknown:
        yield paint(f"  - {line}", Role.FAINT)
    if style.verbose:
        yield ""
        yield paint("Sources:", Role.HEADING)
        for crawler in report.crawlers:
            yield f"  {safe(crawler.agent)}: {safe(crawler.source)} ({crawler.source_date})"


def _crawlers(report: PolicyReport, style: Style) -> Iterator[str]:
    columns, rows = policy_words.crawler_table(report)
    operators = [row[0] for row in rows]
    # Each operator is written once, above its crawlers.
    new = ["" if operator == before else operator for before, operator in pairwise(["", *operators])]
    yield from table(
        columns, [(name, *row[1:]) for name, row in zip(new, rows, strict=True)], replace(style, max_rows=0)
    )
    if report.logs_from is not None and report.logs_to is not None:
        yield style.paint(f"  {policy_words.logs_line(report.logs_from, report.logs_to)}", Role.FAINT)
    if "response" not in columns:
        yield style.paint("  Use --clients to ask under the user agent of each crawler.", Role.FAINT)


def signing_key(key: NewSigningKey, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - as every renderer
    path = safe(str(key.path))
    yield f"Wrote the private key to {path}. Keep it secret."
    if key.directory is not None:
        yield f"Wrote {quantity(key.keys, 'public key')} to {safe(str(key.directory))}."
    else:
        yield "The public key was not written; name the directory that the host serves with --directory."
    yield f"Publish it at {safe(key.url)}"
    yield "as application/http-message-signatures-directory+json, then run `urlset audit URL --sign " + path + "`."
    yield f"Key ID: {key.keyid}"
