"""Runs every case of `cases/*.toml`: a document before and after, what was repaired, and what was left out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.cases import case_table

import urlset
from urlset.model.fix import FixedDocument, FixOutcome

CASES = Path(__file__).parent / "cases"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
BODIES = {"entries", "index_entries", "document"}
KEYS = {"about", "rules", "repairs", "left_out", "after", "base_url", "cut_off", "encoding", "ignore_counts"}


class Case(NamedTuple):
    """One case: where it stands, and the table as written."""

    name: str
    data: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.name}: {self.data['about']}"

    def whole(self, body: str) -> str:
        """The document around a body. The first line break of a document only sets it off in the file."""
        if "document" in self.data:
            return body.removeprefix("\n")
        root = "urlset" if "entries" in self.data else "sitemapindex"
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {NAMESPACES}>{body}\n</{root}>\n'

    @property
    def before(self) -> bytes:
        (body,) = BODIES & self.data.keys()
        return self.whole(self.data[body]).encode(self.data.get("encoding", "utf-8"))

    @property
    def after(self) -> bytes:
        return self.whole(self.data["after"]).encode() if "after" in self.data else self.before


def cases() -> Iterator[Case]:
    for path in sorted(CASES.glob("*.toml")):
        for data in tomllib.loads(path.read_text("utf-8"))["case"]:
            yield Case(path.stem, data)


ALL_CASES = tuple(cases())
each_case = case_table("case", ALL_CASES)


def fixed(case: Case, content: bytes) -> FixedDocument:
    (document,) = urlset.fix(content, base_url=case.data.get("base_url")).documents
    return document


@each_case
def test_case_is_written_right(case: Case) -> None:
    assert len(BODIES & case.data.keys()) == 1
    assert case.data.keys() <= BODIES | KEYS


@each_case
def test_the_document_is_repaired_so(case: Case) -> None:
    document = fixed(case, case.before)
    assert document.content is not None
    assert document.content.decode() == case.after.decode()
    assert [omission.kind for omission in document.omissions] == case.data.get("left_out", [])
    assert document.omitted == len(document.omissions)
    assert document.cut_off is case.data.get("cut_off", False)
    repairs = {repair.kind: repair.count for repair in document.repairs}
    for kind, count in case.data.get("repairs", {}).items():
        assert repairs.get(kind) == count or case.data.get("ignore_counts"), repairs
    is_same = case.before == case.after
    assert document.outcome is (FixOutcome.RIGHT if is_same else FixOutcome.REPAIRED), repairs


@each_case
def test_a_second_time_changes_nothing(case: Case) -> None:
    document = fixed(case, case.after)
    assert (document.outcome, document.content) == (FixOutcome.RIGHT, case.after)


@pytest.mark.long("slow cases")
@case_table("case", [case for case in ALL_CASES if "rules" in case.data])
def test_the_rules_it_is_about_had_something_to_say(case: Case) -> None:
    before, after = (counts(content, case.data["rules"]) for content in (case.before, case.after))
    assert all(after.get(code, 0) < before.get(code, 0) for code in case.data["rules"]), (before, after)


def counts(content: bytes, select: list[str]) -> dict[str, int]:
    report = urlset.validate(content, select=select, now=NOW)
    return {finding.rule.code: finding.count for finding in report.findings}
