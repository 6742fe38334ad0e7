"""What `build` lists, `audit` calls clean: the sitemap of a directory, served over loopback, with its pages."""

from __future__ import annotations

from http.server import SimpleHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from tests.loopback import served

import urlset
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import HtmlFolder
from urlset.pipeline.build import build

from .test_html import NOT_PAGES, PAGES, VERDICTS, page

if TYPE_CHECKING:
    from pathlib import Path

FAMILIES = ["PGE", "LOC", "DUP", "STR", "XML"]
"""Rules on what a sitemap lists."""

ON_LAYOUT = ["PGE011", "PGE012", "PGE013", "PGE014", "PGE019", "PGE022", "LOC021", "LOC024", "DUP002"]
"""Rules on pages that should be listed as they are, with a fault to repair in the page, and on a server on loopback."""


def words(name: str) -> str:
    """A text that is long enough, and different for each page."""
    trees = ("oak", "beech", "ash", "elm", "fir", "yew", "box")
    return " ".join(f"{tree} of {name.replace('/', ' ')}" for tree in trees)


def test_what_is_listed_is_clean(tmp_path: Path) -> None:
    public = tmp_path / "public"
    pages = {name: content for name, (content, _, _) in NOT_PAGES.items()}
    pages |= {name: page(body=words(name)) for name in ["index.html", "blog/b.html", *PAGES]}

    class Files(SimpleHTTPRequestHandler):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, directory=str(public))

    with served(Files) as origin:
        for number, (head, wanted) in enumerate(VERDICTS.values()):
            if isinstance(wanted, str) and not wanted.endswith(".html"):
                # This server does not have URLs without extensions, which these pages have as their canonical.
                continue
            name = f"verdict-{number}.html"
            own = head.replace("https://example.com", origin).replace("blog/a", f"verdict-{number}")
            pages[name] = page(own.replace('"a.html', f'"{name}'), words(name))
        for name, content in pages.items():
            (public / name).parent.mkdir(parents=True, exist_ok=True)
            (public / name).write_text(content, encoding="utf-8")
        site = Site(base_url=f"{origin}/", out=str(public), sources=(HtmlFolder(folder=public),), lastmod_from=())
        report, _ = build(BuildSpec(sites=(site,)), BuildOptions())
        [built] = report.sites
        result = urlset.audit(
            f"{origin}/sitemap.xml", no_store=True, select=FAMILIES, ignore=ON_LAYOUT, cache=False, retries=0
        )
    assert report.written > len(PAGES)
    assert report.written + sum(built.left_out.values()) == len(pages)
    assert [
        (finding.rule.code, [example.message for example in finding.examples]) for finding in result.report.findings
    ] == []
