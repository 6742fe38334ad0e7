"""Render `check --clients`, also for `audit --clients`: as text, Markdown, and a brief; and the text of `key new`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.report.brief import Brief, Group, Quotes, title
from urlset.report.paint import Role
from urlset.report.rows import Code, markdown_lines
from urlset.report.style import SEVERITY_ROLES, Style
from urlset.text.safe import code_span, safe
from urlset.text.sizes import quantity, size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.model.client_check import Answer, ClientCheck, ClientFinding
    from urlset.model.policy import PolicyFinding
    from urlset.model.signing import NewSigningKey
    from urlset.report.paint import Paint

_VERDICTS = {"pass": Role.GOOD, "warn": Role.WARNING, "fail": Role.ERROR}


def client_lines(check: ClientCheck, paint: Paint) -> Iterator[str]:
    """Yield the verdict, what search engines say, and the findings."""
    yield f"{paint(safe(check.url), Role.HEADING)}: {paint(check.status, _VERDICTS[check.status])}"
    if check.found_by is not None:
        yield f"  the sitemap of the site, found by {safe(check.found_by)}"
    read = sum(answer.is_read for answer in check.answers)
    yield f"  {quantity(len(check.answers), 'request')}, {read} with a complete response"
    for reading in check.readings:
        yield f"  {safe(reading.sentence)}."
    for finding in check.findings:
        yield from cause_lines(finding, finding.cause, finding.evidence, paint)


def cause_lines(finding: ClientFinding | PolicyFinding, name: str, evidence: str, paint: Paint) -> Iterator[str]:
    """Yield what is wrong, what shows it, what to do, and the source, after an empty line."""
    yield ""
    yield f"  {paint(finding.severity.value, SEVERITY_ROLES[finding.severity])}  {finding.title} ({name})"
    yield f"    seen: {safe(evidence)}"
    yield f"    fix:  {finding.fix}"
    if finding.source is not None:
        yield paint(f"    {finding.source}", Role.FAINT)


def text(check: ClientCheck, style: Style = Style()) -> Iterator[str]:
    paint = style.paint
    yield from client_lines(check, paint)
    if not check.findings:
        yield "  No problems found for crawlers."
    if style.verbose:
        yield ""
        yield paint("Responses", Role.HEADING)
        width = max(len(answer.request) for answer in check.answers)
        for answer in check.answers:
            yield f"  {answer.request:{width}}  {_answer(answer)}"
    if check.not_tried:
        yield ""
        for skip in check.not_tried:
            yield paint(f"  not tried: {skip.request}: {safe(skip.reason)}", Role.FAINT)
    yield ""
    yield paint("  This check cannot tell:", Role.FAINT)
    for line in check.unknown:
        yield paint(f"  - {line}", Role.FAINT)
    if not style.verbose:
        yield paint("  Use -v to show every response.", Role.FAINT)


def _answer(answer: Answer) -> str:
    if answer.status is None:
        return safe(answer.error or "no response")
    parts = [f"HTTP {answer.status}"]
    parts += [answer.content.value] if answer.content is not None else []
    parts += [size(answer.bytes) + ("" if answer.is_whole else " and more")] if answer.bytes else []
    parts += [f"{answer.ttfb_ms:,.0f} ms"] if answer.ttfb_ms is not None else []
    parts += [f"HTTP/{answer.http_version}"] if answer.http_version == "2" else []
    parts += [f"after {quantity(len(answer.redirects), 'redirect')}"] if answer.redirects else []
    parts += [safe(answer.error)] if answer.error is not None else []
    return ", ".join(parts)


def markdown(check: ClientCheck, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield a sentence per reading, then the causes in a table."""
    yield f"**{code_span(check.url)}: {check.status}**"
    for reading in check.readings:
        yield ""
        yield f"{code_span(reading.sentence)}."
    if check.findings:
        yield ""
        rows = (
            (finding.severity.value, finding.title, Code(finding.evidence), finding.fix) for finding in check.findings
        )
        yield from markdown_lines(("severity", "cause", "seen", "fix"), rows)
    yield ""
    yield f"_This check cannot tell: {'; '.join(check.unknown)}._"


def llm(check: ClientCheck, style: Style = Style()) -> Iterator[str]:
    """Yield a brief for language models, with a group per cause."""
    quote = Quotes(style.ascii_only)
    groups = [
        Group(
            f"{finding.severity.value}: {title(finding.title)}",
            (f"seen: {quote(finding.evidence)}", f"fix: {title(finding.fix)}"),
        )
        for finding in check.findings
    ]
    head = [*quote.heading(), f"{quote(check.url)}: {check.status}"]
    yield from Brief(
        head, groups, [f"This check cannot tell: {'; '.join(check.unknown)}."], "cause", style.ascii_only
    ).lines()


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
