"""Whole commands on a site full of hostile URLs: none of them ends a run, and what is good behind it is still read."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.hostile_urls.hostile_site import HOSTILE, XML, HostileSite, serving
from tests.tiers import sampled

from urlset.cli.main import main
from urlset.pipeline import audit as auditing
from urlset.report.formats import OUTPUTS

QUICK = ("--no-cache", "--no-config", "--retries", "0", "--timeout", "5", "--concurrency", "16")

Command = Callable[..., Any]


@pytest.fixture(scope="module")
def running() -> Iterator[HostileSite]:
    with serving() as site:
        yield site


@pytest.fixture
def site(running: HostileSite) -> HostileSite:
    running.asked.clear()
    return running


@pytest.fixture
def cli(cli: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs a command in an empty folder, where no name of another machine can be resolved."""
    real = socket.getaddrinfo

    def here_alone(host: Any, *args: Any, **more: Any) -> Any:
        try:
            if ip_address(str(host)).is_loopback:
                return real(host, *args, **more)
        except ValueError:
            pass
        raise socket.gaierror(socket.EAI_NONAME, "not a name")

    monkeypatch.setattr(socket, "getaddrinfo", here_alone)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Any:
        outcome = cli(*arguments)
        assert outcome.code in (0, 1, 3), outcome.err
        assert "internal error" not in outcome.text
        assert "fault of urlset" not in outcome.err
        assert "Traceback" not in outcome.err
        return outcome

    return run


@pytest.mark.parametrize("target", ["index.xml", ""])
def test_inspect_reads_what_is_good(cli: Command, site: HostileSite, target: str) -> None:
    found = cli("inspect", f"{site.url}/{target}", "--discover", "--expand", "--format", "json", *QUICK).json
    documents = {document["url"]: document for document in found["documents"]}
    assert documents[f"{site.url}/index.xml"]["entries"] == len(XML) + len(HOSTILE) + 1
    assert documents[f"{site.url}/list.xml"]["entries"] == len(XML) + len(HOSTILE) + 1
    # Every redirect is a document of its own, however bad what it leads to.
    assert sum("/r/" in one["url"] for one in found["unfetched"]) >= len(HOSTILE) - len(found["cuts"])
    assert set(site.asked) >= set(site.redirects)


def test_urls_are_printed(cli: Command, site: HostileSite) -> None:
    out = cli("inspect", f"{site.url}/index.xml", "--expand", "--urls", *QUICK).out
    assert f"{site.url}/good\n" in out


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", sorted(OUTPUTS["validate"].formats.keys() - {"none"}))
def test_validate_names_what_is_bad(cli: Command, site: HostileSite, form: str) -> None:
    outcome = cli("validate", site.url, "--discover", "--expand", "--format", form, "--report", "page.html", *QUICK)
    assert outcome.code in (1, 3)
    assert "LOC" in outcome.out
    assert Path("page.html").stat().st_size > 10_000


def test_audit_looks_at_every_page(cli: Command, site: HostileSite) -> None:
    cli("audit", site.url, "--images", "--report", "page.html", *QUICK)
    with duckdb.connect("urlset.duckdb", read_only=True) as store:
        [(good,)] = store.sql(f"SELECT count(*) FROM pages WHERE url = '{site.url}/good' AND status = 200").fetchall()
        [(own,)] = store.sql("SELECT count(*) FROM pages WHERE contains(url, '/p/') AND status = 200").fetchall()
        [(unlooked,)] = store.sql(
            "SELECT count(*) FROM urls WHERE loc_problem IS NULL AND scheme IN ('http', 'https') "
            "AND loc_hash NOT IN (SELECT page_hash FROM pages)"
        ).fetchall()
    assert (good, own, unlooked) == (1, len(HOSTILE), 0)
    assert cli("report", "urlset.duckdb", "-o", "again.html").code == 0
    assert cli("history", "urlset.duckdb").code == 0


@pytest.mark.long("slow cases")
def test_an_audit_that_was_stopped_is_resumed(
    cli: Command, site: HostileSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    few = ("--select", "LOC001,PGE001", "--no-score")
    with monkeypatch.context() as patched:
        patched.setattr(auditing, "probe", stop)
        assert main(["audit", site.url, *few, *QUICK]) == 130
        capsys.readouterr()
    site.asked.clear()
    cli("audit", site.url, "--resume", *few, *QUICK)
    assert "/good" in site.asked
    # Sitemaps are read again.
    assert "/list.xml" in site.asked


@pytest.mark.parametrize("command", ["check", "discover"])
def test_sites_are_searched(cli: Command, site: HostileSite, command: str) -> None:
    outcome = cli(command, site.url, "--verbose", *QUICK)
    assert "/last.xml" in site.asked
    assert "http://℀.com/" in outcome.out


def test_robots(cli: Command, site: HostileSite) -> None:
    asked = [url for url in HOSTILE.values() if url.startswith("http") and len(url) < 1000 and "\0" not in url]
    for url in asked:
        code = main(["robots", f"{site.url}/robots.txt", url, "--format", "json", *QUICK])
        assert code in (0, 1, 2), url
    cli("robots", f"{site.url}/robots.txt", "--urls-from", f"{site.url}/list.xml", *QUICK)


@pytest.mark.parametrize("more", [(), ("--ask-removed", "1000")])
def test_diff(cli: Command, site: HostileSite, more: tuple[str, ...]) -> None:
    found = cli("diff", f"{site.url}/list.xml", f"{site.url}/few.xml", "--format", "json", *more, *QUICK).json
    assert found["urls"]["removed"]["count"] > len(HOSTILE)
    if more:
        assert "/p/1" in site.asked


def test_diff_with_a_redirect_map(cli: Command, site: HostileSite) -> None:
    import csv

    with Path("map.csv").open("w", encoding="utf-8", errors="replace", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["old", "new"])
        rows.writerow([f"{site.url}/p/1", f"{site.url}/good"])
        urls = [url.replace("\0", "") for url in HOSTILE.values() if url.lower().startswith(("http://", "https://"))]
        rows.writerows([url, f"{site.url}/good"] for url in dict.fromkeys(urls) if len(url) < 100_000)
    arguments = ("diff", f"{site.url}/list.xml", f"{site.url}/few.xml", "--redirects", "map.csv")
    assert cli(*arguments, "--allow-private", *QUICK).code in (1, 3)


@pytest.mark.parametrize("more", [(), ("--format", "json")])
def test_notify(cli: Command, site: HostileSite, more: tuple[str, ...]) -> None:
    sides = (f"{site.url}/list.xml", f"{site.url}/few.xml")
    outcome = cli("notify", *sides, "--dry-run", "--all", "--store", "sent.duckdb", *more, *QUICK)
    assert "/p/1" in site.asked
    if not more:
        assert "Dry run: would send" in outcome.out


@pytest.mark.long("slow cases")
def test_audit_crawls(cli: Command, site: HostileSite) -> None:
    few = ("--select", "LOC001,PGE001,LNK", "--no-score")
    cli("audit", site.url, "--crawl", "--report", "page.html", *few, *QUICK)
    with duckdb.connect("urlset.duckdb", read_only=True) as store:
        [(linked,)] = store.sql("SELECT count(*) FROM linked").fetchall()
    assert linked > len(HOSTILE)


def test_fix(cli: Command, site: HostileSite) -> None:
    for name in ("list.xml", "index.xml"):
        cli("fix", f"{site.url}/{name}", "-o", name, "--base-url", f"{site.url}/", *QUICK)
        assert f"{site.url}/".encode() in Path(name).read_bytes()


def test_sql(cli: Command, site: HostileSite) -> None:
    rows = cli("sql", "select count(*) as n from urls", site.url, "--discover", "--expand", "--format", "json", *QUICK)
    assert rows.json[0]["n"] > len(XML)


@pytest.mark.parametrize("kind", ["sitemap", "list", "pages"])
def test_build(cli: Command, site: HostileSite, kind: str, tmp_path: Path) -> None:
    if kind == "sitemap":
        source = f"{site.url}/list.xml"
    elif kind == "list":
        source = "urls.txt"
        lines = [url for url in HOSTILE.values() if not set(url) & set("\r\n\0")]
        Path(source).write_text("\n".join([*lines, "https://example.org/good"]), "utf-8")
    else:
        source = "pages"
        Path(source).mkdir()
        for number, url in enumerate(HOSTILE.values()):
            Path(source, f"{number}.html").write_bytes(site.page(url))
        Path(source, "good.html").write_text("<title>good</title><p>good</p>")
    base = f"{site.url}/" if kind == "sitemap" else "https://example.org/"
    outcome = cli("build", source, "--base-url", base, "-o", "out", "--images", *QUICK[:-2])
    assert "good" in Path("out/sitemap.xml").read_text("utf-8"), outcome.err


TARGETS = [
    "http://[", "http://[::1", "http://[[::1]]/", "http://[fe80::1%25lo]/", "http://℀.com/", "http://127.0.0.1:99999/",
    "http://a..b/", "http://xn--a/", "http://%zz/", f"http://{'a' * 100_000}/", "http://a\x7f/", "https://[::1]x/",
    "http://\udcff.com/\udcff", "http://127.0.0.1:1/\udcff", "℀", "a\udcff.example", "http://127.0.0.1:1/?\udcff#[",
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "command", ["validate", "inspect", "check", "discover", "robots", "audit", "fix", "diff", "lastmod"]
)
def test_a_hostile_target_is_a_message(
    cli: Command, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for url in sampled(TARGETS, 8):
        more, last = {"diff": ([], ["nothing.xml"]), "fix": (["-o", "out.xml"], [])}.get(command, ([], []))
        code = main([command, *QUICK, *more, "--", url, *last])
        err = capsys.readouterr().err
        assert code in (1, 2, 3), f"{url[:100]!r}: {err}"
        assert "Traceback" not in err
        err.encode("utf-8")
