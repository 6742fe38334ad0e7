"""What is indexable at its listed URL: one definition, in the store, in every report, and in `urlset pages`."""

from __future__ import annotations

import csv
import io
import json
import re
import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import pytest

from urlset import _core, api
from urlset.cli.main import main
from urlset.database.connections import batches, connect
from urlset.engine.page_verdicts import with_verdicts
from urlset.errors import ExitCode, InputError, UsageError
from urlset.model.audit import AuditResult
from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.pipeline.pages import page_list
from urlset.pipeline.report_page import page_of_run
from urlset.report.formats import render
from urlset.store.file import Store
from urlset.tables import PAGES
from urlset.web.indexability import OF_OTHERS, ROBOTS_UNREACHABLE, PageReason
from urlset.web.systems import SettingKind, settings

ROOT = Path(__file__).parents[2]
EXAMPLE = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))

Audited: TypeAlias = tuple[AuditResult, Path, str]

URL = "https://example.com/a"
OTHER = "https://example.com/b"
GOOD: Mapping[str, Any] = {
    "status": 200,
    "final_url": URL,
    "fetched_at": 2_000_000_000_000_000,
    "canonical_is_self": True,
    "content_type": "text/html; charset=utf-8",
    "words": 80,
    "complete": True,
}

CASES: Mapping[str, tuple[Mapping[str, Any], PageReason | None]] = {
    "a good page": ({}, None),
    "without a canonical": ({"canonical_is_self": None}, None),
    "too large to be read completely": ({"error_kind": "too-large", "complete": False}, None),
    "a PDF": ({"content_type": "application/pdf"}, None),
    "it expires later": ({"unavailable_after_at": 2_000_000_000_000_001}, None),
    "it reloads itself": ({"refresh_url": URL, "refresh_seconds": 0.0}, None),
    "it leads elsewhere after a minute": ({"refresh_url": OTHER, "refresh_seconds": 60.0}, None),
    "robots.txt": ({"status": None, "skipped": "robots", "blocked_by": "line 2: /a"}, PageReason.BLOCKED_BY_ROBOTS),
    "robots.txt, although it was requested": ({"blocked_by": "line 2: /a"}, PageReason.BLOCKED_BY_ROBOTS),
    "robots.txt before noindex, which nobody sees": (
        {"blocked_by": "line 2: /a", "noindex": "meta robots: noindex"},
        PageReason.BLOCKED_BY_ROBOTS,
    ),
    "not a valid URL": ({"status": None, "skipped": "invalid"}, PageReason.INVALID_URL),
    "404": ({"status": 404}, PageReason.NOT_FOUND),
    "410": ({"status": 410}, PageReason.NOT_FOUND),
    "a redirect to a 404": ({"status": 404, "hops": [OTHER]}, PageReason.NOT_FOUND),
    "500": ({"status": 500}, PageReason.SERVER_ERROR),
    "600": ({"status": 600}, PageReason.SERVER_ERROR),
    "another client error": ({"status": 451}, PageReason.OTHER_STATUS),
    "a status without a page": ({"status": 304}, PageReason.OTHER_STATUS),
    "a loop": ({"status": 302, "error_kind": "redirect-loop"}, PageReason.REDIRECT_ERROR),
    "a redirect": ({"hops": [OTHER]}, PageReason.REDIRECT),
    "a redirect to a page that refuses this client": ({"hops": [OTHER], "status": 403}, PageReason.REDIRECT),
    "a redirect to a host that does not respond": (
        {"hops": [OTHER], "status": None, "error_kind": "dns"},
        PageReason.REDIRECT,
    ),
    "an immediate meta refresh": ({"refresh_url": OTHER, "refresh_seconds": 0.0}, PageReason.CLIENT_REDIRECT),
    "noindex": ({"noindex": "meta robots: noindex"}, PageReason.NOINDEX),
    "noindex and another canonical": (
        {"noindex": "meta robots: noindex", "canonical_is_self": False},
        PageReason.NOINDEX,
    ),
    "a redirect to a noindex page": ({"hops": [OTHER], "noindex": "meta robots: noindex"}, PageReason.REDIRECT),
    "it has expired": ({"unavailable_after_at": 1_999_999_999_999_999}, PageReason.EXPIRED),
    "another canonical": ({"canonical_is_self": False}, PageReason.CANONICAL_ELSEWHERE),
    "an image": ({"content_type": "image/png"}, PageReason.NOT_HTML),
    "a redirect by script": ({"script_url": OTHER}, PageReason.CLIENT_REDIRECT),
    "a script leads back": ({"script_url": URL}, None),
    "noindex in the body": ({"body_noindex": "meta robots: noindex"}, PageReason.NOINDEX_IN_BODY),
    "noindex in the body of a page with another canonical": (
        {"body_noindex": "meta robots: noindex", "canonical_is_self": False},
        PageReason.CANONICAL_ELSEWHERE,
    ),
    "no words": ({"words": 0}, PageReason.EMPTY),
    "few words, and it reloads itself": ({"words": 2, "refresh_seconds": 0.0}, PageReason.EMPTY),
    "no words before a limit": ({"words": 0, "complete": False}, None),
    "the title of an error page": ({"title": "Page Not Found | Shop"}, PageReason.ERROR_TITLE),
    "such a title of a long page": ({"title": "Page Not Found | Shop", "words": 150}, None),
    "403": ({"status": 403}, PageReason.REFUSED),
    "429": ({"status": 429}, PageReason.REFUSED),
    "402 asks crawlers to pay": ({"status": 402}, PageReason.REFUSED),
    "no response": ({"status": None, "error_kind": "connect-timeout"}, PageReason.NO_RESPONSE),
    "robots.txt cannot be read": (
        {"status": None, "skipped": "robots", "blocked_by": ROBOTS_UNREACHABLE},
        PageReason.ROBOTS_UNREACHABLE,
    ),
    "a private address": ({"status": None, "skipped": "private"}, PageReason.PRIVATE_ADDRESS),
    "outside of the directory": ({"status": None, "skipped": "outside"}, PageReason.OUTSIDE),
    "a rule of the host that is not applied": ({"status": None, "skipped": "undecided"}, PageReason.UNDECIDED),
    "a redirect to such a page": ({"hops": [OTHER], "status": None, "skipped": "undecided"}, PageReason.REDIRECT),
    "an internal error": ({"status": None, "skipped": "internal-error"}, PageReason.NOT_CHECKED),
    "not in the directory": ({"status": None, "skipped": "no-file"}, PageReason.NOT_CHECKED),
}


def judged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    columns = [(column.name, column.type) for column in PAGES.columns]
    with connect({}, relations=True) as connection:
        connection.register("given", _core.Table.from_rows(columns, rows))
        found = [
            row
            for table in batches(connection, with_verdicts("SELECT * FROM given"), 1_000)
            for row in table.to_dicts()
        ]
    return sorted(found, key=lambda row: (row["document_id"], row["ordinal"]))


def test_the_reason_is_the_first_cause(subtests: pytest.Subtests) -> None:
    """Each page has text of its own."""
    rows = [
        {**GOOD, "document_id": 0, "ordinal": number, "url": URL, "content_hash": number, **facts}
        for number, (facts, _) in enumerate(CASES.values())
    ]
    for (name, (_, reason)), row in zip(CASES.items(), judged(rows), strict=True):
        with subtests.test(name):
            assert row["reason"] == reason
            assert row["is_indexable"] is (True if reason is None else False if reason.is_known else None)


def test_every_reason_occurs_and_has_words() -> None:
    assert {reason for _, reason in CASES.values()} == {None, *PageReason} - OF_OTHERS
    for reason in PageReason:
        assert reason.words == reason.words.strip(".")
        assert reason.fix.endswith(".")


def test_every_reason_is_documented() -> None:
    text = (ROOT / "docs/how-to/pages.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \|.*\| (false|empty) \|$", text, re.MULTILINE)
    assert dict(rows) == {reason: "false" if reason.is_known else "empty" for reason in PageReason}


def test_of_pages_with_the_same_content_the_first_is_indexable() -> None:
    same = {**GOOD, "url": URL, "content_hash": 7}
    rows = [
        {**same, "document_id": 0, "ordinal": 0, "noindex": "meta robots: noindex"},
        {**same, "document_id": 0, "ordinal": 1},
        {**same, "document_id": 0, "ordinal": 2},
        {**same, "document_id": 1, "ordinal": 0},
        {**same, "document_id": 1, "ordinal": 1, "words": 49},
        {**same, "document_id": 1, "ordinal": 2, "complete": False},
        {**same, "document_id": 1, "ordinal": 3, "hreflang_codes": ["en", "en-GB"]},
    ]
    assert [row["reason"] for row in judged(rows)] == ["noindex", None, "duplicate", "duplicate", None, None, None]


def test_of_language_versions_only_those_of_one_language_are_compared() -> None:
    def version(number: int, codes: dict[str, int]) -> dict[str, object]:
        hashes = [*codes.values()]
        page = {"url": URL, "content_hash": 7, "loc_hash": number, "final_hash": number}
        return {
            **GOOD,
            **page,
            "hreflang_codes": [*codes],
            "hreflang_hashes": hashes,
            "document_id": 0,
            "ordinal": number,
        }

    home = {"en": 1, "fr": 2, "x-default": 1}
    copy = {"EN": 3, "fr": 4, "x-default": 3}
    rows = [version(1, home), version(2, home), version(3, copy), version(4, copy), version(5, home), version(6, {})]
    assert [row["reason"] for row in judged(rows)] == [None, None, "duplicate", "duplicate", None, None]


def test_of_pages_in_other_languages_a_script_may_translate_the_same_text() -> None:
    languages = ["tr", "en-US", "TR_tr", "de", "", None]
    rows = [
        {**GOOD, "url": URL, "content_hash": 7, "html_lang": language, "document_id": 0, "ordinal": number}
        for number, language in enumerate(languages)
    ]
    expected = [None, "untranslated", "duplicate", "untranslated", "duplicate", "duplicate"]
    assert [row["reason"] for row in judged(rows)] == expected
    assert [row["is_indexable"] for row in judged(rows)] == [True, None, False, None, False, False]


def test_one_page_without_text_for_many_urls() -> None:
    shell = {**GOOD, "url": URL, "content_hash": 7, "words": 0, "has_script": True, "title": "Shop"}
    loading = {**shell, "content_hash": 8, "words": 2}
    rows = [shell, shell, {**shell, "status": 404}, shell, {**shell, "title": "Chairs"}, *[loading] * 3]
    rows = [{**row, "document_id": 0, "ordinal": number} for number, row in enumerate(rows)]
    shells = ["empty-shell", "empty-shell", "not-found", "empty-shell", "empty", *["empty-shell"] * 3]
    assert [row["reason"] for row in judged(rows)] == shells
    assert [row["reason"] for row in judged([rows[0], rows[1], rows[5], rows[6]])] == ["empty", "empty", None, None]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AuditResult, Path, str]]:
    store = tmp_path_factory.mktemp("pages") / "runs.duckdb"
    with EXAMPLE["serving"]() as site:
        yield audit([site], AuditOptions(store=store, retries=0, cache=False, select=("LOC001",))), store, site


REASONS = {
    "noindex": 3,
    "canonical-elsewhere": 2,
    "not-found": 2,
    "redirect": 2,
    "blocked-by-robots": 1,
    "client-redirect": 1,
    "duplicate": 1,
    "expired": 1,
    "not-html": 1,
    "redirect-error": 1,
    "server-error": 1,
    "empty": 1,
    "error-title": 1,
    "no-response": 1,
    "refused": 1,
}
"""What the example site has, those that are known first."""


def test_numbers_agree_everywhere(audited: Audited) -> None:
    result, store, _ = audited
    pages = result.pages
    assert pages is not None
    assert result.not_indexable is not None
    assert list(pages.reasons.items()) == list(REASONS.items())
    assert (pages.listed, pages.good.part, pages.not_indexable, pages.unknown) == (49, 29, 16, 4)
    assert len(result.not_indexable.pages) == 20
    total = api.coverage(store=store).funnel.total
    assert (total.indexable.yes, total.indexable.no, total.indexable.unknown) == (29, 16, 4)
    page = page_of_run(store)
    assert (page.pages, page.not_indexable) == (pages, result.not_indexable)
    asked = api.query("SELECT is_indexable, count(*) FROM pages GROUP BY ALL ORDER BY ALL", store).rows
    assert asked == [(False, 16), (True, 29), (None, 4)]
    line = "16 of 49 listed pages cannot be indexed; it is unknown whether 4 more can"
    for form in ("text", "markdown"):
        assert any(line in each for each in render("audit", form, result)), form
    assert line in "".join(render("report", "html", page))
    report = json.loads("".join(render("audit", "json", result)))
    assert report["pages"]["health"]["indexable"] + len(report["not_indexable"]) == report["pages"]["listed"]
    assert [report["pages"][name] for name in ("not_indexable", "unknown", "reasons")] == [16, 4, REASONS]


def test_the_text_has_a_row_per_page(audited: Audited) -> None:
    result, _, site = audited
    lines = list(render("audit", "text", result))
    gone = f"  {site}/gone  not found: 404  {site}/sitemap.xml:5:11"
    assert gone in lines
    assert any(f"10 more; list all with `urlset pages {result.store}`" in line for line in lines)


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["pages", *arguments]) == ExitCode.CLEAN
    return capsys.readouterr().out


def test_the_command(audited: Audited, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, store, site = audited
    text = listed(capsys, str(store))
    assert text.startswith("16 of 49 listed pages cannot be indexed; it is unknown whether 4 more can\n")
    assert f"{site}/lamps-by-price  same content as another listed page: {site}/lamps  " in text
    rows = list(csv.DictReader(io.StringIO(listed(capsys, str(store), "--format", "csv"))))
    assert len(rows) == 20
    assert {row["reason"] for row in rows} == REASONS.keys()
    reasons = "redirect,client-redirect,not-found"
    chosen = json.loads(listed(capsys, str(store), "--reason", reasons, "--format", "json"))
    assert [(row["url"].removeprefix(site), row["value"]) for row in chosen] == [
        ("/gone", "404"),
        ("/us", "410"),
        ("/moved", f"{site}/chairs"),
        ("/moved-twice", f"{site}/chairs"),
        ("/refreshes", f"{site}/chairs"),
    ]
    assert "No page is on a private address." in listed(capsys, str(store), "--reason", "private-address")
    every = listed(capsys, str(store), "--all", "--format", "jsonl")
    assert len(every.splitlines()) == 49
    assert [page.url for page in api.list_pages(store, reason=["server-error"])] == [f"{site}/broken"]
    with pytest.raises(UsageError, match="reason must be one of invalid-url, blocked-by-robots, not-found"):
        api.list_pages(store, reason=["broken"])
    file = tmp_path / "pages.csv"
    assert listed(capsys, str(store), "--reason", "noindex", "--format", "csv", "-o", str(file)) == ""
    assert len(file.read_text().splitlines()) == 4


def test_each_reason_has_the_settings_of_the_systems_of_its_sites(audited: Audited, tmp_path: Path) -> None:
    path = tmp_path / "made.duckdb"
    path.write_bytes(audited[1].read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE pages SET made_with = ['WordPress: its generator tag', 'Unknown: a riddle']")
    where = f"noindex in WordPress: {settings()[SettingKind.NOINDEX]['WordPress'].where}"
    for form in ("text", "llm"):
        with page_list(path) as pages:
            shown = list(render("pages", form, pages))
        assert [line for line in shown if where in line] != []
        assert not any("Unknown" in line for line in shown)
        with page_list(audited[1]) as pages:
            assert not any(where in line for line in render("pages", form, pages))


def test_without_pages_nothing_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sitemap = tmp_path / "sitemap.xml"
    sitemap.write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
    )
    store = tmp_path / "runs.duckdb"
    result = audit([str(sitemap)], AuditOptions(store=store, pages=False, score=False))
    assert result.not_indexable is None
    assert main(["pages", str(store)]) == ExitCode.UNREADABLE
    assert f"run 1 of {sitemap} requested no pages" in capsys.readouterr().err
    with pytest.raises(InputError, match="no run 2"), page_list(store, 2):
        pass


@pytest.fixture
def old(audited: Audited, tmp_path: Path) -> Path:
    """The store as an older urlset wrote it, without the verdicts."""
    path = tmp_path / "old.duckdb"
    path.write_bytes(audited[1].read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute("ALTER TABLE pages DROP COLUMN reason; ALTER TABLE pages DROP COLUMN is_indexable")
    return path


@pytest.mark.sampled(1)
@pytest.mark.parametrize("is_opened_for_writing", [False, True])
def test_a_store_of_an_older_version(old: Path, is_opened_for_writing: bool) -> None:
    if is_opened_for_writing:
        Store.create(old).close()
    with page_list(old) as pages:
        assert pages.counts == REASONS
        assert len(list(pages.rows)) == 20
    assert api.coverage(store=old).funnel.total.indexable.no == 16
    page = page_of_run(old)
    assert page.pages is not None
    assert (page.pages.not_indexable, page.pages.unknown) == (16, 4)
    asked = api.query("SELECT count(*), count(*) FILTER (NOT is_indexable) FROM pages", old)
    assert asked.rows == [(49, 16)]
