"""From targets to a run kept in a store: documents go in as they pass on their way to the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from urlset.documents import Facts
from urlset.pipeline.passing import Passing
from urlset.pipeline.validate import validate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urlset.config import Progress, ValidateOptions
    from urlset.errors import Unreadable
    from urlset.model.document import LeftOut
    from urlset.model.report import Report
    from urlset.net.trust import Trust
    from urlset.sources import Target
    from urlset.store.run import Run

LISTING_TABLES = dict.fromkeys(("runs", "documents", "urls", "children", "findings"))
"""The tables that say what is listed, and what is wrong with it."""


def passing_into(run: Run) -> Passing:
    """What puts documents into a run as they pass; they are committed together, about once a second."""
    return Passing(run, run.offer_commit)


def keep_judged(
    run: Run,
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
    trust: Trust | None = None,
) -> Report:
    """Reads and judges targets, and keeps everything in a run.

    Args:
        run: Where it goes.
        targets: What to read.
        options: How to read, and which rules to run.
        progress: Told after each document.
        trust: Whom the user trusts; the targets unless given.

    Returns:
        The report, as `validate` gives it.

    Raises:
        OutputError: The store cannot be written.
    """
    report = validate(targets, replace(options, xsd=None), progress, watch=passing_into(run).watch, trust=trust)
    run.add_documents(report.documents)
    finish_judged(run, report, {})
    return report


def finish_judged(run: Run, report: Report, more: Mapping[str, int]) -> None:
    """Commits what was found, and that a run came to its end.

    Args:
        run: The run, which has its documents.
        report: What was found.
        more: Further numbers of its row of `runs`.

    Raises:
        OutputError: The store cannot be written.
    """
    run.add_findings(report.findings, report.document_urls)
    summary = report.summary
    numbers = {name: getattr(summary, name) for name in ("documents", "urls", "errors", "warnings", "infos")}
    run.finish({**numbers, **more})


def keep_listed(
    run: Run,
    targets: Sequence[Target],
    options: ValidateOptions,
    progress: Progress | None = None,
    trust: Trust | None = None,
) -> tuple[Sequence[Unreadable], Sequence[LeftOut]]:
    """Reads targets and keeps what they list in a run; no rule is run.

    Args:
        run: Where it goes.
        targets: What to read.
        options: How to read.
        progress: Told after each document.
        trust: Whom the user trusts; the targets unless given.

    Returns:
        What could not be read, and which files of folders were left out.

    Raises:
        OutputError: The store cannot be written.
    """
    rows: list[Facts] = []
    unread = passing_into(run).read(targets, options.read, progress, lambda facts: rows.append(Facts(facts)), trust)
    run.add_documents(rows)
    urls = sum(int(row["entries"] or 0) for row in rows if row["kind"] != "sitemapindex")
    run.finish({"documents": len(rows), "urls": urls})
    return unread
