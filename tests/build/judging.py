"""What the tests of the writer share: judging what was written with every rule that runs by default."""

from __future__ import annotations

from pathlib import Path

import urlset

BASE = "https://example.com/"


OF_THE_USER = {
    "DUP002": "which of two URLs that are nearly alike is the page's, nobody knows who has not asked for both",
    "HRL007": "whether the other page links back is known at the end alone, when this one is long written",
    "IDX009": "whether robots.txt of another host names the index is not to be seen in the files",
    "NWS014": "whether the articles are of the last days depends on when one looks, and the dates of tests stay",
}
"""Rules about what entries, or hosts, say of each other: no entry is bad by itself, and the writer invents none."""


def complaints(folder: Path, *besides: str) -> list[tuple[str, str]]:
    """Errors and warnings that `urlset validate` has about the files of a folder, but for those besides."""
    targets = [path for path in sorted(folder.iterdir()) if path.is_file()]
    report = urlset.validate(targets, threads=1)
    return [
        (finding.rule.code, finding.examples[0].value or "")
        for finding in report.findings
        if finding.rule.severity in ("error", "warning") and finding.rule.code not in {*OF_THE_USER, *besides}
    ]


def contents(folder: Path) -> dict[str, bytes]:
    """The published files and their bytes."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
