"""`audit` of a directory: the same findings as an audit of a server with the same files, and what only it can say."""

from __future__ import annotations

import json
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.hosting.folders import page, urlset, write
from tests.loopback import served

from urlset.cli.main import main
from urlset.errors import InputError, UsageError
from urlset.model.audit import AuditResult
from urlset.options import AuditOptions
from urlset.options.configuration_file import load
from urlset.options.publishing import HostName
from urlset.options.resolve import resolve
from urlset.pipeline.audit import audit
from urlset.stages.folder_audit import FOLDER_CRAWL_DEPTH
from urlset.store.file import Store

HREFLANG = '<link rel="alternate" hreflang="{code}" href="{url}">'


def faulty_site(base: str) -> dict[str, str | bytes]:
    """Return a site with faults of each family."""
    at = partial("{}{}".format, base)
    to_de = HREFLANG.format(code="de", url=at("/de/")) + HREFLANG.format(code="en", url=at("/en/"))
    listed = ["/", "/a/", "/noindex/", "/gone/", "/b", "/canonical/", "/en/", "/de/", "/closed/", "/A/", "/dated/",
              "/thin/", "/orphan/", "/old/"]  # fmt: skip
    more = {at("/dated/"): "<lastmod>2020-01-01</lastmod>", at("/a/"): "<lastmod>2999-01-01</lastmod>"}
    return {
        "index.html": page(at("/"), links=["/a/", "/b/", "/unlisted/", "/broken/", "/en/", "/de/", "/noindex/",
                                           "/canonical/", "/dated/", "/thin/", "/closed/", "http://other.example/"]),
        "a/index.html": page(at("/a/"), links=["/"]),
        "b/index.html": page(at("/b/"), text="b"),
        "noindex/index.html": page(at("/noindex/"), head='<meta name="robots" content="noindex">'),
        "canonical/index.html": page(at("/a/"), text="other"),
        "en/index.html": page(at("/en/"), head=to_de),
        "de/index.html": page(at("/de/"), head=HREFLANG.format(code="de", url=at("/de/"))),
        "closed/index.html": page(at("/closed/"), text="closed"),
        "dated/index.html": page(at("/dated/"), head='<meta property="article:modified_time" content="2024-05-05">'),
        "thin/index.html": "<!doctype html><title>x</title><p>Nothing",
        "orphan/index.html": page(at("/orphan/"), text="orphan"),
        "old/index.html": f'<meta http-equiv="refresh" content="0; url={at("/a/")}"><title>Old</title>',
        "unlisted/index.html": page(at("/unlisted/"), text="unlisted"),
        "robots.txt": f"User-agent: *\nDisallow: /closed/\nSitemap: {at('/index.xml')}\nSitemap: {at('/none.xml')}\n",
        "index.xml": '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex '
        'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<sitemap><loc>{at('/one.xml')}</loc></sitemap>\n<sitemap><loc>{at('/two.xml')}</loc></sitemap>\n"
        f"<sitemap><loc>{at('/feed.xml')}</loc></sitemap></sitemapindex>\n",
        "one.xml": urlset(*map(at, listed), more=more),
        "two.xml": urlset(at("/a/"), at("/de/")),
        "feed.xml": f'<?xml version="1.0"?>\n<rss version="2.0"><channel><title>t</title><link>{base}</link>'
        f"<description>d</description><item><title>x</title><link>{at('/feed-gone/')}</link></item></channel></rss>\n",
        "llms.txt": f"# Site\n\n> About\n\n## Docs\n\n- [gone]({at('/llms-gone/')}): x\n- [a]({at('/a/')})\n",
        "404.html": page(None, text="not found"),
    }  # fmt: skip


class FileServer(SimpleHTTPRequestHandler):
    """Serves files as a plain server, without what only a server knows."""

    folder = "."

    def __init__(self, *given: Any) -> None:
        super().__init__(*given, directory=self.folder)

    def send_header(self, keyword: str, value: str) -> None:
        if keyword != "Last-Modified":
            super().send_header(keyword, value)


def found(result: AuditResult) -> list[tuple[str, int, int, str]]:
    return sorted(
        (
            finding.rule.code,
            finding.document_id,
            finding.count,
            str([(one.line, one.url, one.value) for one in finding.examples]),
        )
        for finding in result.report.findings
    )


def options(store: Path, **given: Any) -> AuditOptions:
    usual = {
        "ignore": ("LOC024", "FET021"),
        "select": (),
        "max_examples": 100,
        "preview": True,
        "retries": 0,
        "score": False,
    }
    return AuditOptions(store=store, cache=False, discover=True, expand=True, **{**usual, **given})


def rows(store: Path, table: str, columns: str) -> list[tuple[Any, ...]]:
    with Store.read(store) as opened:
        return opened.connection.execute(f"SELECT {columns} FROM {table} ORDER BY ALL").fetchall()


@pytest.mark.long("slow cases")
def test_a_directory_has_the_findings_of_a_server_with_the_same_files(tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    folder.mkdir()
    with served(type("Server", (FileServer,), {"folder": str(folder)})) as origin:
        write(folder, faulty_site(origin))
        online = audit([origin], options(tmp_path / "online.duckdb", crawl=True, crawl_depth=1_000))
    local = audit([str(folder)], options(tmp_path / "local.duckdb", base_url=origin, host="plain"))
    assert found(local) == found(online)
    codes = {code for code, *_ in found(local)}
    families = {code[:3] for code in codes}
    assert {"PGE", "LNK", "DUP", "MOD", "LLM", "ROB", "FET"} <= families, codes
    assert (local.pages, local.agents) == (online.pages, online.agents)
    # The error page of the server has a text of its own.
    columns = "url, status, final_url, hops, noindex, canonical, skipped, blocked_by, page_modified"
    columns += ", CASE WHEN status = 200 THEN content_hash END AS content"
    # A directory also shows the pages that no link leads to.
    reached = f"crawled WHERE round <= {FOLDER_CRAWL_DEPTH}"
    for ours, theirs in (("pages", "pages"), (reached, "crawled")):
        assert rows(tmp_path / "local.duckdb", ours, columns) == rows(tmp_path / "online.duckdb", theirs, columns)


BASE = "https://www.example.com"


def small_site(*listed: str, base: str = BASE, **files: str) -> dict[str, str | bytes]:
    """Return a site whose home page and `/a/` are listed and link to each other."""
    urls = [f"{base}{path}" for path in listed or ("/", "/a/")]
    return {
        "index.html": page(f"{base}/", links=["/a/"]),
        "a/index.html": page(f"{base}/a/", links=["/"]),
        "robots.txt": f"User-agent: *\nDisallow:\nSitemap: {base}/sitemap.xml\n",
        "sitemap.xml": urlset(*urls),
        **files,
    }


def codes(result: AuditResult) -> list[tuple[str, str | None]]:
    return sorted((one.rule.code, example.url) for one in result.report.findings for example in one.examples)


def test_a_clean_directory_has_no_findings_and_its_base_url_is_inferred(tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", small_site())
    result = audit([str(folder)], options(tmp_path / "s.duckdb"))
    assert codes(result) == []
    assert result.report.unreadable == ()
    assert f"the base URL is {BASE}/, as in robots.txt, sitemaps, and canonical links" in result.report.notes
    assert any(note.startswith("nothing was requested: ") for note in result.report.notes)
    with Store.read(tmp_path / "s.duckdb") as store:
        assert [run.targets for run in store.runs()] == [(str(folder),)]


def test_indexable_pages_that_no_sitemap_lists_are_found(tmp_path: Path) -> None:
    left_out = {
        "orphan/index.html": page(f"{BASE}/orphan/", text="orphan"),
        "bare.html": page(None, text="without canonical"),
        "linked/index.html": page(None, text="linked"),
        "noindex.html": page(None, head='<meta name="robots" content="noindex">'),
        "moved.html": page(f"{BASE}/a/"),
        "404.html": page(None, text="not found"),
        "google1234567890abcdef.html": "google-site-verification: google1234567890abcdef.html",
        "index.html": page(f"{BASE}/", links=["/a/", "/linked/"]),
    }
    folder = write(tmp_path / "dist", small_site() | left_out)
    result = audit([str(folder)], options(tmp_path / "s.duckdb", host="plain", select=("PGE", "LNK")))
    assert codes(result) == [
        ("LNK003", f"{BASE}/linked/"), ("LNK011", f"{BASE}/bare.html"), ("LNK011", f"{BASE}/orphan/"),
    ]  # fmt: skip


def test_headers_and_redirects_of_the_host_count(tmp_path: Path) -> None:
    host_files = {
        "_headers": "/a/*\n  X-Robots-Tag: noindex\n",
        "_redirects": "/moved/ https://elsewhere.example/ 301\n/x Country=de /y 301\n",
    }
    folder = write(tmp_path / "dist", small_site("/", "/a/", "/moved/") | host_files)
    result = audit([str(folder)], options(tmp_path / "s.duckdb", select=("PGE",)))
    assert codes(result) == [("PGE005", f"{BASE}/moved/"), ("PGE008", f"{BASE}/a/")]
    notes = "|".join(result.report.notes)
    assert "_redirects: 1 rule not applied at line 2: it depends on the query" in notes
    assert "1 redirect leads out of the directory" in notes


def test_a_base_url_that_no_page_has_is_named_and_the_pages_are_checked(tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", small_site("/", "/a/", "/gone/"))
    given = {"base_url": "https://other.example/", "select": ("PGE", "SIT")}
    result = audit([str(folder)], options(tmp_path / "s.duckdb", **given))
    assert codes(result) == [("PGE001", f"{BASE}/gone/"), ("SIT005", f"{BASE}/")]
    assert result.report.unreadable == ()


def test_a_directory_without_sitemaps_is_said(tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", small_site())
    (folder / "sitemap.xml").rename(folder / "my-sitemap-of-mine.xml")
    write(folder, {"robots.txt": "User-agent: *\nDisallow:\n"})
    result = audit([str(folder)], options(tmp_path / "s.duckdb"))
    assert result.report.unreadable == ()
    assert result.run_id == 1
    [finding] = [one for one in result.report.findings if one.severity == "error"]
    [example] = finding.examples
    assert finding.rule.code == "SIT001"
    command = f"`urlset build {folder} --base-url {BASE}/` makes one"
    assert example.message == f"{command}: my-sitemap-of-mine.xml was not read, as nothing names it"
    assert not {"LNK003", "LNK011"} & {one.rule.code for one in result.report.findings}


def test_the_base_url_of_the_configuration_file_is_that_of_directories_only(tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", small_site("/", "/a/", "/gone/"))
    (tmp_path / "urlset.toml").write_text('[audit]\nbase-url = "https://other.example/"\n', "utf-8")
    file = load(tmp_path / "urlset.toml")
    given = {"select": ("PGE", "SIT"), "store": tmp_path / "s.duckdb", "pages": True}
    result = audit([str(folder)], resolve(AuditOptions, file, given).options)
    assert codes(result) == [("PGE001", f"{BASE}/gone/"), ("SIT005", f"{BASE}/")]
    given |= {"pages": False, "robots": False}
    audit([str(folder / "sitemap.xml")], resolve(AuditOptions, file, given).options)
    with Store.read(tmp_path / "s.duckdb") as store:
        stored = [json.loads(run.settings)["base_url"] for run in store.runs()]
    assert stored == ["https://other.example/", None]


def refusals(folder: Path) -> dict[str, tuple[list[str], dict[str, Any], str]]:
    return {
        "a base URL for a site": (["example.com"], {"base_url": BASE}, "--base-url applies to a directory of pages"),
        "a host for a file": ([str(folder / "sitemap.xml")], {"host": HostName.PLAIN}, "--host applies to a directory"),
        "two directories": ([str(folder), str(folder)], {}, "is audited alone"),
        "a directory and a site": ([str(folder), "example.com"], {}, "is audited alone"),
    }


def test_targets_that_do_not_fit_are_refused_before_a_store_exists(tmp_path: Path) -> None:
    folder = write(tmp_path / "dist", small_site())
    for targets, given, reason in refusals(folder).values():
        with pytest.raises(UsageError, match=reason):
            audit(targets, options(tmp_path / "s.duckdb", **given))
    empty = write(tmp_path / "empty", {"sitemap.xml": urlset(f"{BASE}/")})
    with pytest.raises(InputError, match="there are no pages to audit"):
        audit([str(empty)], options(tmp_path / "s.duckdb", base_url=BASE))
    assert not (tmp_path / "s.duckdb").exists()


def test_pages_of_a_directory_of_sitemaps_are_requested_which_is_said(tmp_path: Path) -> None:
    pages, sitemaps = tmp_path / "pages", tmp_path / "sitemaps"
    write(pages, small_site())
    with served(type("Server", (FileServer,), {"folder": str(pages)})) as origin:
        write(sitemaps, {"sitemap.xml": urlset(f"{origin}/")})
        result = audit([str(sitemaps)], options(tmp_path / "s.duckdb", allow_private=True))
    assert result.pages is not None
    assert result.pages.fetched == 1
    assert any("so listed pages are requested from their hosts" in note for note in result.report.notes)


def test_the_command_reports_a_directory_and_resumes_without_a_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "dist", small_site("/", "/a/", "/gone/"))
    assert main(["audit", "dist", "--format", "json", "--host", "netlify", "--no-config"]) == 1
    values = json.loads(capsys.readouterr().out)
    assert [finding["code"] for finding in values["report"]["findings"] if finding["severity"] == "error"] == ["PGE001"]
    assert values["pages"]["outside"] == 0


def test_a_site_below_a_path(tmp_path: Path) -> None:
    base = f"{BASE}/repo"
    files = small_site(base=base) | {"index.html": page(f"{base}/", links=["/repo/a/", "/other/"])}
    files["a/index.html"] = page(f"{base}/a/", links=["/repo/"])
    folder = write(tmp_path / "dist", files)
    result = audit([str(folder)], options(tmp_path / "s.duckdb"))
    assert codes(result) == []
    assert any(f"the base URL is {base}/" in note for note in result.report.notes)


@pytest.mark.parametrize("option", ["--crawl", "--links", "--external"])
def test_links_of_a_source_are_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    source = write(tmp_path / "site", {"index.html": "---\n---\n{{ page.title }}", "a.html": "---\n---\nx"})
    assert main(["audit", str(source), "--base-url", "https://example.com/", "--no-store", option]) == 1
    assert "SIT002" in capsys.readouterr().out


def test_crawlers_without_a_difference_are_one_line_and_no_rate_is_advised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = "https://example.com/"
    robots = "User-agent: *\nCrawl-delay: 5\nAllow: /\n"
    names = {"index.html": page(base), "robots.txt": robots, "sitemap.xml": urlset(base)}
    site = write(tmp_path / "site", names)
    main(["audit", str(site), "--base-url", base, "--no-store"])
    captured = capsys.readouterr()
    assert "\nCrawlers: robots.txt allows the listed URL to Googlebot, Bingbot, GPTBot, " in captured.out
    assert "Crawl-delay" not in captured.err
    (site / "robots.txt").write_text(f"{robots}User-agent: GPTBot\nDisallow: /\n")
    main(["audit", str(site), "--base-url", base, "--no-store"])
    shown = capsys.readouterr().out
    assert (
        "\nCrawlers: listed URLs that robots.txt allows\n  GPTBot  0 of 1  all blocked\n  all 1  Googlebot, " in shown
    )


def test_the_llms_txt_of_a_directory_below_a_path_is_checked(tmp_path: Path) -> None:
    base = "https://example.github.io/guide/"
    llms = f"# Guide\n\n> About\n\n## Pages\n\n- [gone]({base}gone/): x\n- [home]({base}): x\n"
    site = write(tmp_path / "site", {"index.html": page(base), "sitemap.xml": urlset(base), "llms.txt": llms})
    report = audit([str(site)], options(tmp_path / "runs.duckdb", base_url=base)).report
    assert "LLM002" in {finding.rule.code for finding in report.findings}
