"""Baselines of `validate` and `audit`: known findings do not count and are not shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.cli.output import complain
from urlset.errors import InputError, UsageError
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from urlset.model.report import Report


def check_options(baseline: Path | None, write: bool) -> None:
    """Check the options before anything is read.

    Raises:
        UsageError: `--write-baseline` without `--baseline`.
        ConfigError: The baseline cannot be read.
    """
    if baseline is None:
        if write:
            raise UsageError(
                "--write-baseline requires a file; add --baseline FILE, or set baseline in the configuration file"
            )
        return
    from urlset.stages import baseline as files

    if not write or baseline.exists():
        files.read(baseline)


def write_baseline(report: Report, path: Path) -> None:
    """Write the findings to the baseline, and report it. Reasons and dates of the previous baseline are kept.

    Raises:
        InputError: A target could not be read, so its entries would be lost.
        OutputError: It cannot be written.
    """
    from urlset.stages import baseline as files

    if report.unreadable:
        raise InputError(str(path), f"baseline not written: {report.unreadable[0].target} could not be read")
    names = files.names_from(path, report.document_url)
    with files.lock(path):
        previous = files.read(path) if path.exists() else []
        entries = files.entries_of(report.findings, names, previous, _today())
        files.write(path, entries)
    count = sum(not entry.covers_all for entry in entries)
    complain(f"wrote {quantity(count, 'known finding')} to {path}")


def without_known_findings(report: Report, path: Path, max_examples: int) -> Report:
    """Return the report with only its new findings, and report expired entries on standard error."""
    from urlset.stages import baseline as files

    names = files.names_from(path, report.document_url)
    outcome = files.compare(report.findings, files.read(path), names, _today())
    for entry in outcome.expired_findings:
        reason = f" ({entry.reason})" if entry.reason else ""
        complain(f"{path}: {entry.code} in {entry.document} expired on {entry.expires} and counts again{reason}")
    findings = [replace(finding, examples=finding.examples[:max_examples]) for finding in outcome.new_findings]
    return replace(report.without(findings, "known: it is in the baseline"), known=outcome.known_count)


def _today() -> date:
    from datetime import UTC, datetime

    return datetime.now(UTC).date()
