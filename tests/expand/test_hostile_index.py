"""An index of everything that goes wrong: each child is a named finding at its entry, and nothing hangs."""

from __future__ import annotations

from typing import Any

import pytest

import urlset
from urlset.options.fields import ReadFields

QUICK: ReadFields = {
    "timeout": 1.0, "read_timeout": 0.4, "connect_timeout": 0.4, "max_document_bytes": 1_000_000, "max_redirects": 5,
    "retries": 0, "cache": False, "concurrency": 40, "allow_private": True,
}  # fmt: skip

# What a child does, the rule that says so, and how many of its URLs are read.
CHILDREN: list[tuple[str, str | None, int | None]] = [
    ("silent", "FET008", None),
    ("slow-headers", "FET008", None),
    ("slow-body", "FET008", None),
    ("stops-in-body", "FET008", 1),
    ("continues", "FET008", None),
    ("hangs-up", "FET007", None),
    ("resets", "FET007", None),
    ("resets-in-body", "FET007", 1),
    ("too-little", "FET007", 1),
    ("chunk-cut", "FET007", 1),
    ("gzip-cut", "FET007", 26),
    ("endless", "FET010", 35_714),
    ("huge-header", "FET010", None),
    ("many-headers", "FET010", None),
    ("nonsense", "FET014", None),
    ("bad-chunk", "FET014", None),
    ("bad-second-chunk", "FET014", 1),
    ("not-zstd", "FET014", None),
    ("itself", "FET011", None),
    ("circle", "FET011", None),
    ("unique?0", "FET011", None),
    ("to-ftp", "FET012", None),
    ("to-bad-port", "FET012", None),
    ("no-location", "FET012", None),
    ("not-found", "FET001", None),
    ("moved", "FET017", 1),
    ("lying-type", None, 1),
    ("dated", None, 1),
]


@pytest.fixture
def listed(site: Any, hostile: Any) -> Any:
    entries = "\n".join(f"<sitemap><loc>{hostile.url}/{name}</loc></sitemap>" for name, _, _ in CHILDREN)
    site.put(
        "/index.xml", f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}\n</sitemapindex>'
    )
    return site


def test_every_outcome_is_a_finding_at_its_entry(listed: Any, hostile: Any) -> None:
    report = urlset.validate(f"{listed.url}/index.xml", expand=True, select=["FET"], max_examples=50, **QUICK)
    by_line: dict[int, set[str]] = {}
    for finding in report.findings:
        for example in finding.examples:
            if finding.rule.code not in ("FET020", "FET021") and example.line is not None:
                by_line.setdefault(example.line, set()).add(finding.rule.code)
    expected = {line: {code} for line, (_, code, _) in enumerate(CHILDREN, start=2) if code}
    assert by_line == expected
    [lying] = [finding for finding in report.findings if finding.rule.code == "FET019"]
    assert report.document_url(lying.document_id) == f"{hostile.url}/lying-type"
    entries = {str(row["url"]).removeprefix(f"{hostile.url}/"): row["entries"] for row in report.documents[1:]}
    assert {name: count for name, count in entries.items() if count is not None} == {
        name: count for name, _, count in CHILDREN if count is not None
    }
    assert report.unreadable == ()


def test_a_server_that_is_gone_or_overloaded(site: Any) -> None:
    site.put("/busy.xml", b"", 429)
    site.put("/down.xml", b"", 503)
    entries = "".join(
        f"\n<sitemap><loc>{loc}</loc></sitemap>"
        for loc in (f"{site.url}/busy.xml", f"{site.url}/down.xml", "http://127.0.0.1:1/a.xml")
    )
    site.put(
        "/index.xml", f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}\n</sitemapindex>'
    )
    # No server here keeps anybody waiting, so time decides nothing.
    patient: ReadFields = {**QUICK, "timeout": 60.0, "read_timeout": 60.0, "connect_timeout": 60.0}
    report = urlset.validate(f"{site.url}/index.xml", expand=True, select=["FET"], **patient)
    found = {(f.rule.code, example.line) for f in report.findings for example in f.examples}
    assert {("FET004", 2), ("FET002", 3), ("FET006", 4)} <= found


def test_a_body_that_breaks_off_is_read_as_far_as_it_came(hostile: Any) -> None:
    report = urlset.validate(f"{hostile.url}/resets-in-body", **QUICK)
    [row] = report.documents
    assert (row["entries"], row["complete"], row["error_kind"]) == (1, False, "cut-off")
    assert "FET007" in {finding.rule.code for finding in report.findings}
    assert report.unreadable == ()
