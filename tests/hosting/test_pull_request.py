"""`diff --format pr`: a comment on a pull request with the changes between two builds."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hosting.folders import page, urlset, write
from tests.hosting.test_audit import BASE, small_site

from urlset.cli.main import main
from urlset.comparison.render_pr import LONGEST, render
from urlset.comparison.render_text import render as render_text
from urlset.errors import InputError
from urlset.model.comparison import RemovedUrlStatus
from urlset.options import AuditOptions, DiffOptions, FailOnChange
from urlset.pipeline.audit import audit
from urlset.pipeline.diff import diff
from urlset.store.file import Store
from urlset.store.run import Run


def compared(capsys: pytest.CaptureFixture[str], before: Path, after: Path, *more: str) -> tuple[int, str]:
    code = main(["diff", str(before), str(after), "--format", "pr", "--select", "PGE,LNK", "--no-config", *more])
    return code, capsys.readouterr().out


@pytest.mark.long("slow cases")
def test_nothing_is_written_if_nothing_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = write(tmp_path / "a", small_site()), write(tmp_path / "b", small_site())
    assert compared(capsys, before, after) == (0, "")
    # What is on both sides is no change, either.
    for folder in (before, after):
        write(folder, {"sitemap.xml": urlset(f"{BASE}/", f"{BASE}/a/", f"{BASE}/gone/")})
    assert compared(capsys, before, after) == (0, "")


def test_the_worst_changes_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = {
        f"{name}/index.html": page(f"{BASE}/{name}/", text=name, links=["/"]) for name in ("moved", "lost", "closed")
    }
    before = write(tmp_path / "a", small_site("/", "/a/", "/moved/", "/lost/", "/closed/") | more)
    files = small_site("/", "/a/", "/closed/", "/gone/") | {"_redirects": "/moved/ /a/\n"}
    files["closed/index.html"] = page(f"{BASE}/closed/", head='<meta name="robots" content="noindex">')
    after = write(tmp_path / "b", files)
    code, text = compared(capsys, before, after)
    assert code == 1
    lines = text.splitlines()
    assert lines[0].startswith("**urlset:** 1 URL added, 2 URLs removed, ")
    assert lines[2] == f"1. `{BASE}/closed/` is no longer indexable: `noindex: meta robots: noindex`"
    assert [line[:2] for line in lines[3:5]] == ["2.", "3."]
    assert lines[5] == ""
    folded = [line.removeprefix("<details><summary>").partition(":")[0] for line in lines if "<summary>" in line]
    assert folded[:3] == ["Pages that are no longer indexable", "New findings", "Removed URLs without a redirect"]
    without = text.partition("Removed URLs without a redirect")[2].partition("</details>")[0]
    assert (f"{BASE}/lost/" in without, f"{BASE}/moved/" in without) == (True, False)
    assert text.count("<details>") == text.count("</details>")


def test_new_findings_are_annotations_at_the_files_of_the_later_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    listed = ("/", "/a/", "/gone/")
    before, after = write(tmp_path / "a", small_site(*listed)), write(tmp_path / "b", small_site(*listed, "/lost/"))
    (after / "a/index.html").write_text(page(f"{BASE}/a/", head='<meta name="robots" content="noindex">'))
    options = ("--select", "PGE001,PGE008", "--no-config", "--format", "github")
    assert main(["diff", before.name, after.name, *options]) == 1
    errors, alarm, lost, hidden, summary = capsys.readouterr().out.splitlines()
    noindex = f"{BASE}/a/: noindex: meta robots: noindex"
    assert errors == "::error title=new-errors::2 errors are new or in more places than before"
    assert alarm == f"::error title=page-not-indexable::1 page is no longer indexable%0A{noindex}"
    # /gone/ is on both sides, so of PGE001 only /lost/ is new.
    assert hidden.startswith(f"::error file=b/a/index.html,title=PGE008 page-noindex::{BASE}/a/ has")
    assert lost.startswith("::error file=b/sitemap.xml,title=PGE001 page-not-found,line=6,")
    assert (f"{BASE}/lost/" in lost, "occurrences" in lost) == (True, False)
    assert summary.startswith("urlset: 2 errors in ")
    assert main(["diff", before.name, before.name, *options]) == 0
    assert capsys.readouterr().out.startswith("urlset: no new findings in ")
    assert main(["diff", before.name, after.name, "--no-rules", "--format", "github"]) == 0
    assert "findings were not compared" in capsys.readouterr().out


def test_a_moved_page_without_a_redirect_is_an_alarm(tmp_path: Path) -> None:
    texts = {"/old/": "one", "/new/": "one", "/kept/": "two", "/newer/": "two", "/lost/": "three"}
    sides = []
    for folder, listed in (("a", ("/old/", "/kept/", "/lost/")), ("b", ("/new/", "/newer/"))):
        files = small_site("/", *listed)
        for path in listed:
            text = f"{texts[path]} " + " ".join(f"word{number}" for number in range(30))
            files[f"{path[1:]}index.html"] = f"<!doctype html><title>A page</title><main><p>{text}</p></main>"
        sides.append(write(tmp_path / folder, files))
    (sides[1] / "_redirects").write_text("/kept/ /newer/ 301\n")
    found = diff(str(sides[0]), str(sides[1]), DiffOptions(max_drop=100))
    assert {page.url: page.after for page in found.moved_pages.examples} == {
        f"{BASE}/old/": f"{BASE}/new/",
        f"{BASE}/kept/": f"{BASE}/newer/",
    }
    assert found.removed_urls is not None
    # What is lost comes first.
    assert [(one.url, one.outcome, one.moved) for one in found.removed_urls.examples] == [
        (f"{BASE}/lost/", RemovedUrlStatus.LOST, None),
        (f"{BASE}/old/", RemovedUrlStatus.LOST, f"{BASE}/new/"),
        (f"{BASE}/kept/", RemovedUrlStatus.REDIRECTED, f"{BASE}/newer/"),
    ]
    alarms = {alarm.name: alarm.message for alarm in found.alarms}
    assert alarms["page-lost"] == "1 removed URL returns an error instead of a redirect"
    assert alarms["page-moved-without-redirect"] == "1 page moved, and the old URL returns an error"
    comment = "\n".join(render(found))
    assert comment.startswith("**urlset:** 1 URL removed, ")
    assert "2 pages moved to another URL" in comment
    assert f"`{BASE}/old/` is now `{BASE}/new/`, and does not redirect" in comment
    assert f"~ {BASE}/old/ -> {BASE}/new/  no redirect (HTTP 404)" in "\n".join(render_text(found))


def test_a_page_that_is_renamed_although_its_entry_is_not(tmp_path: Path) -> None:
    def text(*words: str) -> str:
        numbers = " ".join(f"word{number}" for number in range(30))
        return f"<!doctype html><title>A page</title><main><p>{' '.join(words)} {numbers}</p></main>"

    listed = ("/", "/old/", "/lost/", "/a/", "/b/")
    before = small_site(*listed) | {
        "old/index.html": text("one"), "lost/index.html": text("two"), "hidden/index.html": text("three"),
        "a/index.html": text("four"), "b/index.html": text("five"),
    }  # fmt: skip
    after = small_site(*listed) | {
        "renamed/index.html": text("one"), "shown/index.html": text("three"), "new/index.html": text("six"),
        # Two pages that exchange their texts, and a copy, are not renamed.
        "a/index.html": text("five"), "b/index.html": text("four"), "copy/index.html": text("four"),
    }  # fmt: skip
    old, new = write(tmp_path / "a", before), write(tmp_path / "b", after)
    found = diff(str(old), str(new), DiffOptions(max_drop=100))
    assert found.renamed_pages is not None
    assert found.new_unlisted is not None
    assert [(page.url, page.after) for page in found.renamed_pages.examples] == [
        (f"{BASE}/hidden/", f"{BASE}/shown/"),
        (f"{BASE}/old/", f"{BASE}/renamed/"),
    ]
    assert found.new_unlisted.examples == (f"{BASE}/copy/", f"{BASE}/new/")
    shown = "\n".join(render_text(found))
    assert f"! {BASE}/old/  not found: 404; the page is now {BASE}/renamed/\n" in shown
    assert f"! {BASE}/lost/  not found: 404\n" in shown
    assert f"2 new pages in no sitemap\n  + {BASE}/copy/\n" in shown
    assert "2 pages renamed" in "\n".join(render(found)).partition("\n\n")[0]
    # Stored audits know the same, if they have all pages.
    store = tmp_path / "runs.duckdb"
    for folder, limit in ((old, None), (new, None), (new, 1)):
        audit([str(folder)], AuditOptions(store=store, select=("PGE",), max_pages=limit))
    stored = diff(f"{store}@1", f"{store}@2", DiffOptions(max_drop=100))
    assert (stored.renamed_pages, stored.new_unlisted) == (found.renamed_pages, found.new_unlisted)
    assert diff(f"{store}@1", str(new), DiffOptions(max_drop=100)).renamed_pages == found.renamed_pages
    assert diff(f"{store}@1", f"{store}@3", DiffOptions(max_drop=100)).renamed_pages is None


@pytest.mark.parametrize("listed", [("/a/",), ("a/",), ("/a/", f"{BASE}/a/"), (f"{BASE}/%61/",)])
def test_a_url_that_is_only_written_differently_is_neither_removed_nor_moved(
    listed: tuple[str, ...], tmp_path: Path
) -> None:
    before, after = write(tmp_path / "a", small_site()), write(tmp_path / "b", small_site())
    (after / "sitemap.xml").write_text(urlset(f"{BASE}/", *listed))
    found = diff(str(before), str(after), DiffOptions())
    assert not found.removed_url_counts
    assert found.moved_pages.count == 0
    assert found.pages is not None
    assert (found.pages.compared, found.pages.changed, found.pages.uncompared) == (2, 0, {})
    comment, text = "\n".join(render(found)), "\n".join(render_text(found))
    for shown in (comment, text):
        assert "moved to" not in shown
        assert "not redirect" not in shown
    if listed[0].startswith(BASE):
        assert f"- `{BASE}/a/` is now `{listed[0]}`" in comment
        assert "1 URL in another spelling" in comment
        return
    assert (found.removed.count, found.added.count, found.after.urls) == (0, 0, 2)
    assert f"loc {listed[0]} has no scheme" in comment
    assert f"`{BASE}/a/` is no longer indexable: `not a valid URL: {listed[0]}`" in comment


@pytest.mark.parametrize("missing", ["nowhere", "nowhere.duckdb", "kept.duckdb@7"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_side_that_is_missing_is_noticed_before_the_other_one_is_audited(
    missing: str, order: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "site", small_site())
    with Store.create(Path("kept.duckdb")) as store:
        Run.begin(store, ["here"], {})
    monkeypatch.setattr("urlset.pipeline.diff._audit", lambda *_: pytest.fail("the other side was audited"))
    before, after = ("site", missing)[::order]
    with pytest.raises(InputError, match=r"no such file|no such store|no run 7"):
        diff(before, after, DiffOptions())


CODES = ("PGE008", "PGE002", "PGE010")


def store_of(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write and audit a site; return the store."""
    store = folder.with_suffix(".duckdb")
    options = ["--store", str(store), "--format", "none", "--select", ",".join(CODES), "--no-config"]
    assert main(["audit", str(write(folder, files)), *options]) in (0, 1)
    return store


NOINDEX = '<meta name="robots" content="noindex">'


def test_only_new_findings_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = small_site("/", "/a/", "/b/", "/gone/") | {"b/index.html": page(f"{BASE}/b/", text="b")}
    # Each is audited once.
    before = store_of(tmp_path / "before", listed)
    # Half of the URLs are not listed anymore, and one is as wrong as before.
    fewer = store_of(tmp_path / "fewer", small_site("/", "/gone/"))
    closed = store_of(tmp_path / "closed", listed | {"a/index.html": page(f"{BASE}/a/", head=NOINDEX)})
    # A canonical link to another page is a warning, but the page is no longer indexable.
    wrong = store_of(tmp_path / "wrong", listed | {"b/index.html": page(f"{BASE}/a/", text="b")})
    capsys.readouterr()
    cases = {
        fewer: (["alarm", "warning", "any"], []),
        before: ([], []),
        closed: (["alarm", "warning", "any"], ["alarm", "warning", "any"]),
        wrong: (["alarm", "warning", "any"], ["alarm", "warning", "any"]),
    }
    found = {}
    for after in cases:
        changes = diff(str(before), str(after), DiffOptions(select=CODES))
        failing = [[one.value for one in FailOnChange if changes.fails(one, new_only=new)] for new in (False, True)]
        found[after] = (failing[0], failing[1])
    assert found == cases
    assert compared(capsys, before, fewer, "--new-only", "--select", "PGE008")[0] == 0


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (("--urls", "all"), 2, "--new-only compares findings; it cannot be combined with --urls"),
        (("--redirects", "map.csv"), 2, "cannot be combined with --redirects"),
        (("--no-rules",), 2, "cannot be combined with --no-rules"),
    ],
)
def test_new_findings_need_rules(
    more: tuple[str, ...], code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(write(tmp_path / "a", small_site()))
    assert main(["diff", folder, folder, "--new-only", "--no-config", *more]) == code
    assert words in capsys.readouterr().err


@pytest.mark.long("slow cases")
def test_stores_are_compared_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = write(tmp_path / "a", small_site()), write(tmp_path / "b", small_site())
    write(after, {"a/index.html": page(f"{BASE}/a/", head='<meta name="robots" content="noindex">', links=["/"])})
    stores = [tmp_path / "a.duckdb", tmp_path / "b.duckdb"]
    for folder, store in zip((before, after), stores, strict=True):
        assert main(
            ["audit", str(folder), "--store", str(store), "--format", "none", "--select", "PGE,LNK", "--no-config"]
        ) in (0, 1)
    capsys.readouterr()
    _, of_stores = compared(capsys, stores[0], stores[1])
    _, of_folders = compared(capsys, before, after)
    assert of_stores.splitlines()[:3] == of_folders.splitlines()[:3]
    assert "is no longer indexable" in of_stores


def test_a_run_that_requested_only_some_pages_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, store = write(tmp_path / "a", small_site()), tmp_path / "a.duckdb"
    write(folder, {"a/index.html": page(f"{BASE}/a/", head='<meta name="robots" content="noindex">', links=["/"])})
    for more in ((), ("--max-pages", "1")):
        options = ["--store", str(store), "--format", "none", "--select", "PGE", "--no-config", "--fail-on", "never"]
        assert main(["audit", str(folder), *options, *more]) == 0
    capsys.readouterr()
    note = "the run requested only 1 of 2 listed pages, so findings on the others are missing"
    for sides, shown in (("12", note), ("21", f"before: {note}")):
        before, after = (f"{store}@{side}" for side in sides)
        main(["diff", before, after, "--no-config"])
        assert note in capsys.readouterr().out
        main(["diff", before, after, "--no-config", "--format", "pr"])
        assert f"`{shown}`" in capsys.readouterr().out


@pytest.mark.long("slow cases")
def test_a_comment_stays_within_its_limit_whatever_the_urls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = write(tmp_path / "a", small_site())
    names = [f"{number}-{'ü' * 300}-`</details>@all" for number in range(400)]
    after = write(tmp_path / "b", small_site("/", "/a/", *(f"/{name.replace('<', '%3C')}" for name in names)))
    _, text = compared(capsys, before, after, "--max-examples", "1000")
    assert len(text.encode()) <= LONGEST + 1_000 < 60_000
    assert "more\n" in text
    assert text.count("<details>") == text.count("</details>")


def test_formats_show_the_same_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = write(tmp_path / "a", small_site()), write(tmp_path / "b", small_site())
    write(after, {"a/index.html": page(f"{BASE}/a/", head=NOINDEX, links=["/"])})
    sitemaps = [str(folder / "sitemap.xml") for folder in (before, after)]
    for sides, code in (([str(before), str(after)], 1), (sitemaps, 0)):
        for form in ("text", "json", "llm", "pr"):
            given = ["diff", *sides, "--format", form, "--select", ",".join(CODES), "--no-config"]
            assert (main(given), form) == (code, form)
            assert ("PGE008" in capsys.readouterr().out) == bool(code), form


def test_a_base_url_needs_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "a", small_site())
    for sides, more, words in (
        ((folder / "sitemap.xml", folder / "sitemap.xml"), (), "neither side is one"),
        ((folder, folder), ("--no-rules",), "it cannot be combined with --no-rules"),
        ((folder, folder), ("--urls", "all", "--format", "csv"), "it cannot be combined with --urls"),
    ):
        assert main(["diff", *map(str, sides), "--base-url", BASE, "--no-config", *more]) == 2
        assert words in capsys.readouterr().err
    # Of another side, it says nothing.
    assert main(["diff", str(folder / "sitemap.xml"), str(folder), "--base-url", BASE, "--no-config"]) == 0
