"""Text and a comment on a pull request for `deploy-check`: what was compared, what differs, and who changed it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from urlset.model.deploy_check import DeployCause
from urlset.model.ranking import rank_rules
from urlset.report.paint import Role
from urlset.report.style import Style
from urlset.report.text import render as report_lines
from urlset.report.words import places_not_shown
from urlset.text.safe import code_span, safe
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.deploy_check import DeployCheck
    from urlset.model.ranking import RankedRule


LONGEST = 58_000
"""Maximum bytes of the comment; GitHub accepts 65,536 characters."""

MAX_ITEMS = 100
"""Differences to show of each rule."""

MAX_UNKNOWN = 5
"""Reasons to show why URLs were not compared."""

CAUSES: dict[DeployCause, tuple[str, str]] = {
    DeployCause.OLD_BUILD: (
        "the site serves an earlier build",
        "check that the last deployment succeeded, and which one the domain shows",
    ),
    DeployCause.EDGE_CACHE: (
        "a cache serves an old copy; the origin serves the build",
        "purge the cache of the CDN after each deployment",
    ),
    DeployCause.MANAGED_ROBOTS: (
        "the CDN adds its managed block to robots.txt",
        "turn it off in the settings of the CDN, or add these rules to your own robots.txt",
    ),
    DeployCause.FALLBACK: (
        "the host serves the home page for files that it does not have (SPA fallback)",
        "upload the files, and exclude them from the fallback of the host",
    ),
    DeployCause.ERROR_PAGE: (
        "the host serves its page for missing URLs with a success status",
        "upload the files, and let the host return 404 for what does not exist",
    ),
    DeployCause.LOGIN: (
        "the host asks for a login",
        "turn off the protection of the deployment, or check it with `--auth` or `--header`",
    ),
    DeployCause.OTHER_HOST: ("the site redirects to another host", "check the redirects of the host"),
    DeployCause.HOME: (
        "the site redirects to its home page",
        "upload the pages, and do not redirect missing pages to the home page",
    ),
    DeployCause.PREVIEW_HOST: (
        "the served build names a preview host",
        "build with the URL of the site, and deploy that build",
    ),
    DeployCause.HEADER: (
        "the host sends a header that the build does not declare",
        "remove the header from the configuration of the host",
    ),
    DeployCause.CUT_OFF: ("the upload was cut off", "upload the files again"),
    DeployCause.LEFT_OVER: (
        "files of an earlier deployment are still on the host",
        "let deployments delete files that were not built",
    ),
}
"""What changed what is served, and what to do."""


def text(result: DeployCheck, style: Style = Style()) -> Iterator[str]:
    paint = style.paint
    folder, site = paint(safe(str(result.folder)), Role.PLACE), paint(safe(result.site), Role.PLACE)
    yield f"{folder} compared with {site} at {result.checked_at:%Y-%m-%d %H:%M} UTC"
    yield f"  {headline(result)}"
    if result.rounds > 1:
        yield f"  compared {result.rounds} times in {result.waited_seconds:,.0f} s"
    if result.interrupted:
        yield f"  {paint('interrupted:', Role.WARNING)} this report is partial"
    yield ""
    yield from report_lines(result.report, style)


def headline(result: DeployCheck) -> str:
    """Return the counts as a line."""
    unknown = sum(each.count for each in result.not_compared)
    files = result.files
    parts = [f"{quantity(result.sampled, 'page')} and {quantity(files, 'other file')}: {result.equal:,} as built"]
    parts += [f"{result.differing:,} different"] if result.differing else []
    parts += [f"{unknown:,} not compared"] if unknown else []
    return ", ".join(parts)


# A comment on a pull request.


def comment(result: DeployCheck, style: Style = Style()) -> Iterator[str]:  # noqa: ARG001 - the signature of a renderer
    """Yield the lines of a comment on a pull request: what is served, who changed it, and what to do.

    Untrusted text is in code spans, in which Markdown does not create links, mentions, or HTML
    (https://spec.commonmark.org/0.31.2/#code-spans).
    """
    head = list(_head(result))
    used = sum(len(line.encode()) + 1 for line in head)
    yield from head
    for violation in rank_rules(result.report):
        section = list(_section(violation))
        size = sum(len(line.encode()) + 1 for line in section)
        if used + size > LONGEST:
            yield ""
            yield f"- {_title(violation)}"
            continue
        used += size
        yield from section
    notes = [*_not_compared(result), *(code_span(note) for note in result.report.notes if "not compared:" not in note)]
    yield from _folded("Notes", notes, f"and {len(notes) - MAX_ITEMS:,} more" if len(notes) > MAX_ITEMS else "")


def _head(result: DeployCheck) -> Iterator[str]:
    site, folder = code_span(result.site), code_span(str(result.folder))
    if not result.compared:
        state = f"nothing of {folder} could be compared with {site}"
    elif result.report.findings:
        state = f"{site} does not serve what was built in {folder}"
    else:
        state = f"{site} serves what was built in {folder}"
    partial = ", but the check was interrupted" if result.interrupted else ""
    yield f"**urlset:** {state}{partial}"
    yield ""
    yield f"{headline(result)} ({result.checked_at:%Y-%m-%d %H:%M} UTC)"
    causes = list(_causes(result))
    if causes:
        yield ""
        yield from (f"{number}. {text}" for number, text in enumerate(causes, 1))


def _causes(result: DeployCheck) -> Iterator[str]:
    """Yield what changed what is served, the cause of most URLs first, and how many differences have no known cause."""
    shown = {example.message for finding in result.report.findings for example in finding.examples}
    counts: Counter[DeployCause | None] = Counter()
    for each in result.differences:
        if each.text in shown:
            counts[each.cause] += each.urls
    unknown = counts.pop(None, 0)
    for cause, count in counts.most_common():
        if cause is not None:
            what, remedy = CAUSES[cause]
            yield f"**{what[0].upper()}{what[1:]}** ({quantity(count, 'URL')}): {remedy}."
    if unknown:
        yield f"The cause of {quantity(unknown, 'differing URL')} is unknown; the fixes are below."


def _section(violation: RankedRule) -> Iterator[str]:
    items = [code_span(example.message) for finding in violation.findings for example in finding.examples]
    rest = places_not_shown(violation.rule, min(len(items), MAX_ITEMS), violation.places)
    yield from _folded(_title(violation), items, rest, f"Fix: {violation.rule.fix}")


def _title(violation: RankedRule) -> str:
    rule = violation.rule
    return f"{rule.severity.value} {rule.code}: {rule.message} ({quantity(violation.places, 'place')})"


def _folded(title: str, items: Sequence[str], rest: str, closing: str = "") -> Iterator[str]:
    if not items:
        return
    yield from ("", f"<details><summary>{title}</summary>", "")
    yield from (f"- {item}" for item in items[:MAX_ITEMS])
    if rest:
        yield f"- … {rest}"
    if closing:
        yield from ("", closing)
    yield from ("", "</details>")


def _not_compared(result: DeployCheck) -> Iterator[str]:
    for each in result.not_compared[:MAX_UNKNOWN]:
        about = f"{quantity(each.count, 'URL')} not compared: {each.reason}, such as {each.example}"
        yield code_span(about)
    if (more := len(result.not_compared) - MAX_UNKNOWN) > 0:
        yield f"more URLs not compared, for {quantity(more, 'other reason')}"
