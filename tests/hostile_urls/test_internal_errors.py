"""An internal error about one document, page or site is one line of the report, and exit code 4; the rest is there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.hostile_urls.hostile_site import ROOT

from urlset.cli.main import main
from urlset.documents import DocumentReader
from urlset.fetch.response import Response
from urlset.pipeline import check
from urlset.pipeline import fix as fixing
from urlset.probe import page_probe
from urlset.probe.facts import row_of
from urlset.stages import candidates, discover, follow, scheduler

QUICK = ("--no-cache", "--no-config", "--retries", "0", "--timeout", "5")
SAID = "internal error, please report it: ZeroDivisionError"


@pytest.fixture
def small(site: Any) -> Any:
    """An index of three sitemaps of two pages each."""
    children = "".join(f"<sitemap><loc>{{site}}/{name}.xml</loc></sitemap>" for name in ("one", "bad", "two"))
    site.put("/index.xml", f"<sitemapindex {ROOT}>{children}</sitemapindex>")
    for name in ("one", "bad", "two"):
        pages = "".join(f"<url><loc>{{site}}/{name}/{page}</loc></url>" for page in ("good", "bad"))
        site.put(f"/{name}.xml", f"<urlset {ROOT}>{pages}</urlset>")
        for page in ("good", "bad"):
            site.put(f"/{name}/{page}", "<title>t</title>", Content_Type="text/html")
    site.put("/robots.txt", "User-agent: *\nDisallow: /no\nSitemap: {site}/index.xml\n")
    return site


@pytest.fixture
def cli(cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: cli(*arguments, *QUICK)


def failing(real: Callable[..., Any], about: Callable[..., bool]) -> Callable[..., Any]:
    """A function that has a fault for what it is about."""

    def instead(*args: Any, **named: Any) -> Any:
        if about(*args, **named):
            raise ZeroDivisionError("planted")
        return real(*args, **named)

    return instead


def is_bad_document(reader: DocumentReader, *_: object, **__: object) -> bool:
    return str(reader.facts["url"]).endswith("/bad.xml")


@pytest.mark.parametrize("where", ["read", "answer", "follow"])
def test_one_document(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    if where == "read":
        monkeypatch.setattr(DocumentReader, "__iter__", failing(DocumentReader.__iter__, is_bad_document))
    elif where == "answer":
        monkeypatch.setattr(
            Response, "as_fetched", failing(Response.as_fetched, lambda answer: answer.url.endswith("/bad.xml"))
        )
    else:
        monkeypatch.setattr(follow, "_listed_documents", failing(follow._listed_documents, lambda _: True))
    index = f"{small.url}/index.xml"
    bad = index if where == "follow" else f"{small.url}/bad.xml"
    for command in ("inspect", "validate"):
        code, out, err = cli(command, index, "--expand", "--format", "json")
        assert code == 4
        assert f"urlset: {bad}: {SAID}" in err
        [unreadable] = json.loads(out)["unreadable"]
        assert unreadable["target"] == bad
        assert unreadable["reason"].startswith(SAID)
        documents = {one["url"].rsplit("/")[-1] for one in json.loads(out)["documents"]}
        assert documents == ({"index.xml"} if where == "follow" else {"index.xml", "one.xml", "two.xml"})
    code, out, _ = cli("inspect", index, "--expand", "--urls")
    assert (code, len(out.splitlines())) == (4, 0 if where == "follow" else 4)
    assert cli("sql", "select count(*) from urls", index, "--expand")[0] == 4


def test_one_page(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_probe, "row_of", failing(row_of, lambda target, *_, **__: target.url.endswith("/bad")))
    code, out, err = cli("audit", small.url, "--format", "json")
    assert code == 4
    assert err.count(SAID) == 3
    assert len(json.loads(out)["report"]["unreadable"]) == 3
    with duckdb.connect("urlset.duckdb", read_only=True) as store:
        rows = store.sql(
            "SELECT skipped, status, starts_with(error, 'internal error'), count(*) FROM pages GROUP BY ALL"
        )
        assert set(rows.fetchall()) == {("internal-error", None, True, 3), (None, 200, None, 3)}
    code, out, _ = cli("audit", f"{small.url}/bad", "--format", "json")
    assert (code, json.loads(out)["reason"]) == (4, "not-checked")


def test_many_pages_are_counted(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = "".join(f"<url><loc>{{site}}/p/{number}</loc></url>" for number in range(50))
    small.put("/one.xml", f"<urlset {ROOT}>{pages}</urlset>")
    monkeypatch.setattr(page_probe, "row_of", failing(row_of, lambda target, *_, **__: "/p/" in target.url))
    code, _, err = cli("audit", f"{small.url}/one.xml", "--format", "json")
    assert code == 4
    assert err.count(SAID) == page_probe.MAX_FAILURES + 1
    assert f"urlset: {50 - page_probe.MAX_FAILURES} more: {SAID}" in err


def test_robots_txt_of_pages(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages wait for one robots.txt: none may wait for ever."""
    monkeypatch.setattr(Response, "robots", failing(Response.robots, lambda *_: True))
    code, _, err = cli("audit", f"{small.url}/one.xml", "--format", "json")
    # Of the robots.txt that is a document of the run, and of the two pages.
    assert (code, err.count(SAID)) == (4, 3)


@pytest.mark.parametrize("command", ["check", "discover"])
def test_one_site(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    other = small.url.replace("127.0.0.1", "localhost")
    module: Any = check._Judge if command == "check" else discover._Search
    name = "choose" if command == "check" else "run"
    is_bad = (
        (lambda _, site, *__: site.host == "127.0.0.1")
        if command == "check"
        else (lambda search: search._origin.host == "127.0.0.1")
    )
    monkeypatch.setattr(module, name, failing(getattr(module, name), is_bad))
    code, out, err = cli(command, small.url, other, "--format", "json")
    assert code == 4
    assert f"urlset: {small.url}: {SAID}" in err
    assert f"{small.url}/index.xml" in out


def test_one_candidate(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    small.put("/sitemap.xml", f"<urlset {ROOT}/>")
    is_bad = lambda url, *_: url.endswith("/sitemap.xml")  # noqa: E731
    monkeypatch.setattr(candidates, "read_facts", failing(candidates.read_facts, is_bad))
    code, out, _ = cli("discover", small.url, "--verbose")
    assert code == 4
    assert SAID in out
    assert f"{small.url}/index.xml" in out


def test_one_document_to_fix(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{name}.xml" for name in ("one", "bad", "two")]
    for name in names:
        Path(name).write_text(f"<urlset {ROOT}><url><loc>https://example.com/</loc></url></urlset>", "utf-8")
    monkeypatch.setattr(fixing, "_fix_one", failing(fixing._fix_one, lambda source, *_: source.name == "bad.xml"))
    code = main(["fix", "--dry-run", "--format", "json", *names])
    assert code == 4


def test_errors_of_the_run_still_end_it(small: Any, cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(scheduler, "is_left_out", no_memory)
    code, out, err = cli("inspect", f"{small.url}/index.xml", "--expand")
    assert (code, out) == (3, "")
    advice = "raise the limit, or lower --max-document-bytes or --concurrency"
    assert err == f"urlset: not enough memory; {advice}\n"
