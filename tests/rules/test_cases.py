"""Runs every case of `cases/*.toml`: what must raise the rule, what must not, and the traps beside it."""

from __future__ import annotations

import base64
import gzip
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import brotli
import pytest
from msgspec.structs import replace

import urlset
from urlset.model.finding import Finding
from urlset.rules import registry

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from tests import tiers
from tests.cases import case_table

from .runs import DOCUMENT_KEYS, CaseTables, combined, findings_in, repeated, run_documents, tables_of

CASES = Path(__file__).parent / "cases"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of every check."""

NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
BODIES = {"entries", "index_entries", "document", "document_base64", "documents", "run"}
WRAPPING = {"encoding", "gzip", "packed", "cut", "append", "append_base64"}
SETTINGS = {"url", "max_document_bytes", "required_urls"}
RUN = {"cuts", "stale_lastmods", "agents", "repeat", "pages", "media", "crawled", "linked", "key_files", "coverage"} | {
    "site_faults", "served", "llms_problems", "llms_links", "llms_files", "twins", "external_links", "broken_anchors",
    "log_urls", "log_crawlers", "log_sitemaps",
}  # fmt: skip
EXPECTED = {"line", "col", "count", "value", "on", "message"}

LARGE = 20_000
"""Bytes of a document above which only its own rule checks it."""

PACKED = {"zstd": zstd.compress, "br": brotli.compress}
"""Compressions that search engines do not read."""


class Case(NamedTuple):
    """One case.

    Attributes:
        code: The rule that it is about.
        sort: `fails`, `passes` or `near`.
        number: Its place among those of its sort.
        data: The table as written.
    """

    code: str
    sort: str
    number: int
    data: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.code}-{self.sort}-{self.number}: {self.data.get('about', '')}"


def cases() -> Iterator[Case]:
    for path in sorted(CASES.glob("*.toml")):
        for sort, tables in tomllib.loads(path.read_text("utf-8")).items():
            for number, data in enumerate(tables):
                yield Case(path.stem, sort, number, data)


ALL_CASES = tuple(cases())


def text_of(data: dict[str, Any]) -> str:
    """The document: entries begin in line 3, below the declaration and the root element."""
    declaration = '<?xml version="1.0" encoding="UTF-8"?>'
    if "entries" in data:
        return f"{declaration}\n<urlset {NAMESPACES}>\n{repeated(data['entries'])}\n</urlset>\n"
    if "index_entries" in data:
        return f"{declaration}\n<sitemapindex {NAMESPACES}>\n{repeated(data['index_entries'])}\n</sitemapindex>\n"
    return repeated(data["document"])


def bytes_of(data: dict[str, Any]) -> bytes:
    """The document as it would be received: encoded, packed (`gzip` times or with a codec), cut off, appended to."""
    if "document_base64" in data:
        content = base64.b64decode(data["document_base64"])
    else:
        content = text_of(data).encode(data.get("encoding", "utf-8"))
    for _ in range(int(data.get("gzip", 0))):
        content = gzip.compress(content, mtime=0)
    if "packed" in data:
        content = PACKED[data["packed"]](content)
    kept = content[: len(content) - int(data.get("cut", 0))]
    return kept + str(data.get("append", "")).encode() + base64.b64decode(data.get("append_base64", ""))


def is_alone(case: Case) -> bool:
    """Whether a case needs a run of its own: it has options, its rule compares documents, or it is large."""
    if {"run", "documents", *SETTINGS} & case.data.keys() or registry.rule(case.code).spans_run:
        return True
    return len(bytes_of(case.data)) > LARGE


@cache
def found_together(fails: bool) -> dict[str, list[Finding]]:
    """The findings of each case that needs no run of its own, where the rules of all of them check all documents.

    Args:
        fails: Whether of the cases that fail or of the others: another worker may run these.
    """
    together = [case for case in ALL_CASES if (case.sort == "fails") == fails and not is_alone(case)]
    codes = sorted({case.code for case in together})
    report = urlset.validate([bytes_of(case.data) for case in together], select=codes, now=NOW)
    assert len(report.documents) == len(together)
    found: dict[str, list[Finding]] = {str(case): [] for case in together}
    assert len(found) == len(together)
    for finding in report.findings:
        case = together[finding.document_id]
        if finding.rule.code == case.code:
            found[str(case)].append(finding)
    return found


@cache
def found_in_runs(fails: bool) -> dict[str, list[Finding]]:
    """The findings of each case that is a run and whose rule does not compare documents, all of them as one run."""
    together = [case for case in ALL_CASES if "run" in case.data and (case.sort == "fails") == fails]
    together = [case for case in together if not registry.rule(case.code).spans_run]
    # The robots.txt of a host applies to all documents of a run.
    together = [case for case in together if not any("robots" in document for document in case.data["run"])]
    parts: list[CaseTables] = []
    owners: list[tuple[Case, int]] = []
    for case in together:
        first = len(owners)
        parts.append(tables_of(case.data, bytes_of, first))
        owners += [(case, first)] * len(parts[-1].documents)
    found: dict[str, list[Finding]] = {str(case): [] for case in together}
    assert len(found) == len(together)
    for finding in findings_in(combined(parts), sorted({case.code for case in together})):
        case, first = owners[finding.document_id]
        if finding.rule.code == case.code:
            found[str(case)].append(replace(finding, document_id=finding.document_id - first))
    return found


def findings_of(case: Case, folder: Path) -> list[Finding]:
    """The findings of the case's rule, with as few runs as possible."""
    found = found_with_others(case)
    return run_case(case, folder) if found is None else found


def is_left_out(case: Case, config: pytest.Config) -> bool:
    """Whether `make test` leaves out a case; `--case` runs each that it names."""
    return not tiers.IS_LONG and not config.getoption("--case") and str(case) in further_cases(case.sort == "fails")


@cache
def further_cases(fails: bool) -> frozenset[str]:
    """The cases that need a run of their own, without the first of each rule and sort."""
    own = [case for case in ALL_CASES if (case.sort == "fails") == fails and found_with_others(case) is None]
    firsts = {(case.code, case.sort): str(case) for case in reversed(own)}
    return frozenset(map(str, own)) - frozenset(firsts.values())


def found_with_others(case: Case) -> list[Finding] | None:
    """The findings of the case's rule in a run with other cases; None if the case needs a run of its own."""
    found = found_in_runs if "run" in case.data else found_together
    return found(case.sort == "fails").get(str(case))


def run_case(case: Case, folder: Path) -> list[Finding]:
    """The findings of the case's rule alone."""
    if "run" in case.data:
        return run_documents(case.code, case.data, bytes_of)
    settings = {name: case.data[name] for name in SETTINGS & case.data.keys()}
    if "documents" not in case.data:
        report = urlset.validate(bytes_of(case.data), select=[case.code], now=NOW, **settings)
        return list(report.findings)
    for document in case.data["documents"]:
        content = bytes_of(document)
        for number in range(document.get("times", 1)):
            path = folder / document["name"].replace("№", str(number))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return list(urlset.validate(folder, select=[case.code], now=NOW, **settings).findings)


@case_table("case", ALL_CASES)
def test_case_is_written_right(case: Case) -> None:
    assert case.data.get("about")
    assert len(BODIES & case.data.keys()) == 1
    assert case.data.keys() <= {"about"} | BODIES | WRAPPING | SETTINGS | EXPECTED | RUN
    assert case.sort == "fails" or not EXPECTED & case.data.keys()
    for document in case.data.get("documents", ()):
        assert document.keys() <= {"name", "times", "document", "document_base64"} | WRAPPING
    for document in case.data.get("run", ()):
        assert document["url"]
        assert document.keys() <= DOCUMENT_KEYS


@case_table("case", [case for case in ALL_CASES if case.sort == "fails"])
def test_fails(case: Case, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    if is_left_out(case, pytestconfig):
        return
    check_findings(case, findings_of(case, tmp_path))


def check_findings(case: Case, findings: list[Finding]) -> None:
    assert findings, "the rule is not raised"
    assert {finding.rule.code for finding in findings} == {case.code}
    first = findings[0].examples[0]
    seen = {
        "line": first.line,
        "col": first.column,
        "count": sum(finding.count for finding in findings),
        "value": first.value,
        "message": first.message,
        "on": findings[0].document_id,  # only cases with several documents expect it
    }
    assert {name: seen[name] for name in EXPECTED & case.data.keys()} == {
        name: case.data[name] for name in EXPECTED & case.data.keys()
    }
    for finding in findings:
        for example in finding.examples:
            assert example.message
            assert "{" not in finding.rule.example or example.message != finding.rule.example


@case_table("case", [case for case in ALL_CASES if case.sort != "fails"])
def test_passes(case: Case, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    if is_left_out(case, pytestconfig):
        return
    assert [example.message for finding in findings_of(case, tmp_path) for example in finding.examples] == []


@pytest.mark.long("cases of rules")
@case_table("case", ALL_CASES)
def test_alone_it_is_the_same(case: Case, tmp_path: Path) -> None:
    together = found_with_others(case)
    if together is None:
        return
    alone = run_case(case, tmp_path)
    assert [(one.count, *one.examples) for one in alone] == [(one.count, *one.examples) for one in together]
