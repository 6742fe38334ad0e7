"""The table `[build]`: every key is read, and whatever is wrong is an error that names the key."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from urlset.errors import ConfigError
from urlset.options import WriteOptions
from urlset.options.build_file import build_table, in_file
from urlset.options.building import BuildSpec, IndexSpec, RemoteSitemap, Site, SiteOptions
from urlset.options.declare import options_of
from urlset.options.sources import (
    KINDS,
    FileFolder,
    HtmlFolder,
    LastmodSource,
    ListFormat,
    Query,
    Sitemaps,
    UrlList,
    UrlStyle,
)

FOLDER = Path("/site")

WHOLE = """
base-url = "https://example.com/"
out = "public"
robots = "public/robots.txt"
state = "state.json"
obey-robots = false
robots-agent = "Googlebot"
lastmod-from = ["page", "git"]
gzip = "parts"
max-entries = 10_000

[[source]]
html = "public"
include = ["*.html"]
exclude = ["drafts/"]
urls = "bare"
images = true
path-prefix = "docs"
part = "docs"
defaults = { changefreq = "weekly", priority = 0.5, lastmod = 2025-11-14 }
lastmod-from = ["mtime"]

[[source]]
files = "content"

[[source]]
list = "urls.csv"
format = "csv"
columns = { loc = "page" }

[[source]]
list = "-"

[[source]]
query = "FROM pages"
database = "shop.duckdb"

[[source]]
sitemaps = ["old/sitemap.xml", "https://old.example/sitemap.xml"]
"""


def spec_of(text: str) -> BuildSpec:
    return build_table(tomllib.loads(text), "urlset.toml", FOLDER / "urlset.toml").spec


def test_a_site_with_every_kind_of_source() -> None:
    (site,) = spec_of(WHOLE).sites
    assert site == Site(
        base_url="https://example.com/",
        out="/site/public",
        robots=FOLDER / "public/robots.txt",
        state=FOLDER / "state.json",
        obey_robots=False,
        robots_agent="Googlebot",
        lastmod_from=(LastmodSource.PAGE, LastmodSource.GIT),
        gzip="parts",
        max_entries=10_000,
        sources=(
            HtmlFolder(
                folder=FOLDER / "public",
                include=("*.html",),
                exclude=("drafts/",),
                urls=UrlStyle.BARE,
                images=True,
                path_prefix="/docs/",
                part="docs",
                defaults={"changefreq": "weekly", "priority": 0.5, "lastmod": "2025-11-14"},
                lastmod_from=(LastmodSource.MTIME,),
            ),
            FileFolder(folder=FOLDER / "content"),
            UrlList(file=FOLDER / "urls.csv", format=ListFormat.CSV, columns={"loc": "page"}),
            UrlList(file=Path("-")),
            Query(sql="FROM pages", database="shop.duckdb", folder=FOLDER),
            Sitemaps(targets=("/site/old/sitemap.xml", "https://old.example/sitemap.xml")),
        ),
    )


SEVERAL = """
require-lastmod = true

[[site]]
base-url = "https://www.example.com/"
out = "www"
[[site.source]]
html = "www"

[[site]]
base-url = "https://docs.example.com/"
out = "s3://bucket/docs"
require-lastmod = false
[[site.source]]
html = "docs"

[index]
base-url = "https://www.example.com/"
out = "www"
name = "all"
gzip = true
lastmod = "date"
remote = ["https://a.example/s.xml", { loc = "https://b.example/s.xml", lastmod = 2025-11-14T10:00:00Z }]
"""


def test_several_sites_and_an_index() -> None:
    spec = spec_of(SEVERAL)
    assert [(site.out, site.require_lastmod) for site in spec.sites] == [
        ("/site/www", True),
        ("s3://bucket/docs", False),
    ]
    assert spec.index == IndexSpec(
        base_url="https://www.example.com/",
        out="/site/www",
        name="all",
        remote=(
            RemoteSitemap(loc="https://a.example/s.xml"),
            RemoteSitemap(loc="https://b.example/s.xml", lastmod="2025-11-14T10:00:00+00:00"),
        ),
        gzip=True,
        lastmod="date",
    )


HTML = 'base-url = "https://example.com"\nout = "o"\n[[source]]\nhtml = "p"\n'

WRONG = {
    'base-ulr = "x"': "unknown key 'base-ulr'; did you mean 'base-url'?",
    'out = "o"\n[[source]]\nhtml = "p"': r"\[build\]: base-url is missing",
    'base-url = "x"\n[[source]]\nhtml = "p"': r"\[build\]: out is missing",
    'gzip = "part"\n' + HTML: "gzip: must be one of none, parts, all, not 'part'; did you mean 'parts'?",
    "strict = 1\n" + HTML: "strict: must be a true or false, not 1|strict: must be true or false, not 1",
    "max-entries = 0\n" + HTML: "max-entries: must be an integer from 1 to 50,000, not 0",
    'lastmod-from = ["gti"]\n' + HTML: "lastmod-from: must be a list of .*, not .'gti'",
    HTML + 'list = "x"': "source 1: a source must have exactly one of .*, not html and list",
    'base-url = "x"\nout = "o"\n[[source]]\npart = "p"': "source 1: a source must have exactly one of .*, but has none",
    HTML + 'colums = { loc = "x" }': "source 1: unknown key 'colums'",
    HTML + 'urls = "slash"': "source 1: urls: must be one of files, slashes, bare, exact",
    HTML + "defaults = { title = 1 }": "source 1: defaults: unknown key 'title'",
    HTML + "defaults = { priority = true }": "defaults.priority: must be a string or .*number, not True",
    HTML + 'include = "*.html"': "include: must be a list of strings",
    'base-url = "x"\nout = "o"\nsource = []': r"source is empty; add at least one \[\[build.source\]\]",
    'base-url = "x"\nout = "o"\nsource = "public"': r"must be written as tables: \[\[build.source\]\]",
    '[[site]]\nbase-url = "x"\nout = "o"': r"\[\[build.site\]\] 1: source is missing; add \[\[build.site.source\]\]",
    'out = "o"\n[[site]]\nbase-url = "x"': r"over \[\[build.site\]\]: unknown key 'out'",
    '[index]\nbase-url = "x"\nout = "o"': r"the index has no sites to list; add \[\[build.site\]\]",
    HTML + '[index]\nbase-url = "x"': r"\[build.index\]: out is missing",
    HTML + '[index]\nbase-url = "x"\nout = "o"\nremote = [{ url = "x" }]': "remote 1: unknown key 'url'",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_named(text: str) -> None:
    with pytest.raises(ConfigError, match=WRONG[text]) as caught:
        spec_of(text)
    assert str(caught.value).startswith("urlset.toml")


def test_every_example_of_a_key_can_be_read() -> None:
    for each in in_file(SiteOptions):
        lines = [line for line in HTML.splitlines() if not line.startswith(f"{each.key} =")]
        text = f"{each.key} = {each.facts.example}\n" + "\n".join(lines)
        assert spec_of(text).sites, each.path
    for kind, spec in KINDS.items():
        keys = {each.key: each.facts.example for each in in_file(spec)}
        for name, example in keys.items():
            main = "" if name == kind else f"{kind} = {keys[kind]}"
            text = f'base-url = "x"\nout = "o"\n[[source]]\n{main}\n{name} = {example}\n'
            assert spec_of(text).sites, (kind, name)
    for each in in_file(IndexSpec):
        given = "".join(f'{name} = "x"\n' for name in ("base-url", "out") if name != each.key)
        text = f"{HTML}[index]\n{given}{each.key} = {each.facts.example}\n"
        assert spec_of(text).index is not None, each.path


def test_options_of_the_writer_are_those_of_the_writer() -> None:
    usual = WriteOptions()
    site = {each.name: each for each in options_of(SiteOptions)}
    for each in options_of(WriteOptions):
        assert site[each.name].default == getattr(usual, each.name), each.name
