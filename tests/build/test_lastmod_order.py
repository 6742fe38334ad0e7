"""Who says when a page was changed: in the order that the user sets, and nobody makes a date up."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from tests.loopback import served

import urlset
from urlset.build.sources.lastmod_resolver import LastmodResolver, PageDates
from urlset.build.sources.page_store import PageStore
from urlset.build.sources.source import SiteLog
from urlset.cli.main import main
from urlset.options.sources import LastmodSource

BASE = "https://example.com"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
OLD_NS = 1_700_000_000 * 10**9
"""2023-11-14, long enough ago for the store to trust it."""

WRITTEN_NS = 1_612_346_400 * 10**9
"""2021-02-03."""

BUILD = ["build", "html:public", "--base-url", BASE, "-o", "out", "--no-config", "--lastmod-from"]

Build = Callable[..., dict[str, str | None]]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "public").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return tmp_path


@pytest.fixture
def build(site: Path) -> Build:
    def run(order: str, *more: str) -> dict[str, str | None]:
        assert main([*BUILD, order, *more]) == 0
        entries = urlset.read("out/sitemap.xml")
        return {str(entry.loc).removeprefix(f"{BASE}/"): entry.lastmod for entry in entries}

    return run


def put(name: str, text: str = "text", modified: str = "", mtime_ns: int = OLD_NS) -> None:
    head = f'<meta property="article:modified_time" content="{modified}">' if modified else ""
    path = Path("public", name)
    path.write_text(f"<title>T</title>{head}<nav>menu {text[::-1]}</nav><main><p>{text}</main>")
    os.utime(path, ns=(mtime_ns, mtime_ns))


def git(*arguments: str, at: str = "2024-05-06T10:00:00Z") -> None:
    environment = {**os.environ, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    who = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True, env=environment)


def test_the_first_that_knows_decides(build: Build) -> None:
    put("a.html", modified="2024-01-02T03:04:05Z")
    put("b.html")
    assert build("page,mtime") == {"a.html": "2024-01-02", "b.html": "2023-11-14"}
    assert build("mtime,page") == {"a.html": "2023-11-14", "b.html": "2023-11-14"}
    assert build("page") == {"a.html": "2024-01-02", "b.html": None}
    assert build("given") == {"a.html": None, "b.html": None}


@pytest.mark.parametrize("value", ["yesterday", "2999-01-01", "", "2024-13-01"])
def test_what_a_page_cannot_mean_is_no_date(build: Build, value: str) -> None:
    put("a.html", modified=value or " ")
    assert build("page") == {"a.html": None}


def test_git_knows_the_last_commit_of_each_file(build: Build) -> None:
    git("init", "-q", ".")
    put("a ü.html")
    put("b.html")
    git("add", ".")
    git("commit", "-qm", "first", at="2024-05-06T10:00:00Z")
    put("b.html", "other")
    git("commit", "-qam", "second", at="2024-06-07T10:00:00Z")
    put("new.html")
    assert build("git") == {"a%20%C3%BC.html": "2024-05-06", "b.html": "2024-06-07", "new.html": None}
    # What is changed and not committed is not what the commit was of.
    put("b.html", "once more")
    assert build("git")["b.html"] is None


def test_pages_that_git_ignores_need_the_dates_of_their_sources(
    build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    git("init", "-q", ".")
    Path(".gitignore").write_text("public/\n")
    Path("content").mkdir()
    git("add", ".gitignore")
    git("commit", "-qm", "first")
    put("a.html")
    note = "  note: git has no files of public, which .gitignore may name, and so no dates; those of its sources come "
    note += "from --content DIR --lastmod-from git-text"
    for order, *more in (("git",), ("git-text",), ("page,git,git-text",), ("git-text", "--content", "content")):
        assert build(order, *more) == {"a.html": None}
        assert capsys.readouterr().out.splitlines().count(note) == (0 if more else 1), order
    put("a.html", modified="2024-01-02")
    assert build("page,git") == {"a.html": "2024-01-02"}
    assert note not in capsys.readouterr().out


def test_a_shallow_clone_is_no_source(build: Build, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git("init", "-q", "origin")
    (site / "origin" / "a.html").write_text("<p>text")
    git("-C", "origin", "add", ".")
    git("-C", "origin", "commit", "-qm", "first")
    (site / "origin" / "b.html").write_text("<p>text")
    git("-C", "origin", "add", ".")
    git("-C", "origin", "commit", "-qm", "second")
    Path("public").rmdir()
    git("clone", "-q", "--depth", "1", f"file://{site}/origin", "public")
    assert build("git") == {"a.html": None, "b.html": None}
    out = capsys.readouterr().out
    assert "shallow" in out
    assert "fetch-depth: 0" in out


def test_the_date_moves_only_when_the_main_text_does(build: Build) -> None:
    put("a.html", "first text")
    put("b.html", "b")
    assert build("content") == {"a.html": None, "b.html": None}
    # The time of the file and the navigation are no content.
    put("a.html", "first text", modified="2024-01-01", mtime_ns=OLD_NS + 10**9)
    assert build("content")["a.html"] is None
    put("a.html", "second text", mtime_ns=OLD_NS + 2 * 10**9)
    today = build("content")["a.html"]
    assert today is not None
    assert build("content") == {"a.html": today, "b.html": None}
    # Whoever decides, it remembers which text it saw.
    put("b.html", "c", mtime_ns=OLD_NS + 3 * 10**9)
    assert build("page")["b.html"] is None
    assert build("content")["b.html"] == today


def test_a_list_has_its_own_dates(site: Path) -> None:
    Path("x.csv").write_text("loc,lastmod\n/a,2025-11-14\n")
    arguments = ["build", "x.csv", "--base-url", BASE, "-o", "out"]
    for order, wanted in (("given", "2025-11-14"), ("page,git", None)):
        assert main([*arguments, "--lastmod-from", order]) == 0
        assert [entry.lastmod for entry in urlset.read("out/sitemap.xml")] == [wanted]


def test_it_is_explained(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put("a.html", modified="2024-01-02T03:04:05Z")
    put("b.html")
    put("c.html")
    Path("public/c.html").write_text('<meta name="robots" content="noindex">')
    arguments = ["build", "public", "--base-url", BASE, "-o", "out", "--lastmod-from", "given,page,mtime"]
    assert main([*arguments, "--explain-lastmod", f"{BASE}/a.html"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "https://example.com/a.html: 2024-01-02 03:04:05+00:00"
    words = [line.split()[:2] for line in lines[1:]]
    assert words == [["given", "unknown:"], ["used", "page"], ["mtime", "2023-11-14"]]
    assert not Path("out").exists()
    assert main([*arguments[:-1], "given,page", "--explain-lastmod", f"{BASE}/b.html"]) == 0
    assert "No source had a date; lastmod omitted." in capsys.readouterr().out
    assert main([*arguments, "--explain-lastmod", f"{BASE}/c.html"]) == 1
    assert "https://example.com/c.html: left out: has noindex." in capsys.readouterr().out
    assert main([*arguments, "--explain-lastmod", f"{BASE}/d.html"]) == 1
    assert "https://example.com/d.html: not found in any source." in capsys.readouterr().out


@pytest.mark.parametrize("name", ["x.csv", "x.txt", "x.jsonl"])
def test_it_is_explained_for_lists(site: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    content = {"x.csv": "loc,lastmod\n/a,2025-11-14\n", "x.txt": "/a\n", "x.jsonl": '{"loc": "/a"}\n'}[name]
    Path(name).write_text(content)
    assert main(["build", name, "--base-url", BASE, "-o", "out", "--explain-lastmod", f"{BASE}/a"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{BASE}/a: {'2025-11-14' if name == 'x.csv' else 'unknown'}\n")


def _shallow_clone(site: Path) -> None:
    """Clone a repository with an old page, one changed in the newest commit, and one changed after the publication."""
    git("init", "-q", "origin")
    for name in ("old", "gone", "new"):
        (site / "origin" / f"{name}.html").write_text(f"<main>Text of {name}")
    git("-C", "origin", "add", ".")
    git("-C", "origin", "commit", "-qm", "first")
    (site / "origin" / "new.html").write_text("<main>Other text")
    git("-C", "origin", "commit", "-qam", "second", at="2025-01-01T10:00:00Z")
    Path("public").rmdir()
    git("clone", "-q", "--depth", "2", f"file://{site}/origin", "public")


def _published(folder: Path, base: str) -> None:
    entries = "".join(
        f"<url><loc>{base}/{name}.html</loc><lastmod>2021-02-03</lastmod></url>" for name in ("old", "gone", "new")
    )
    (folder / "sitemap.xml").write_text(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    )


def test_dates_are_kept_where_the_history_ends_if_the_text_is_the_same(
    build: Build, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _shallow_clone(site)
    assert build("git-text") == {"gone.html": None, "new.html": "2025-01-01", "old.html": None}
    out = capsys.readouterr().out
    assert "the clone is shallow: 2 source files without a date; fetch the full history" in out
    _published(site, BASE)
    # The last build recorded the texts without a date: that of the publication may be that of another text.
    assert build("git-text", "--previous", "sitemap.xml")["old.html"] is None
    assert "note: dates kept from sitemap.xml: 0 of 2; of the other pages, 2 are of unknown text" in (
        capsys.readouterr().out
    )
    for name in ("old", "gone"):
        os.utime(f"public/{name}.html", ns=(WRITTEN_NS, WRITTEN_NS))
    build("git-text,mtime")
    # Now it recorded dates, and one of the texts changes.
    (site / "public" / "gone.html").write_text("<main>Text")
    git("-C", "public", "commit", "-qam", "third", at="2025-02-02T10:00:00Z")
    assert build("git-text", "--previous", "sitemap.xml") == {
        "gone.html": "2025-02-02", "new.html": "2025-01-01", "old.html": "2021-02-03"
    }  # fmt: skip


def test_dates_are_kept_if_the_published_page_has_the_same_text(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _shallow_clone(site)
    live = site / "live"
    live.mkdir()
    (live / "old.html").write_text("<title>Other</title><nav>menu</nav><main>Text of old")
    (live / "gone.html").write_text("<main>What it said before")

    together = Barrier(2)

    class Live(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(live))

        def do_GET(self) -> None:
            if self.path.endswith(".html"):
                # Both pages are fetched at the same time.
                together.wait(timeout=30)
            super().do_GET()

    with served(Live) as base:
        _published(live, base)
        arguments = [
            "build",
            "html:public",
            "--base-url",
            base,
            "-o",
            "out",
            "--lastmod-from",
            "git-text",
            "--no-config",
        ]
        assert main([*arguments, "--previous", f"{base}/sitemap.xml"]) == 0
        shown = capsys.readouterr().out
        assert f"from {base}/sitemap.xml: 1 of 2; of the other pages, 1 is published with another text" in shown
        entries = urlset.read("out/sitemap.xml")
        dates = {str(entry.loc).removeprefix(f"{base}/"): entry.lastmod for entry in entries}
    assert dates == {"gone.html": None, "new.html": "2025-01-01", "old.html": "2021-02-03"}


@pytest.mark.parametrize(
    ("entry", "order", "note"),
    [
        ("", "git-text", "0 of 2; of the other pages, 2 are not listed there"),
        ("<url><loc>{}/old.html</loc></url>", "git-text", "1 is not listed there, 1 is listed there without a valid"),
        ("", "git", "--previous has no effect, because no source of dates is git-text"),
    ],
)
def test_why_no_date_is_kept_is_noted(
    build: Build, site: Path, entry: str, order: str, note: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _shallow_clone(site)
    (site / "sitemap.xml").write_text(
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entry.format(BASE)}'
        f"<url><loc>{BASE}/x</loc></url></urlset>"
    )
    build(order, "--previous", "sitemap.xml")
    assert note in capsys.readouterr().out
    assert main([*BUILD, order, "--previous", "sitemap.xml", "--explain-lastmod", f"{BASE}/old.html"]) == 0
    kept = "not kept from the last publication, because the page is"
    assert (kept in capsys.readouterr().out) is (order == "git-text")


def test_a_change_of_an_included_file_is_a_change_of_the_page(site: Path) -> None:
    (site / "src").mkdir()
    (site / "src" / "a.md").write_text('Text\n\n--8<-- "part.txt"\n')
    (site / "src" / "b.md").write_text("Text\n")
    dates = []
    for words in ("One", "Two"):
        (site / "src" / "part.txt").write_text(words)
        sources = ["build", "files:src", "--base-url", BASE, "-o", "out", "--no-config", "--state", "state.json"]
        assert main([*sources, "--lastmod-from", "git-text,content"]) == 0
        dates.append({str(entry.loc): entry.lastmod is not None for entry in urlset.read("out/sitemap.xml")})
    assert dates == [{f"{BASE}/a/": False, f"{BASE}/b/": False}, {f"{BASE}/a/": True, f"{BASE}/b/": False}]


def test_a_text_that_another_version_extracted_keeps_its_date(
    build: Build, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in ("one", "three"):
        put("a.html", words)
        put("b.html")
        dated = build("content")
    assert dated["a.html"] is not None
    monkeypatch.setattr("urlset._core.TEXT_VERSION", 0)
    put("a.html", "as another version reads it")
    capsys.readouterr()
    assert build("content") == dated
    note = "dates from content are as in the last build for 1 page: whether the main text changed is unknown"
    assert note in capsys.readouterr().out
    # The next build compares again.
    build("content")
    assert note not in capsys.readouterr().out


def test_urls_that_a_generator_does_not_make_are_noted(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "docs" / ".vitepress").mkdir(parents=True)
    (site / "docs" / "a.md").write_text("Text\n")
    arguments = ["build", "files:docs", "--base-url", BASE, "-o", "out", "--no-config"]
    for configuration, expected in ((None, False), ("config.ts", True)):
        if configuration is not None:
            (site / "docs" / ".vitepress" / configuration).write_text("export default {}\n")
        assert main(arguments) == 0
        assert ("as those of VitePress do not" in capsys.readouterr().out) is expected


def test_a_list_that_a_generator_makes_has_no_date_and_says_why(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "tags"):
        (site / "public" / name).mkdir()
        put(f"{name}/index.html")
    (site / "content").mkdir()
    (site / "content" / "a.md").write_text("Text\n")
    (site / "hugo.toml").write_text("")
    git("init", "-q", ".")
    git("add", "content")
    git("commit", "-qm", "first")
    arguments = [*BUILD, "git-text", "--content", "content"]
    assert main(arguments) == 0
    dated = {str(entry.loc): entry.lastmod for entry in urlset.read("out/sitemap.xml")}
    assert dated == {f"{BASE}/a/": "2024-05-06", f"{BASE}/tags/": None}
    assert "1 of 2 pages mapped to files in content" in capsys.readouterr().out
    assert main([*arguments, "--explain-lastmod", f"{BASE}/tags/"]) == 0
    shown = capsys.readouterr().out
    assert "git-text unknown: no source file found; it may be a list that the generator makes" in shown


def test_a_page_without_a_text_of_its_own_has_no_date(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "src").mkdir()
    (site / "src" / "index.md").write_text("---\ntitle: Shop\n---\n<Shop />\n")
    (site / "src" / "part.md").write_text("---\ntitle: Part\n---\n<!--@include: ./text.md-->\n")
    (site / "src" / "text.md").write_text("Text\n")
    git("init", "-q", "src")
    git("-C", "src", "add", ".")
    git("-C", "src", "commit", "-qm", "first")
    arguments = ["build", "files:src", "--base-url", BASE, "-o", "out", "--no-config", "--lastmod-from", "git-text"]
    assert main(arguments) == 0
    dated = {str(entry.loc): entry.lastmod for entry in urlset.read("out/sitemap.xml")}
    assert dated == {f"{BASE}/": None, f"{BASE}/part/": "2024-05-06", f"{BASE}/text/": "2024-05-06"}
    assert main([*arguments, "--explain-lastmod", f"{BASE}/"]) == 0
    assert "its source has no text but a title" in capsys.readouterr().out


def test_a_publication_that_is_not_needed_is_not_read(
    build: Build, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "public" / "old.html").write_text("<main>Text")
    git("init", "-q", "public")
    git("-C", "public", "add", ".")
    git("-C", "public", "commit", "-qm", "first")
    build("git-text", "--previous", "absent.xml")
    assert "--previous was not read, because git-text has a date for all pages" in capsys.readouterr().out


def test_no_date_is_kept_for_a_text_that_is_not_committed(build: Build, site: Path) -> None:
    _shallow_clone(site)
    _published(site, BASE)
    os.utime("public/old.html", ns=(WRITTEN_NS, WRITTEN_NS))
    assert build("git-text,mtime")["old.html"] == "2021-02-03"
    (site / "public" / "old.html").write_text("<main>New text")
    for _ in range(2):
        assert build("git-text", "--previous", "sitemap.xml")["old.html"] is None


def test_no_date_is_kept_for_a_page_whose_sources_are_unknown(site: Path) -> None:
    store = PageStore(site / "state.json")
    page = PageDates(path="a.rst", mtime_ns=WRITTEN_NS, content_hash=1, sources_unknown="it includes x")
    order = (LastmodSource.GIT_TEXT, LastmodSource.MTIME)
    assert list(LastmodResolver(NOW, store, SiteLog()).lastmods([(BASE, page)], order, site)) != [None]
    store.save()
    resolver = LastmodResolver(NOW, PageStore(site / "state.json"), SiteLog())
    resolver.publication = pytest.fail
    assert list(resolver.lastmods([(BASE, page)], order[:1], site)) == [None]


def _build_required(
    capsys: pytest.CaptureFixture[str], order: str, *more: str
) -> tuple[int, dict[str, str | None], str]:
    """Build with --require-lastmod, and return the exit code, the dates, and the report."""
    arguments = ["build", "html:public", "--base-url", BASE, "-o", "out", "--lastmod-from", order, "--no-config"]
    capsys.readouterr()
    code = main([*arguments, "--require-lastmod", "--state", "state.json", *more])
    dates: dict[str, str | None] = {}
    if code == 0:
        dates = {str(entry.loc).removeprefix(f"{BASE}/"): entry.lastmod for entry in urlset.read("out/sitemap.xml")}
    captured = capsys.readouterr()
    return code, dates, captured.out + captured.err


def test_a_required_date_is_not_later_than_the_text(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git("init", "-q", ".")
    put("true.html", "one", modified="2024-05-06")
    put("close.html", "two", modified="2024-05-07T09:00:00Z")
    put("false.html", "three", modified="2025-01-01")
    put("old.html", "four", modified="2020-01-01")
    git("add", ".")
    git("commit", "-qm", "first")
    put("unknown.html", "five", modified="2025-01-01")
    code, dates, shown = _build_required(capsys, "page,git-text")
    assert code == 0
    # The date of the text is the next one; git knows nothing of a page that is not committed.
    assert dates == {
        "true.html": "2024-05-06",
        "close.html": "2024-05-07",
        "false.html": "2024-05-06",
        "old.html": "2020-01-01",
        "unknown.html": "2025-01-01",
    }
    assert "1 date from page not used" in shown
    _, _, shown = _build_required(capsys, "page,git-text", "--explain-lastmod", f"{BASE}/false.html")
    assert "page     unknown: 2025-01-01 is too late, since the text last changed on 2024-05-06, in commit" in shown


def test_a_required_date_does_not_move_without_a_change(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put("a.html", "one", modified="2024-05-06")
    put("b.html", "two", modified="2024-05-06")
    assert _build_required(capsys, "page")[1] == {"a.html": "2024-05-06", "b.html": "2024-05-06"}
    put("a.html", "one", modified="2024-06-06", mtime_ns=OLD_NS + 10**9)
    put("b.html", "two more", modified="2024-06-06", mtime_ns=OLD_NS + 10**9)
    for _ in range(2):
        code, dates, shown = _build_required(capsys, "page", "--allow-shrink")
        assert (code, dates) == (0, {"b.html": "2024-06-06"})
        assert "1 date from page not used" in shown


@pytest.mark.parametrize("count", [29, 30])
def test_required_dates_are_not_all_the_same(site: Path, capsys: pytest.CaptureFixture[str], count: int) -> None:
    for number in range(count):
        put(f"{number}.html", f"text {number}", modified="2024-05-06")
    code, dates, shown = _build_required(capsys, "page")
    assert (code == 0, len(dates)) == ((True, 29) if count == 29 else (False, 0))
    assert ("30 dates from page not used" in shown) is (count == 30) or "the entry has no lastmod" in shown.lower()


def test_required_dates_can_be_the_same_if_commits_prove_them(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git("init", "-q", ".")
    for number in range(30):
        put(f"{number}.html", f"text {number}")
    git("add", ".")
    git("commit", "-qm", "first")
    code, dates, _ = _build_required(capsys, "git-text")
    assert (code, set(dates.values())) == (0, {"2024-05-06"})
