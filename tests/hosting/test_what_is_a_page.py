"""Which files of a directory are pages, and whose links count: cases of whole directories."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.cases import case_table
from tests.hosting.folders import page, urlset, write
from tests.hosting.test_audit import BASE, options

from urlset.pipeline.audit import audit

SITE = {
    "index.html": page(f"{BASE}/"),
    "sitemap.xml": urlset(f"{BASE}/"),
    "robots.txt": f"User-agent: *\nDisallow:\nSitemap: {BASE}/sitemap.xml\n",
}
NOINDEX = '<meta name="robots" content="noindex">'
IGNORED = ("LNK006", "LNK007", "PGE011")


def linking(*links: str, text: str = "", head: str = "") -> str:
    return page(None, links=links, text=text, head=head)


FOLDERS: dict[str, tuple[Mapping[str, str | bytes], list[str]]] = {
    "pages that only link to each other cannot be reached, and their broken links are found": (
        {
            "docs/a.html": linking("b.html", text="a"),
            "docs/b.html": linking("a.html", "gone.html", text="b"),
        },
        [
            "LNK005 /docs/b.html links to /docs/gone.html, which returns 404",
            "LNK011 /docs/a.html is in no sitemap, and it cannot be reached from the home page, only from pages such "
            "as /docs/b.html",
            "LNK011 /docs/b.html is in no sitemap, and it cannot be reached from the home page, only from pages such "
            "as /docs/a.html",
        ],
    ),
    "a link from a page that cannot be reached is no reason to list its target": (
        {"old.html": linking("b.html", text="old"), "b.html": linking(text="b")},
        [
            "LNK011 /b.html is in no sitemap, and it cannot be reached from the home page, only from pages such as "
            "/old.html",
            "LNK011 /old.html is in no sitemap, and no page links to it",
        ],
    ),
    "a listed page to which only such a page links": (
        {
            "a.html": linking(text="a"),
            "old.html": linking("a.html", text="old", head=NOINDEX),
            "sitemap.xml": urlset(f"{BASE}/", f"{BASE}/a.html"),
        },
        ["LNK002 /a.html: only pages that cannot be reached either link to it, such as /old.html"],
    ),
    "a redirect to a missing page that only such a page links to": (
        {"_redirects": "/moved /gone 301\n", "old.html": linking("/moved", text="old", head=NOINDEX)},
        ["LNK005 /old.html links to /moved, which returns 404"],
    ),
    "links of the error page are not links of the URL that is missing": (
        {
            "index.html": page(f"{BASE}/", links=["ref/gone.html"]),
            "404.html": linking("articles/one.html", text="not found"),
        },
        ["LNK005 / links to /ref/gone.html, which returns 404"],
    ),
    "feeds, JSON, calendars, and empty files are no pages, whatever their name": (
        {
            "index.html": page(f"{BASE}/", links=["feed/", "wp-json/"]),
            "feed/index.html": '<?xml version="1.0"?><rss version="2.0"><channel><title>t</title></channel></rss>',
            "wp-json/index.html": '{"name": "t", "routes": {}}',
            "events.html": "BEGIN:VCALENDAR\nEND:VCALENDAR",
            "empty/index.html": "",
            "blank.html": "\n",
        },
        [],
    ),
    "a feed that is listed as a page": (
        {
            "index.html": page(f"{BASE}/", links=["feed/"]),
            "feed/index.html": '<rss version="2.0"><channel><title>t</title></channel></rss>',
            "sitemap.xml": urlset(f"{BASE}/", f"{BASE}/feed/"),
        },
        ["PGE018 /feed/ is a feed, although its Content-Type is text/html"],
    ),
    "templates, partials, tools, verification, the login of a CMS, and pages with the title of an error": (
        {
            "card.html": "<title>{{ page.title }}</title><a href='{{ url }}'>x</a>",
            "_includes/nav.html": "<a href='gone.html'>x</a>",
            "node_modules/a/index.html": linking("gone.html"),
            "google1234567890abcdef.html": "google-site-verification: google1234567890abcdef.html",
            "admin/index.html": '<title>Content Manager</title><script src="/decap-cms.js"></script>',
            "moved.html": "<title>Page not found</title><p>text",
        },
        [],
    ),
    "the error page of the host is listed": (
        {
            "index.html": page(f"{BASE}/", links=["404.html"]),
            "404.html": linking("articles/one.html"),
            "sitemap.xml": urlset(f"{BASE}/", f"{BASE}/404.html"),
        },
        ["PGE034 /404.html is what visitors see in place of a missing page"],
    ),
    "a listed error page to which no page links is no orphan": (
        {"404.html": linking(), "sitemap.xml": urlset(f"{BASE}/", f"{BASE}/404.html")},
        ["PGE034 /404.html is what visitors see in place of a missing page"],
    ),
    "the ErrorDocument is listed, and its links are no links of missing pages": (
        {
            "index.html": page(f"{BASE}/", links=["oops.html", "de/404/"]),
            ".htaccess": "ErrorDocument 404 /oops.html\n",
            "oops.html": linking("articles/one.html", text="oops"),
            "de/404/index.html": "<title>Seite nicht gefunden</title><p>text<a href=gone.html>x</a>",
            "sitemap.xml": urlset(f"{BASE}/", f"{BASE}/oops.html", f"{BASE}/de/404/"),
        },
        [
            "PGE027 /de/404/ has 1 word of main text",
            "PGE034 /de/404/ is what visitors see in place of a missing page",
            "PGE034 /oops.html is what visitors see in place of a missing page",
        ],
    ),
    "pages that are only called like errors, and a folder called 404.html": (
        {
            "error/index.html": linking(text="error"),
            "api/null/index.html": linking(text="null"),
            "http/404.html": linking(text="status 404"),
            "http/200.html": linking(text="status 200"),
            "404.html/index.html": "<title>404</title><p>text",
        },
        [
            "LNK011 /api/null/ is in no sitemap, and no page links to it",
            "LNK011 /error/ is in no sitemap, and no page links to it",
            "LNK011 /http/200.html is in no sitemap, and no page links to it",
            "LNK011 /http/404.html is in no sitemap, and no page links to it",
        ],
    ),
}


@case_table("files,expected", FOLDERS)
def test_what_is_said_of_the_files_of_a_directory(
    files: Mapping[str, str | bytes], expected: list[str], tmp_path: Path
) -> None:
    folder = write(tmp_path / "dist", {**SITE, **files})
    result = audit([str(folder)], options(tmp_path / "s.duckdb", base_url=BASE, preview=False, ignore=IGNORED))
    found = [
        f"{finding.rule.code} {example.message.replace(BASE, '')}"
        for finding in result.report.findings
        for example in finding.examples
    ]
    assert sorted(found) == expected


def test_health_counts_invalid_and_foreign_urls(tmp_path: Path) -> None:
    listed = (f"{BASE}/", f"{BASE}/my docs/0.html", "https://[/x", "https://elsewhere.example/")
    pages = {"my docs/0.html": linking("gone.html"), "sitemap.xml": urlset(*listed)}
    folder = write(tmp_path / "dist", {**SITE, **pages})
    result = audit([str(folder)], options(tmp_path / "s.duckdb", base_url=BASE, select=("LNK",)))
    assert result.pages is not None
    assert (result.pages.good.part, result.pages.good.whole, result.pages.listed) == (1, 4, 4)
    assert result.pages.reasons == {"invalid-url": 2, "outside": 1}
    assert (result.pages.not_indexable, result.pages.unknown) == (2, 1)
    # The page is listed, although in a spelling that is no URL, and its links are read.
    assert {finding.rule.code for finding in result.report.findings} == {"LNK005"}


def test_other_spellings_of_listed_pages_that_a_filter_leaves_out_count_as_listed(tmp_path: Path) -> None:
    listed = urlset(f"{BASE}/", f"{BASE}/blog", f"{BASE}/blog/one")
    pages = {"blog/index.html": linking(text="blog"), "blog/one/index.html": linking(text="one"), ".nojekyll": ""}
    site = write(tmp_path / "site", SITE | pages | {"sitemap.xml": listed, "new/index.html": linking(text="new")})
    report = audit([str(site)], options(tmp_path / "s.duckdb", base_url=f"{BASE}/", include=("*/one",))).report
    unlisted = [
        example.url for finding in report.findings if finding.rule.code == "LNK011" for example in finding.examples
    ]
    assert unlisted == [f"{BASE}/new/"]
