"""The guides for those who come from other tools: every block of code for urlset runs, on a site on loopback."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from scrapy.crawler import AsyncCrawlerRunner

import urlset

HOW_TO = Path(__file__).parent.parent / "docs" / "how-to"
ORIGIN = "https://example.com"

NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)
PRODUCTS = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset {NAMESPACES}>
<url><loc>{{site}}/product/1</loc><lastmod>2026-02-04</lastmod>
  <image:image><image:loc>{{site}}/1.jpg</image:loc></image:image></url>
<url><loc>{{site}}/product/2</loc><lastmod>2025-02-04</lastmod><priority>0.8</priority></url>
<url><loc>{{site}}/about</loc></url>
</urlset>
"""
INDEX = f"""<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex {NAMESPACES}>
<sitemap><loc>{{site}}/products.xml</loc></sitemap>
</sitemapindex>
"""


class Ran(NamedTuple):
    """What the blocks of a page left behind: the names that they defined, and what they printed."""

    names: dict[str, Any]
    printed: str


@pytest.fixture
def shop(site: Any) -> Any:
    site.put("/robots.txt", "User-agent: *\nDisallow: /private/\nSitemap: {site}/index.xml\n")
    site.put("/index.xml", INDEX, Content_Type="application/xml")
    site.put("/products.xml", PRODUCTS, Content_Type="application/xml")
    for path in ("/product/1", "/product/2"):
        site.put(path, f"<title>{path}</title>", Content_Type="text/html")
    return site


@pytest.fixture
def run(
    shop: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Ran]:
    """Runs the blocks of a page or section in order, in an empty folder, with the site as example.com."""
    monkeypatch.chdir(tmp_path)

    def ran(page: str, section: str = "") -> Ran:
        text = (HOW_TO / page).read_text(encoding="utf-8").replace(ORIGIN, shop.url)
        if section:
            text = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
            assert text, section
        # The site of a reader is not on loopback.
        (tmp_path / "urlset.toml").write_text('ignore = ["SIT003"]\n')
        names: dict[str, Any] = {}
        program = f'urlset() {{ "{sys.executable}" -m urlset "$@"; }}\n'
        for kind, body in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            if kind == "python":
                exec(body, names)
            elif not body.startswith("pip install"):
                assert kind == "sh"
                environment = {**os.environ, "PYTHONPATH": str(Path(urlset.__file__).parent.parent)}
                subprocess.run(["bash", "-euc", program + body], check=True, env=environment)
        return Ran(names, capfd.readouterr().out.replace(shop.url, ORIGIN))

    return ran


def test_dataframes(run: Callable[..., Ran], tmp_path: Path) -> None:
    names, printed = run("dataframes.md")
    assert names["images"].select("loc").to_series().to_list()[0].endswith("/1.jpg")
    assert names["frame"].shape == (3, 3)
    assert (tmp_path / "urls.parquet").exists()
    assert printed.endswith("3\n")


@pytest.mark.parametrize("name", ["Polars", "pandas", "DuckDB"])
def test_a_library_takes_three_lines(name: str) -> None:
    [section] = re.findall(rf"## {name}\n.*?```python\n(.*?)```", (HOW_TO / "dataframes.md").read_text(), re.DOTALL)
    lines = [line for line in section.splitlines() if line]
    assert len(lines) == 3


def test_from_ultimate_sitemap_parser(run: Callable[..., Ran]) -> None:
    _, printed = run("from-other-tools.md", "ultimate-sitemap-parser")
    assert f"{ORIGIN}/about None\n{ORIGIN}/product/1 2026-02-04 00:00:00\n" in printed
    assert f"('{ORIGIN}/products.xml', 'urlset', 1, 1, 3, None)" in printed
    assert f"\n{ORIGIN}/product/1\n{ORIGIN}/product/2\n" in printed
    assert f"{ORIGIN}/a 2026-02-04 00:00:00+00:00\n" in printed


def test_from_advertools(run: Callable[..., Ran], tmp_path: Path) -> None:
    names, printed = run("from-other-tools.md", "advertools")
    frame = names["frame"]
    assert list(frame.columns) == [
        "loc", "lastmod", "changefreq", "priority", "sitemap", "etag", "sitemap_last_modified", "sitemap_size_mb",
        "download_date",
    ]  # fmt: skip
    assert str(frame["lastmod"].dtype).startswith("datetime64")
    assert (tmp_path / "urls.csv").read_text().count("\n") == 4
    assert "[('/private/a', False), ('/about', True)]" in printed
    assert "[('about', 1), ('product', 2)]" in printed


def test_from_sitemapjs(run: Callable[..., Ran], tmp_path: Path) -> None:
    names, printed = run("from-other-tools.md", "sitemap.js")
    assert len(urlset.read(names["xml"])) == 3
    assert names["summary"].written == 3
    assert (tmp_path / "public" / "sitemap-1.xml.gz").exists()
    assert [item.loc.rpartition("/")[2] for item in names["items"]] == ["1", "2"]
    assert len(urlset.read(tmp_path / "both" / "sitemap.xml")) == 2
    assert printed.count("<urlset ") == 1


@pytest.mark.long("slow cases")
def test_from_scrapy(run: Callable[..., Ran], shop: Any) -> None:
    names, _ = run("from-scrapy.md")
    settings = {"TWISTED_REACTOR_ENABLED": False, "TELNETCONSOLE_ENABLED": False, "COOKIES_ENABLED": False}
    for spider in ("ShopSpider", "RecentSpider"):
        shop.asked.clear()

        async def crawl(spider: str = spider) -> None:
            await AsyncCrawlerRunner(settings).crawl(names[spider])

        asyncio.run(crawl())
        assert shop.asked == ["/robots.txt", "/index.xml", "/products.xml", "/product/1"]


def test_every_guide_runs_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [page.name for page in HOW_TO.glob("from-*.md") if f'"{page.name}"' not in source] == []
