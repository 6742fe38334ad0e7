"""JSON report of `build`; its schema is `schemas/build.schema.json`."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, datetime
from typing import TYPE_CHECKING

from urlset.report import json_objects
from urlset.report.changes_json import as_json as comparison_as_json
from urlset.report.style import Style
from urlset.safe import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.model.build import File, Lastmod, SiteReport, Summary
    from urlset.model.build_result import BuildResult
    from urlset.model.link_check import LinkCheck

VERSION = 1
"""Version of the format, raised on breaking changes."""


def render(result: BuildResult, style: Style = Style()) -> Iterator[str]:
    yield json_text(_as_json(result), ascii_only=style.ascii_only)


def _as_json(result: BuildResult) -> dict[str, object]:
    report, comparison, links = result.report, result.checks.comparison, result.checks.links
    index = report.index
    return {
        "version": VERSION,
        "published": report.published,
        "changed": report.changed,
        "problems": list(result.problems),
        "urls": report.written,
        "elapsed_seconds": round(report.elapsed, 3),
        "sites": [_site(site) for site in report.sites],
        "index": None
        if index is None
        else {"out": index.out, "files": _files(index.files), "removed": list(index.removed)},
        "explained": None if report.explained is None else _explained(report.explained),
        "diff": None if comparison is None else comparison_as_json(comparison),
        "links": None if links is None else _links(links),
        "notified": None if report.notified is None else json_objects.NOTIFY.content(report.notified),
    }


def _links(check: LinkCheck) -> dict[str, object]:
    return {
        "report": json_objects.as_json(check.report),
        "counts": json_objects.as_json(check.counts),
        "unread": check.unread,
    }


def _explained(lastmod: Lastmod) -> dict[str, object]:
    return {
        "url": lastmod.url,
        "lastmod": _date(lastmod.value),
        "source": None if lastmod.source is None else lastmod.source.value,
        "sources": [
            {"source": source_date.source.value, "lastmod": _date(source_date.value), "reason": source_date.reason}
            for source_date in lastmod.sources
        ],
    }


def _date(value: date | datetime | str | None) -> str | None:
    return value.isoformat() if isinstance(value, date | datetime) else value


def _site(site: SiteReport) -> dict[str, object]:
    summary = site.summary
    return {
        "base_url": site.base_url,
        "out": site.out,
        "changed": site.changed,
        "received": summary.received,
        "written": summary.written,
        "files": _files(summary.files),
        "removed": list(summary.removed),
        "dated": summary.dated,
        "dates_from": None if site.dates is None else dict(site.dates),
        "left_out_in_total": site.left_out_in_total,
        "left_out": dict(site.left_out),
        "left_out_examples": [asdict(page) for page in site.examples],
        "refused": dict(summary.refused),
        "fields_left_out": dict(summary.fields_left_out),
        "refused_examples": [asdict(refusal) for refusal in summary.examples],
        "published_before": summary.before,
        "shrinking": site.shrinking,
        "unescaped": summary.unescaped,
        "deprecated_images": summary.deprecated,
        "feed": None if summary.feed is None else asdict(summary.feed),
        "stable": _stable(summary),
        "notes": list(site.notes),
        "robots": {
            "path": site.robots.path,
            "host": site.robots.host,
            "lines": list(site.robots.lines),
            "changed": site.robots.changed,
        },
    }


def _stable(summary: Summary) -> dict[str, object] | None:
    """Return what happened to the parts and their URLs; None if the layout is not stable."""
    if summary.stable is None or summary.part_counts is None:
        return None
    changes = summary.stable
    return {
        "parts": asdict(summary.part_counts),
        "kept": changes.kept,
        "added": changes.added,
        "removed": changes.removed,
        "regrouped": changes.regrouped,
        "outgrown": changes.outgrown,
        "merged": changes.merged,
        "merges": [{"part": merge.part, "into": list(merge.into)} for merge in changes.merges],
        "ledger_note": summary.ledger_note or None,
    }


def _files(files: Sequence[File]) -> list[dict[str, object]]:
    return [asdict(file) for file in files]
