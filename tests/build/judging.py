"""What the tests of the writer share: judging what was written with every rule that runs by default."""

from __future__ import annotations

from pathlib import Path

import urlset

BASE = "https://example.com/"


OF_THE_USER = {
    "LOC008": "a URL is left as it is given, with its fragment and its escapes",
    "LOC011": "what looks encoded twice may be meant so",
    "LOC016": "dots and empty segments of a path are left as they are given",
    "DUP002": "that two URLs are nearly alike is for the user to say",
    "HRL007": "the pages that are linked with each other come in a group, or bring their links themselves",
    "IDX009": "whose hosts may list each other is settled in a robots.txt",
}
"""Rules about what the entries say of each other: the writer writes all of them, and invents none."""


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
