"""LOC026 suspects that a URL has no page: an audit that finds the page does not report it, and others stay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.hosting.folders import write

from urlset.options import AuditOptions
from urlset.pipeline.audit import audit

BASE = "https://example.org/"
HOME = "<title>Home</title><p>A home page with some words"


def page(name: str, head: str = "") -> str:
    return f"<title>{name}</title>{head}<p>The page {name} is about {name}, and nothing else"


FILES = {
    "index.html": HOME,
    "null/index.html": page("null"),
    "docs/undefined.html": page("undefined"),
    "NaN/index.html": page("NaN", "<meta name=robots content=noindex>"),
    "None/index.html": page("None", f"<link rel=canonical href='{BASE}'>"),
}

CASES: dict[str, tuple[list[str], dict[str, Any], list[str]]] = {
    "only pages": (["null/", "docs/undefined"], {}, []),
    "respelled": (["%6eull/"], {}, []),
    "missing": (["null/", "blog/undefined"], {}, ["blog/undefined"]),
    "noindex exists": (["NaN/"], {}, []),
    "another canonical may not be meant": (["None/", "null/"], {}, ["None/"]),
    "not requested": (["null/"], {"pages": False}, ["null/"]),
    "many": ([*(f"x/undefined?{number}" for number in range(9)), "null/"], {}, [f"x/undefined?{n}" for n in range(9)]),
}


@pytest.mark.parametrize("name", CASES)
def test_existing_pages_are_not_suspected(name: str, tmp_path: Path) -> None:
    listed, given, suspected = CASES[name]
    entries = "".join(f"<url><loc>{BASE}{path}</loc></url>" for path in ["", *listed])
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    folder = write(tmp_path / "site", {**FILES, "sitemap.xml": sitemap})
    options = AuditOptions(base_url=BASE, store=tmp_path / "s.duckdb", max_examples=20, **given)
    report = audit([str(folder)], options).report
    found = [finding for finding in report.findings if finding.rule.code == "LOC026"]
    assert [example.url for finding in found for example in finding.examples] == [BASE + path for path in suspected]
    assert sum(finding.count for finding in found) == len(suspected)
