"""Text report of `build`: the files of each site, what was left out and why, and the robots.txt lines to add."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from urlset import _core
from urlset.model.build import ABOUT, Reason
from urlset.report.formats import part
from urlset.report.paint import Paint, Role
from urlset.report.style import Style
from urlset.text.safe import safe, shorten
from urlset.text.sizes import enumeration, inflect, quantity, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from urlset.model.build import BuildReport, File, IndexReport, Lastmod, RobotsUpdate, SiteReport, Summary
    from urlset.model.build_result import BuildResult
    from urlset.model.link_check import LinkCheck

MAX_FILES = 12
"""Files to list per site, without `verbose`."""

EXAMPLES = 3
"""Examples to show per reason, without `verbose`."""

WIDEST = 100
"""Longest example to show without `verbose`, in characters."""


def render(result: BuildResult, style: Style = Style()) -> Iterator[str]:
    """Yield the report and the comparison, or with `--explain-lastmod` only the explanation."""
    if result.explain is not None:
        yield from _explanation(result.report, result.explain, style.paint)
        return
    yield from _report(result, style)
    if (comparison := result.checks.comparison) is not None:
        yield ""
        yield from part("diff.render")(comparison, style)
    elif result.diff:
        yield "Nothing has been published yet; everything is new."


def _report(result: BuildResult, style: Style) -> Iterator[str]:
    report, paint, verbose = result.report, style.paint, style.verbose
    several = len(report.sites) > 1 or report.index is not None
    for site in report.sites:
        yield from _site(site, report, paint, verbose=verbose)
        yield ""
    if report.index is not None:
        yield from _index(report.index, report, paint, verbose=verbose)
        yield ""
    if result.checks.links is not None:
        yield from _links(result.checks.links, style)
    for problem in () if report.published else result.problems:
        yield f"{paint('problem', Role.WARNING)}: {safe(problem)}"
    total = quantity(report.written, "URL") + (f" on {quantity(len(report.sites), 'site')}" if several else "")
    yield f"{_verdict(report)}: {total}."


def _links(check: LinkCheck, style: Style) -> Iterator[str]:
    # Imported here because most builds check no links.
    from urlset.report.text import render as finding_text

    yield from finding_text(check.report, style)
    yield from part("links.text")(check.counts, style.paint)
    if check.unread:
        verb = inflect(check.unread, "has", "have")
        yield f"  {quantity(check.unread, 'listed URL')} {verb} no readable file in a directory: links unknown"
    yield ""


def _explanation(report: BuildReport, url: str, paint: Paint) -> Iterator[str]:
    """Yield the date that each source has for a page and which one is used, or why the page is left out."""
    lastmod = report.explained
    if lastmod is None:
        # Pages of a directory are identified by the path of their file.
        why = [page for site in report.sites for page in site.examples if url in (page.what, site.base_url + page.what)]
        reason = f"left out: {ABOUT[Reason(why[0].reason)]}" if why else "not found in any source"
        yield f"{safe(url)}: {reason}."
        yield "Give the URL as it is in the sitemap; `urlset build --dry-run --verbose` shows what is left out."
        return
    yield from _sources(lastmod, paint)


def lastmod(lastmod: Lastmod, style: Style = Style()) -> Iterator[str]:
    """Yield the lastmod of a page and its proof."""
    yield from _sources(lastmod, style.paint)


def _sources(lastmod: Lastmod, paint: Paint) -> Iterator[str]:
    yield f"{paint(safe(lastmod.url), Role.HEADING)}: {_lastmod(lastmod.value)}"
    for source_date in lastmod.sources:
        mark = paint("used", Role.GOOD) if source_date.source is lastmod.source else "    "
        yield f"  {mark}  {source_date.source.value:8} {_lastmod(source_date.value)}: {safe(source_date.reason)}"
        if (proof := source_date.proof) is not None:
            yield f"            {safe(proof.commit)}  {safe(proof.path)}"
    if lastmod.value is None:
        yield "  No source had a date; lastmod omitted."


def _lastmod(value: date | datetime | str | None) -> str:
    if value is None:
        return "unknown"
    return value.isoformat(sep=" ") if isinstance(value, datetime) else safe(str(value))


def _verdict(report: BuildReport) -> str:
    if report.published:
        return "Published" if report.changed else "No changes"
    return "Would change; nothing was written" if report.changed else "No changes to publish"


def _site(site: SiteReport, report: BuildReport, paint: Paint, *, verbose: bool) -> Iterator[str]:
    summary = site.summary
    yield f"{paint(safe(site.base_url), Role.HEADING)} in {safe(site.out)}: {quantity(summary.written, 'URL')}"
    yield from _files(summary.files, summary.removed, report, paint, verbose=verbose)
    yield from _stable(summary, report, verbose=verbose)
    yield from _dates(site)
    for mapping in site.mappings:
        yield f"  sources: {safe(str(mapping))}"
        unmapped = [(one.what, one.reason) for one in mapping.unmapped]
        yield from _examples(unmapped, mapping.unmapped_in_total, verbose=verbose)
    yield from _omission_lines(site, paint, verbose=verbose)
    if summary.feed is not None:
        state = "" if summary.feed.changed else paint(" (unchanged)", Role.FAINT)
        yield f"  {safe(summary.feed.path)}  {quantity(summary.feed.entries, 'entry', 'entries')}{state}"
    for note in site.notes:
        yield f"  {paint('note', Role.INFO)}: {safe(note)}"
    yield from _robots(site.robots, report, paint)
    for file in site.llms:
        state = "" if file.changed else paint(" (unchanged)", Role.FAINT)
        yield f"  {safe(file.path)} {'has' if report.published else 'would have'} {quantity(file.pages, 'page')}{state}"


def _dates(site: SiteReport) -> Iterator[str]:
    """Yield how many URLs have a lastmod, and from which sources."""
    summary = site.summary
    if summary.dated is None or not summary.written:
        return
    if not summary.dated:
        yield f"  lastmod: none of {quantity(summary.written, 'URL')}; --explain-lastmod URL shows why"
        return
    counts = site.dates
    sources = ", ".join(f"{name} {count:,}" for name, count in counts.items()) if counts else ", ".join(site.dates_from)
    yield f"  lastmod: {summary.dated:,} of {quantity(summary.written, 'URL')}" + (
        f" (from {sources})" if sources else ""
    )


def _index(index: IndexReport, report: BuildReport, paint: Paint, *, verbose: bool) -> Iterator[str]:
    children = sum(file.entries for file in index.files)
    yield f"{paint('Index of all sites', Role.HEADING)} in {safe(index.out)}: {quantity(children, 'sitemap')}"
    yield from _files(index.files, index.removed, report, paint, verbose=verbose)


def _files(
    files: Sequence[File], removed: Sequence[str], report: BuildReport, paint: Paint, *, verbose: bool
) -> Iterator[str]:
    first_files = files if verbose else files[:MAX_FILES]
    width = max((len(file.name) for file in first_files), default=0)
    for file in first_files:
        noun = ("sitemap", "sitemaps") if file.kind == "sitemapindex" else ("URL", "URLs")
        facts = f"{quantity(file.entries, *noun)}, {size(file.file_bytes)}"
        for count, kind in ((file.alternates, "hreflang link"), (file.images, "image"), (file.videos, "video")):
            facts += f", {quantity(count, kind)}" if count else ""
        facts += f", {file.news:,} news" if file.news else ""
        state = "" if file.changed else paint(" (unchanged)", Role.FAINT)
        yield f"  {safe(file.name):{width}}  {facts}{state}"
    if len(files) > len(first_files):
        changed = sum(file.changed for file in files)
        yield f"  and {len(files) - len(first_files):,} more; {changed:,} of {quantity(len(files), 'file')} changed"
    if removed:
        names = ", ".join(map(safe, removed[:MAX_FILES])) + (", …" if len(removed) > MAX_FILES else "")
        yield f"  {'removed' if report.published else 'would be removed'}: {names}"


def _stable(summary: Summary, report: BuildReport, *, verbose: bool) -> Iterator[str]:
    """Yield what happened to the parts and their URLs, if the layout is stable."""
    parts, changes = summary.part_counts, summary.stable
    if parts is None or changes is None:
        return
    counts = (
        ("unchanged", parts.unchanged),
        ("changed", parts.changed),
        ("new", parts.new),
        ("removed", parts.removed),
    )
    yield f"  parts: {', '.join(f'{count:,} {what}' for what, count in counts)}"
    yield f"  URLs: {changes.kept:,} in the same part, {changes.added:,} new, {changes.removed:,} removed"
    for count, why in (
        (changes.regrouped, "the value that determines their part changed"),
        (changes.outgrown, "their part has no more room for them"),
        (changes.merged, "their part was less than 70% full"),
    ):
        if count:
            yield f"  {'moved' if report.published else 'would move'}: {quantity(count, 'URL')}, because {why}"
    for merge in changes.merges if verbose else changes.merges[:MAX_FILES]:
        what = f"part {safe(merge.part)} into {safe(enumeration(merge.into))}"
        yield f"  {'merged' if report.published else 'would merge'}: {what}"
    if not verbose and len(changes.merges) > MAX_FILES:
        yield f"  and {quantity(len(changes.merges) - MAX_FILES, 'more merged part')}"


def _omission_lines(site: SiteReport, paint: Paint, *, verbose: bool) -> Iterator[str]:
    by_writer: Mapping[str, str] = _core.refusal_reasons()
    if site.left_out_in_total:
        yield f"  left out in total: {site.left_out_in_total:,}"
    for reason, count in site.left_out.items():
        pairs = [(page.what, page.detail) for page in site.examples if page.reason == reason]
        yield f"  {paint('left out', Role.WARNING)} ({count:,}, {reason}): {ABOUT[Reason(reason)]}"
        yield from _examples(pairs, count, verbose=verbose)
    for whole, counts in ((True, site.summary.refused), (False, site.summary.fields_left_out)):
        what = "left out" if whole else "field left out"
        for reason, count in counts.items():
            bad = [refusal for refusal in site.summary.examples if refusal.reason == reason and refusal.whole is whole]
            yield f"  {paint(what, Role.WARNING)} ({count:,}, {reason}): {by_writer.get(reason, reason)}"
            pairs = [
                (refusal.url or f"entry {refusal.number:,}", _fault(refusal.field, refusal.value, refusal.detail))
                for refusal in bad
            ]
            yield from _examples(pairs, count, verbose=verbose)


def _fault(field: str, value: str, detail: str) -> str:
    if field in ("", "loc"):
        return detail
    return f"{field} {value}".rstrip() * bool(value) + (f" ({detail})" if detail else "")


def _examples(examples: Sequence[tuple[str, str]], count: int, *, verbose: bool) -> Iterator[str]:
    first_examples = examples if verbose else examples[:EXAMPLES]
    for what, detail in first_examples:
        text = f"{what}: {detail}" if detail else what
        yield f"    {safe(text) if verbose else shorten(safe(text), WIDEST)}"
    if first_examples and count > len(first_examples):
        yield f"    and {count - len(first_examples):,} more"


def _robots(robots: RobotsUpdate, report: BuildReport, paint: Paint) -> Iterator[str]:
    if not robots.lines:
        return
    if robots.path is None:
        yield f"  add to the robots.txt of {safe(robots.host)} (or use --robots FILE):"
        yield from (f"    {safe(line)}" for line in robots.lines)
    elif robots.changed:
        yield f"  {safe(robots.path)} {'now contains' if report.published else 'would contain'}:"
        yield from (f"    {safe(line)}" for line in robots.lines)
    else:
        own = inflect(len(robots.lines), "the Sitemap line", f"the {len(robots.lines):,} Sitemap lines")
        yield f"  {safe(robots.path)} contains {own} of this build" + paint(" (unchanged)", Role.FAINT)
