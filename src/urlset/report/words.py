"""Phrases and lines that several reports share."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.model.schema import SchemaStatus, SchemaVerdict
from urlset.options.storing import DEFAULT_STORE
from urlset.report.paint import Role
from urlset.text.safe import safe
from urlset.text.sizes import enumeration, inflect, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from urlset.model.audit import AuditResult, LinkCounts
    from urlset.model.comparison import Gaps
    from urlset.model.document import SkippedFile
    from urlset.ranking import RankedRule
    from urlset.report.paint import Paint

MAX_SKIPPED = 5
"""Maximum skipped files to name."""


def occurrences(number: int) -> str:
    """Return how often a rule is broken: `1 occurrence`, `1,204 occurrences`."""
    return quantity(number, "occurrence")


def causes_line(violation: RankedRule, names: Sequence[str]) -> str:
    """Return how many places of a rule other findings cause, and of which rules; empty if they cause none.

    Args:
        names: What to call the rules of `violation.because_of`.
    """
    if not violation.because_of:
        return ""
    what = "caused" if violation.is_effect else f"{violation.caused:,} of {quantity(violation.places, 'place')} caused"
    return f"{what} by {enumeration(names)}: fix that first"


def them(number: int) -> str:
    """Return the pronoun for a number of things: `it` or `them`."""
    return inflect(number, "it", "them")


def skipped_line(skipped: Sequence[SkippedFile]) -> str:
    """Return a sentence on the files in directories that are not sitemaps, naming the first few."""
    names = [f"{safe(Path(target.target).name)} ({safe(target.kind)})" for target in skipped[:MAX_SKIPPED]]
    if len(skipped) > len(names):
        names.append(f"and {len(skipped) - len(names):,} more")
    files = quantity(len(skipped), "file that is not a sitemap", "files that are not sitemaps")
    return f"Skipped {files}: {', '.join(names)}."


def gap_lines(gaps: Gaps) -> Iterator[str]:
    """Yield a line on each thing that a side of a comparison lacks, and on each note."""
    for gap in (*gaps.unreadable, *gaps.incomplete.examples):
        yield f"{safe(gap.target)}: {safe(gap.reason)}"
    if more := gaps.incomplete.count - len(gaps.incomplete.examples):
        yield f"{quantity(more, 'more document is', 'more documents are')} incomplete"
    if gaps.skipped:
        yield skipped_line(gaps.skipped)
    yield from map(safe, gaps.notes)


def stored_run_line(audited: AuditResult) -> str | None:
    """Return where the run is stored and how to view it; None if it is not stored."""
    if audited.store is None:
        return None
    store = "" if audited.store == DEFAULT_STORE else f" {audited.store}"
    return (
        f"Saved as run {audited.run_id} in {audited.store}. Open it in a browser with `urlset report{store} --open`; "
        f"list all runs with `urlset history{store}`."
    )


def pages_command(store: Path) -> str:
    """Return the command that lists the pages of a store that cannot be indexed."""
    return "urlset pages" if store == DEFAULT_STORE else f"urlset pages {safe(str(store))}"


def instant(at: datetime) -> str:
    """Return an instant in UTC, without a time of midnight: `2026-01-02`, `2026-01-02 03:04:05 UTC`."""
    if (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return at.date().isoformat()
    return at.replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds" if at.microsecond else "seconds") + " UTC"


def points(score: float) -> str:
    """Return a score from 0 to 1 as points out of 100: `95`, `87.5`."""
    return f"{score * 100:.1f}".removesuffix(".0")


WHY_UNCRAWLED = {
    "nofollow": "linked with nofollow only",
    "globs": "excluded by --include or --exclude",
    "long": "URL too long",
    "segments": "path too deep or repetitive",
    "parameters": "too many variants of the query",
    "limit": "beyond audit.crawl-depth or another limit",
}
"""The reasons why a crawl did not request linked pages of the site, in words."""


def schema_counts(verdicts: Sequence[SchemaVerdict]) -> dict[SchemaStatus, int]:
    counts = Counter(verdict.status for verdict in verdicts)
    return {status: counts[status] for status in SchemaStatus}


def schema_line(verdicts: Sequence[SchemaVerdict]) -> str:
    """Return the result as a sentence without a full stop."""
    counts = schema_counts(verdicts)
    documents = quantity(len(verdicts), "XML document")
    line = f"{counts[SchemaStatus.VALID]:,} of {documents} valid against the official schemas"
    if unchecked := counts[SchemaStatus.UNCHECKED]:
        line += f"; {unchecked:,} could not be validated"
    return line


def link_lines(links: LinkCounts, paint: Paint) -> Iterator[str]:
    read = f"read {quantity(links.links, 'link')} on {quantity(links.pages, 'page')}"
    if links.crawled:
        read += f", {links.crawled:,} of them in no sitemap"
    if links.skipped:
        read += f"; {quantity(links.skipped, 'link was', 'links were')} beyond the limit of 10,000 per page"
    if links.stopped_by is not None:
        read += f"; stopped at the {limit_name(links.stopped_by)} limit"
    yield f"{paint('Links', Role.HEADING)}: {read}"
    yield f"  {quantity(links.unlisted, 'linked URL')} in no sitemap"
    if links.needs_script:
        verb = inflect(links.needs_script, "needs", "need")
        yield f"  {quantity(links.needs_script, 'page')} {verb} a script to show text: cannot tell where they link to"
    if links.basis is None:
        yield "  cannot tell which pages no page links to: too few pages were read"
    for why, count, example in links.uncrawled:
        yield f"  {quantity(count, 'linked URL')} not crawled: {WHY_UNCRAWLED[why]}, such as {safe(example)}"


def limit_name(stopped_by: str) -> str:
    """Return what to call the budget that stopped a run."""
    return {"bytes": "traffic", "pages": "page"}.get(stopped_by, stopped_by)


def setting_value(value: object) -> object:
    """Return a value as a JSON value; a custom rule becomes its code."""
    if isinstance(value, tuple):
        return [setting_value(item) for item in value]
    if isinstance(value, dict):
        return {key: setting_value(item) for key, item in value.items()}
    if isinstance(value, Path):
        return str(value)
    return getattr(value, "code", value)


def setting_text(value: object) -> str:
    """Return a value as text: `true`, `1,000`, `a, b`, `none`."""
    plain = setting_value(value)
    if plain is None or plain in ([], {}):
        return "none"
    if isinstance(plain, bool):
        return str(plain).lower()
    if isinstance(plain, list):
        return ", ".join(map(str, plain))
    if isinstance(plain, dict):
        return ", ".join(f"{key} = {setting_text(item)}" for key, item in plain.items())
    return f"{plain:,}" if isinstance(plain, int) else str(plain)
