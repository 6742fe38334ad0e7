"""What the tests of the writer share: judging what was written with every rule that runs by default."""

from __future__ import annotations

from pathlib import Path

import urlset

BASE = "https://example.com/"


def complaints(folder: Path) -> list[tuple[str, str]]:
    """Errors and warnings that `urlset validate` has about the files of a folder."""
    targets = [path for path in sorted(folder.iterdir()) if path.is_file()]
    report = urlset.validate(targets, threads=1)
    return [
        (finding.rule.code, finding.examples[0].value or "")
        for finding in report.findings
        if finding.rule.severity in ("error", "warning")
    ]


def contents(folder: Path) -> dict[str, bytes]:
    """The published files and their bytes."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
