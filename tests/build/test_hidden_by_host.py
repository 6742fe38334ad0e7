"""`build` leaves out what the host does not publish, as `audit` calls it missing, and says how to publish it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hosting.folders import write

from urlset.options import AuditOptions, BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import HtmlFolder
from urlset.pipeline.audit import audit
from urlset.pipeline.build import build
from urlset.store.file import Store

PAGES = {
    name: f"<title>{name}</title><p>Some words of the page {name}"
    for name in ("index.html", "a/index.html", "_guide/index.html", "a/_x/b.html", "a_b/index.html")
}
HIDDEN = ["_guide/index.html", "a/_x/b.html"]
OWN, GITHUB = "https://example.org/", "https://someone.github.io/"

IGNORED = '{"hosting": {"public": ".", "ignore": ["a/**"]}}'

CASES = {
    "GitHub by its domain": (GITHUB, {}, HIDDEN),
    "GitHub by CNAME": (OWN, {"CNAME": "example.org\n"}, HIDDEN),
    "the source of a Jekyll site": (GITHUB, {"_layouts/page.html": "{{ content }}"}, HIDDEN),
    "without Jekyll": (GITHUB, {".nojekyll": ""}, []),
    "another host": (OWN, {}, []),
    "another host by its domain, with CNAME": ("https://a.netlify.app/", {"CNAME": "example.org\n"}, []),
    "ignored by Firebase": (
        OWN,
        {"firebase.json": IGNORED},
        ["a/index.html", "a/_x/b.html"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_pages_that_the_host_hides_are_left_out(name: str, tmp_path: Path) -> None:
    base, others, hidden = CASES[name]
    folder = write(tmp_path / "site", {**PAGES, **others})
    site = Site(base_url=base, out=str(folder), sources=(HtmlFolder(folder=folder),), lastmod_from=())
    report, _ = build(BuildSpec(sites=(site,)), BuildOptions())
    [result] = report.sites
    left_out = [page.what for page in result.examples if page.reason == "hidden"]
    assert sorted(left_out) == sorted(hidden)
    if ".nojekyll" not in others and "firebase.json" not in others:
        is_advised = "_layouts/page.html" not in others
        assert all((".nojekyll" in page.detail) is is_advised for page in result.examples if page.reason == "hidden")
    audit([str(folder)], AuditOptions(base_url=base, store=tmp_path / "s.duckdb"))
    with Store.read(tmp_path / "s.duckdb") as store:
        assert store.rows("SELECT url, status FROM pages WHERE status <> 200") == []
        [(listed,)] = store.rows("SELECT count(*) FROM pages")
    assert listed == len(PAGES) - len(left_out)
