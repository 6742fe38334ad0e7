"""Lines on what an address answers to crawlers, which several reports share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.paint import Role
from urlset.rules.rule import Severity
from urlset.safe import safe
from urlset.sizes import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.client_check import ClientCheck, ClientFinding
    from urlset.model.policy import PolicyFinding
    from urlset.report.paint import Paint

_ROLES = {Severity.ERROR: Role.ERROR, Severity.WARNING: Role.WARNING, Severity.INFO: Role.INFO}
_VERDICTS = {"pass": Role.GOOD, "warn": Role.WARNING, "fail": Role.ERROR}


def check_lines(check: ClientCheck, paint: Paint) -> Iterator[str]:
    """Yield the verdict, what search engines say, and the findings."""
    yield f"{paint(safe(check.url), Role.HEADING)}: {paint(check.status, _VERDICTS[check.status])}"
    if check.found_by is not None:
        yield f"  the sitemap of the site, found by {check.found_by}"
    read = sum(answer.is_read for answer in check.answers)
    yield f"  {counted(len(check.answers), 'request')}, {read} with a complete response"
    for reading in check.readings:
        yield f"  {safe(reading.sentence)}."
    for finding in check.findings:
        yield from finding_lines(finding, finding.cause, finding.evidence, paint)


def finding_lines(finding: ClientFinding | PolicyFinding, name: str, seen: str, paint: Paint) -> Iterator[str]:
    """Yield what is wrong, what shows it, what to do, and the source, after an empty line."""
    yield ""
    yield f"  {paint(finding.severity.value, _ROLES[finding.severity])}  {finding.title} ({name})"
    yield f"    seen: {safe(seen)}"
    yield f"    fix:  {finding.fix}"
    if finding.source is not None:
        yield paint(f"    {finding.source}", Role.FAINT)
