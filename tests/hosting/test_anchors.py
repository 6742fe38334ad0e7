"""Links to anchors: which are broken, which are none, and which cannot be judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.hosting.folders import BASE, page, urlset, write

from urlset.cli.main import main

SCRIPT = '<script src="/app.js"></script>'

LINKED = {
    "/a/#there": True,
    "/a/#gone": False,
    "/a/#There": False,
    "/a/#caf%C3%A9": True,
    "/a/#café": True,
    "/a/#:~:text=word": True,
    "/a/#gone:~:text=word": False,
    "/a/#/route": True,
    "/a/#": True,
    "/a/#TOP": True,
    "#own": False,
    "index.html#here": True,
    "/old/#there": True,
    "/old/#lost": False,
    "/replaced/#lost": True,
    "/refreshed/#lost": True,
    "/app/#made": True,
    "/routed/#made": True,
    "/missing/#lost": True,
    "/paper.pdf#page=2": True,
    "/scripted/#tab=2": True,
    "/scripted/#a%3Ab": True,
    "/scripted/#lost": False,
    "/a/#fn:1": False,
}
"""Each link of the home page, and whether it is left alone."""

CONTROLS = (
    '<a href="/a/#handled" onclick="go()">a</a> <a href="#tab" onclick="go()">b</a> <a href="#b" role=button>c</a>'
)
"""Links that a script handles, of which it is unknown whether those within the page lead anywhere."""

FILES = {
    "index.html": page(BASE, links=list(LINKED), text=f'<b id="here">here</b>{CONTROLS}'),
    "a/index.html": page(f"{BASE}a/", text='<h2 id="there">x</h2><a name="café">y</a><p name="gone">', links=["/#own"]),
    "app/index.html": f"<title>App</title><div id=root></div>{SCRIPT}",
    "routed/index.html": page(f"{BASE}routed/", text="<script>show(location.hash)</script>"),
    "scripted/index.html": page(f"{BASE}scripted/", text=f"{'word ' * 60}{SCRIPT}"),
    "refreshed/index.html": '<title>Moved</title><meta http-equiv="refresh" content="0; url=/a/">',
    "paper.pdf": "%PDF-1.7",
    "_redirects": "/old/ /a/ 301\n/replaced/ /a/#there 301\n",
    "sitemap.xml": urlset(BASE, f"{BASE}a/"),
    "robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
}


def audited(root: Path, files: dict[str, str], *more: str) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
    """The rows of broken anchors, and the report."""
    folder = write(root / "site", files)
    store, report = root / "audit.duckdb", root / "report.json"
    given = ["--base-url", BASE, "--store", str(store), "--output", str(report), "--select", "LNK014", "--no-config"]
    assert main(["audit", str(folder), *given, *more]) in (0, 1)
    with duckdb.connect(str(store), read_only=True) as kept:
        rows = kept.execute(
            "SELECT replace(url, $1, '/'), links, pages, linked_from, line FROM broken_anchors "
            "WHERE run_id = (SELECT max(run_id) FROM runs) ORDER BY ALL",
            [BASE],
        ).fetchall()
    return rows, json.loads(report.read_text())


def test_only_missing_anchors_are_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, _ = audited(tmp_path, FILES, "--host", "netlify")
    assert rows == [
        ("/#own", 2, 1, f"{BASE}a/", 4),
        ("/a/#There", 1, 1, BASE, 3),
        ("/a/#fn:1", 1, 1, BASE, 3),
        ("/a/#gone", 1, 1, BASE, 3),
        ("/a/#handled", 1, 1, BASE, 3),
        ("/old/#lost", 1, 1, BASE, 3),
        ("/scripted/#lost", 1, 1, BASE, 3),
    ]
    assert {row[0] for row in rows} - {"/a/#handled"} == {
        f"/{link.removeprefix('/')}".partition(":~:")[0] for link, is_good in LINKED.items() if not is_good
    }
    assert "cannot tell whether 6 linked anchors exist" in capsys.readouterr().out


def test_an_anchor_that_a_template_links_to_is_one_finding(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d"]
    files = {
        "index.html": page(BASE, links=[*names, "#main"], text='<b id="main">'),
        **{f"{name}.html": page(f"{BASE}{name}.html", links=["#main", f"#{name}"], text=name) for name in names[:3]},
        "d.html": page(f"{BASE}d.html", text="d", links=["c.html#c"]),
        "sitemap.xml": urlset(BASE, *(f"{BASE}{name}.html" for name in names)),
        "robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
    }
    rows, report = audited(tmp_path, files)
    assert [row[:3] for row in rows] == [
        ("/a.html#a", 1, 1), ("/a.html#main", 3, 3), ("/b.html#b", 1, 1), ("/c.html#c", 2, 1),
    ]  # fmt: skip
    [finding] = report["findings"]
    assert finding["count"] == 4
    assert [place["message"].partition("which ")[2] for place in finding["examples"]][1] == (
        "lacks the anchor; 3 pages link to it on themselves and lack it"
    )


@pytest.mark.parametrize(
    ("script", "home", "reported", "unknown"),
    [
        pytest.param(SCRIPT, "", [], 3, id="scripts may add it"),
        pytest.param("", "", [("/a.html#menu", 3, 3)], 0, id="no scripts"),
        pytest.param(SCRIPT, '<b id="menu">', [("/a.html#menu", 3, 3)], 0, id="another page has it"),
    ],
)
def test_a_link_of_a_template_may_be_a_button_of_a_script(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    script: str,
    home: str,
    reported: list[tuple[str, int, int]],
    unknown: int,
) -> None:
    names = ["a", "b", "c"]
    files = {
        "index.html": page(BASE, links=names, text=home),
        **{
            f"{name}.html": page(f"{BASE}{name}.html", links=["#menu"], text=f"{'word ' * 60}{script}")
            for name in names
        },
        "sitemap.xml": urlset(BASE, *(f"{BASE}{name}.html" for name in names)),
        "robots.txt": f"Sitemap: {BASE}sitemap.xml\n",
    }
    rows, _ = audited(tmp_path, files)
    assert [row[:3] for row in rows] == reported
    assert (f"cannot tell whether {unknown} linked anchors exist" in capsys.readouterr().out) is (unknown > 0)
