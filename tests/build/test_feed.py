"""The feed of the newest entries: what is in it, that it is well-formed and valid, and when it is written."""

from __future__ import annotations

import json
import random
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lxml import etree

import urlset
from urlset.cli.main import main

from .judging import BASE

ATOM = "{http://www.w3.org/2005/Atom}"
ODD = f'{BASE}?a=1&b=it\'s "x"<ü>'


def in_feed(path: Path) -> list[tuple[str, str]]:
    """URL and date of each entry, by a parser that accepts nothing ill-formed."""
    root = etree.parse(path).getroot()
    if root.tag == "rss":
        return [(item.findtext("link") or "", item.findtext("pubDate") or "") for item in root.iter("item")]
    links = root.findall(f"{ATOM}entry/{ATOM}link")
    dates = root.findall(f"{ATOM}entry/{ATOM}updated")
    return [(str(link.get("href")), str(date.text)) for link, date in zip(links, dates, strict=True)]


@pytest.mark.parametrize("name", ["feed.rss", "feed.xml", "feed.atom", "atom.xml"])
def test_it_has_the_newest_first(tmp_path: Path, name: str) -> None:
    entries: list[Any] = [
        {"loc": f"{BASE}old", "lastmod": "2024-01-01"},
        {"loc": ODD, "lastmod": "2025-11-14T19:30-08:00"},
        f"{BASE}no-date",
        {"loc": f"{BASE}bad", "lastmod": "2025-99-99"},
        {"loc": f"{BASE}same-day", "lastmod": "2025-11-14"},
        {"loc": f"{BASE}newest", "lastmod": "2025-11-15T08:00:00Z"},
        {"loc": f"{BASE}newest", "lastmod": "2025-11-19"},
    ]
    path = tmp_path / "out" / name
    summary = urlset.write(entries, BASE, tmp_path / "out", feed=path, feed_entries=3)
    odd = "https://example.com/?a=1&b=it's%20%22x%22%3C%C3%BC%3E"
    found = in_feed(path)
    assert [url for url, _ in found] == [f"{BASE}newest", odd, f"{BASE}same-day"]
    if "atom" in name:
        dates = [date for _, date in found]
    else:
        dates = [parsedate_to_datetime(date).isoformat() for _, date in found]
    assert dates == ["2025-11-15T08:00:00+00:00", "2025-11-15T03:30:00+00:00", "2025-11-14T00:00:00+00:00"]
    assert summary.feed is not None
    assert (summary.feed.path, summary.feed.entries, summary.feed.changed) == (str(path), 3, True)
    read = urlset.read(path)
    assert (read.kind, [entry.loc for entry in read]) == (
        "atom" if "atom" in name else "rss",
        [u for u, _ in found],
    )
    found_in_it = urlset.validate(str(path), preview=True).findings
    assert [one.rule.code for one in found_in_it if one.rule.severity in ("error", "warning")] == []
    assert f'href="{BASE}{name}"' in path.read_text(), "it names itself"


@pytest.mark.long("slow cases")
@pytest.mark.parametrize("source", ["python", "arrow"])
def test_it_is_what_a_sort_of_everything_gives(tmp_path: Path, source: str) -> None:
    rng = random.Random(7)
    pages = [
        {"loc": f"{BASE}{n}", "lastmod": f"2025-{rng.randint(1, 10):02}-{rng.randint(1, 28):02}"} for n in range(20_000)
    ]
    pages += rng.sample(pages, 500)
    expected = sorted(
        dict.fromkeys((one["loc"], one["lastmod"]) for one in pages), key=lambda one: one[1], reverse=True
    )
    entries: Any = pages
    if source == "arrow":
        import pyarrow as pa

        entries = duckdb.sql(
            "SELECT loc, CAST(lastmod AS DATE) AS lastmod FROM given", connection=_with(pa.Table.from_pylist(pages))
        )
    path = tmp_path / "feed.atom"
    urlset.write(entries, BASE, tmp_path / "out", feed=path, max_entries=700)
    found = [(url, date[:10]) for url, date in in_feed(path)]
    # Of one day those come first that were given first.
    assert found == expected[:100]


def _with(table: Any) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("given", table)
    return connection


def test_an_empty_one_is_well_formed(tmp_path: Path) -> None:
    for name in ("a.rss", "a.atom"):
        urlset.write([BASE], BASE, tmp_path / name / "out", feed=tmp_path / name / "x" / name)
        assert in_feed(tmp_path / name / "x" / name) == []


def test_the_command_and_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    Path("urls.csv").write_text("loc,lastmod\n/a,2025-11-14\n/b,2025-11-15\n/c,\n")
    arguments = ["build", "urls.csv", "--base-url", BASE, "-o", "public", "--feed", "public/feed.atom"]
    assert main([*arguments, "--check"]) == 1
    assert not Path("public/feed.atom").exists()
    assert main(arguments) == 0
    assert "  public/feed.atom  2 entries\n" in capsys.readouterr().out
    assert main([*arguments, "--check"]) == 0
    Path("public/feed.atom").write_text("old")
    capsys.readouterr()
    assert main([*arguments, "--check", "--format", "json"]) == 1
    (site,) = json.loads(capsys.readouterr().out)["sites"]
    assert site["feed"] == {"path": "public/feed.atom", "entries": 2, "changed": True}
    Path("conf").mkdir()
    Path("conf/urlset.toml").write_text(
        f'[build]\nbase-url = "{BASE}"\nout = "../public"\nfeed = "../rss.xml"\nfeed-entries = 1\n'
        '[[build.source]]\nlist = "../urls.csv"\n'
    )
    assert main(["build", "--config", "conf/urlset.toml"]) == 0
    assert [url for url, _ in in_feed(Path("rss.xml"))] == [f"{BASE}b"]


def test_what_cannot_be_meant(tmp_path: Path) -> None:
    with pytest.raises(urlset.errors.UsageError, match="feed_entries: must be an integer from 1 to 10,000, not 0"):
        urlset.write([], BASE, tmp_path, feed=tmp_path / "x", feed_entries=0)
    with pytest.raises(urlset.errors.OutputError, match="is a directory; name a file in it"):
        urlset.write([BASE], BASE, tmp_path, feed=tmp_path)
