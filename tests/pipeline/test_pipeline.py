"""The whole way from targets to results: folders, order, what is left out, histograms."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import urlset
from urlset.engine.user_query import QueryDatabase
from urlset.errors import Unreadable
from urlset.options import InspectOptions, ValidateOptions
from urlset.pipeline import validate as pipeline
from urlset.pipeline.inspect import histogram, inspect, iter_urls
from urlset.pipeline.sql import load
from urlset.stages import buffered, document_judge
from urlset.text.progress import ProgressEvent

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def sitemap(*locs: str) -> bytes:
    return f"<urlset {XMLNS}>{''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)}</urlset>".encode()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder as a site generator leaves it: sitemaps among much else."""
    (tmp_path / "sitemap.xml").write_bytes(sitemap("https://example.com/", "https://example.com/a"))
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "sitemap-b.xml.gz").write_bytes(gzip.compress(sitemap("https://example.com/b")))
    (tmp_path / "maps" / "urls.txt").write_text("https://example.com/c\n")
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow:\n")
    (tmp_path / "browserconfig.xml").write_text("<browserconfig><msapplication/></browserconfig>")
    (tmp_path / "index.html").write_text("<!doctype html><title>x</title>")
    (tmp_path / "sitemap-broken.xml").write_text("<!doctype html><title>404</title>")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "sitemap.xml").write_bytes(sitemap("https://example.com/hidden"))
    return tmp_path


def test_lines_of_a_text_sitemap_that_are_no_urls_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# pages\nhttps://example.com/a\nTralala\n\nhttps://example.com/b c\n")
    (tmp_path / "b.xml").write_text("<urlset><url><loc>/a</loc></url><loc>/b</loc></urlset>")
    (tmp_path / "c.txt").write_text("https://example.com/c\n")
    lines: dict[str, int] = {}
    unreadable: list[Unreadable] = []
    targets = [str(tmp_path / name) for name in ("a.txt", "b.xml", "c.txt")]
    urls = list(iter_urls(targets, InspectOptions(), unreadable.append, lines.__setitem__))
    assert urls == ["https://example.com/a", "https://example.com/b c", "/a", "/b", "https://example.com/c"]
    assert (lines, unreadable) == ({targets[0]: 2}, [])


def test_a_folder_gives_its_sitemaps_in_order(site: Path) -> None:
    report = inspect([str(site)])
    assert [(Path(str(d.facts["url"])).name, d.facts["kind"], d.facts["site_path"]) for d in report.documents] == [
        ("sitemap-broken.xml", "html", "/sitemap-broken.xml"),
        ("sitemap.xml", "urlset", "/sitemap.xml"),
        ("sitemap-b.xml.gz", "urlset", "/maps/sitemap-b.xml.gz"),
        ("urls.txt", "text", "/maps/urls.txt"),
    ]
    assert not report.unreadable
    assert [(Path(one.target).name, one.kind) for one in report.skipped] == [
        ("browserconfig.xml", "xml"),
        ("robots.txt", "robots"),
    ]


@pytest.mark.parametrize("content", ["", "{}", "<!doctype html><title>404</title>"])
def test_what_pretends_to_be_xml_is_not_left_out(tmp_path: Path, content: str) -> None:
    (tmp_path / "pages.xml").write_text(content)
    report = urlset.validate(tmp_path)
    assert [finding.rule.code for finding in report.findings] == ["STR001"]
    assert not report.skipped


TEXTS = {
    "app.js.LICENSE.txt": ("/*!\n * Lib v1\n */\nhttps://example.net/licence\n", False),
    "llms-full.txt": ("# Docs\n" + "A line about https://example.com/a\nhttps://example.com/b\n" * 5, False),
    "paths.txt": ("/a\n/b\n", False),
    "urls.txt": ("https://example.com/a\n" * 9 + "https://example.com/a b\n# end\n", True),
    "sitemap-de.txt": ("/a\n/b\n", True),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_file_of_a_folder_is_a_sitemap_by_its_name_or_by_its_lines(tmp_path: Path, name: str) -> None:
    content, is_sitemap = TEXTS[name]
    (tmp_path / name).write_text(content)
    assert [one.kind for one in urlset.validate(tmp_path).skipped] == ([] if is_sitemap else ["text"])
    assert not urlset.validate(tmp_path / name).skipped


def test_a_file_given_by_name_is_never_left_out(site: Path) -> None:
    (document,) = inspect([str(site / "browserconfig.xml")]).documents
    assert document.facts["kind"] == "xml"


def test_an_empty_folder_is_unreadable(tmp_path: Path) -> None:
    report = inspect([str(tmp_path), "gone.xml"])
    assert [one.target for one in report.unreadable] == [str(tmp_path), "gone.xml"]
    assert "no file in this directory ends in .xml" in report.unreadable[0].reason


def test_urls_are_streamed_in_order(site: Path) -> None:
    failed: list[Unreadable] = []
    urls = list(iter_urls([str(site / "sitemap.xml"), "gone.xml", str(site / "maps")], InspectOptions(), failed.append))
    assert urls == [f"https://example.com/{path}" for path in ("", "a", "b", "c")]
    assert [one.target for one in failed] == ["gone.xml"]
    assert list(iter_urls([str(site / "index.html")], InspectOptions(), failed.append)) == []
    assert failed[-1].reason == "not a sitemap, but html"


def test_urls_that_are_not_all_are_said_to_be_so(tmp_path: Path) -> None:
    failed: list[Unreadable] = []
    whole = b"https://example.com/1\nhttps://example.com/2\nhttps://example.com/3\n"
    (tmp_path / "bounded.txt").write_bytes(whole)
    (tmp_path / "cut.txt.gz").write_bytes(gzip.compress(whole * 1000)[:-30])
    (tmp_path / "cut.xml").write_bytes(sitemap("https://example.com/a", "https://example.com/b")[:-40])
    options = InspectOptions(max_document_bytes=50)
    # The half line at the bound is no URL, although it looks like one.
    assert list(iter_urls([str(tmp_path / "bounded.txt")], options, failed.append)) == [
        "https://example.com/1",
        "https://example.com/2",
    ]
    assert failed.pop().reason == "only the first 50 bytes were read; raise the limit with --max-document-bytes"
    urls = list(iter_urls([str(tmp_path / "cut.txt.gz")], InspectOptions(), failed.append))
    assert urls
    assert set(urls) <= {f"https://example.com/{number}" for number in (1, 2, 3)}
    assert failed.pop().reason.startswith("it is cut off or damaged")
    assert list(iter_urls([str(tmp_path / "cut.xml")], InspectOptions(), failed.append)) == ["https://example.com/a"]
    assert failed.pop().reason.startswith("it is cut off or damaged")


def test_documents_are_numbered_in_the_order_of_the_targets(tmp_path: Path) -> None:
    names = [f"{number:02d}.txt" for number in range(30)]
    for number, name in enumerate(names):
        # Of very different sizes, so that the readers finish out of order.
        (tmp_path / name).write_text("https://example.com/\n" * (1 if number % 2 else 20_000))
    report = urlset.validate(tmp_path)
    assert [Path(str(row["url"])).name for row in report.documents] == names
    assert [row["document_id"] for row in report.documents] == list(range(30))
    assert not report.skipped
    repeated = [finding for finding in report.findings if finding.rule.code == "DUP001"]
    assert [(finding.document_id, finding.count) for finding in repeated] == [(n, 19_999) for n in range(0, 30, 2)]


def test_chunks_do_not_change_the_findings(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (site / "faulty.xml").write_bytes(sitemap("/a", "https://example.com/", "https://example.com/") * 2)
    whole = urlset.validate(site)
    monkeypatch.setattr(document_judge, "CHUNK_DOCUMENTS", 1)
    by_one = urlset.validate(site)
    assert len(whole.findings) > 3
    assert by_one.findings == whole.findings


def test_a_document_too_large_to_be_held_gives_the_same_findings(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locs = [f"https://example.com/{number % 20_000}" for number in range(40_000)]
    (site / "large.xml").write_bytes(sitemap("/a", *locs, "https://other.example/", "https://example.com/?a&b"))
    held = urlset.validate(site)
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", 100)
    loaded = urlset.validate(site)
    codes = {finding.rule.code for finding in loaded.findings}
    assert {"LOC001", "LOC007", "DUP001", "XML002"} <= codes
    assert loaded.findings == held.findings


class Breaking:
    """A file that gives sixty thousand URLs and then fails."""

    def __init__(self) -> None:
        self.pieces = [b"https://example.com/\n" * 20_000] * 3

    def read(self, size: int, /) -> bytes:
        if not self.pieces:
            raise OSError(5, "Input/output error")
        return self.pieces.pop()


def test_a_large_document_that_breaks_off_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", 100)
    report = urlset.validate([Breaking(), b"https://example.com/"])
    assert [one.reason for one in report.unreadable] == ["cannot be read: input/output error"]
    # What had been read of it is not taken for the next document's.
    assert [row["entries"] for row in report.documents] == [1]
    assert not report.findings


@pytest.mark.parametrize("table", ["urls", "findings"])
def test_a_large_document_that_breaks_off_leaves_no_rows(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffered, "MAX_BUFFERED_ROWS", 100)
    sql = f"select count(*), count(distinct document_id) from urls where (select count(*) from {table}) >= 0"
    with QueryDatabase(sql) as query:
        unreadable, _ = load(query, [b"/a", Breaking(), b"https://example.com/"], ValidateOptions())
        assert [one.reason for one in unreadable] == ["cannot be read: input/output error"]
        assert list(query.run().rows) == [(2, 2)]


def test_progress_is_told_of_every_document(site: Path) -> None:
    told: list[ProgressEvent] = []
    report = pipeline.validate([str(site), "gone.xml"], ValidateOptions(), told.append)
    assert [step.done for step in told] == list(range(1, len(told) + 1))
    assert {step.known for step in told} == {len(told)}
    assert told[-1].name == "gone.xml"
    assert told[-1].urls == report.summary.urls
    assert told[-1].bytes == sum(int(str(row["bytes"])) for row in report.documents)


def test_the_url_given_is_the_one_compared_with() -> None:
    document = sitemap("https://example.com/")
    assert not [
        f for f in urlset.validate(document, url="https://example.com/sitemap.xml").findings if f.rule.code == "LOC007"
    ]
    assert [
        f for f in urlset.validate(document, url="https://example.org/sitemap.xml").findings if f.rule.code == "LOC007"
    ]


@pytest.mark.parametrize(
    ("months", "bars"),
    [
        ([], ()),
        ([(2025, 3, 7)], (("2025-03", 7),)),
        ([(2024, 12, 1), (2025, 2, 3)], (("2024-12", 1), ("2025-01", 0), ("2025-02", 3))),
        ([(2020, 5, 1), (2020, 6, 1), (2022, 1, 5)], (("2020", 2), ("2021", 0), ("2022", 5))),
        (
            [(2000, 1, 1), (2012, 1, 2)],
            (*((f"{y}-{y + 1}", 1 if y == 2000 else 0) for y in range(2000, 2012, 2)), ("2012", 2)),
        ),
        (
            [(1970, 1, 1), (2025, 1, 20), (2025, 2, 30), (2099, 1, 2)],
            (("earlier", 1), ("2025-01", 20), ("2025-02", 30), ("later", 2)),
        ),
    ],
)
def test_histogram(months: list[tuple[int, int, int]], bars: tuple[tuple[str, int], ...]) -> None:
    assert histogram(months) == bars


def test_a_histogram_has_at_most_a_dozen_bars_and_loses_nothing() -> None:
    for last in range(1971, 2100):
        months = [(year, 1, year) for year in range(1970, last)]
        bars = histogram(months)
        assert len(bars) <= 12
        assert sum(count for _, count in bars) == sum(count for *_, count in months)
