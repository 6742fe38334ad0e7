"""What the HTML of the pages of a directory decides: cases of whole directories."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.cases import case_table
from tests.hosting.folders import page, urlset, write
from tests.hosting.test_audit import BASE, options

from urlset.pipeline.audit import audit

ALTERNATE = '<link rel="alternate" hreflang="{}" href="{}">'
OF_HOME = ALTERNATE.format("ru", f"{BASE}/") + ALTERNATE.format("en", f"{BASE}/en/")
WORDS = "Words about a subject that are long enough to count as the text of a page. " * 8
IGNORED = ("LNK002", "PGE011", "ROB006", "COV002")


def listing(*paths: str) -> str:
    return urlset(*(f"{BASE}/{path}" for path in paths))


FOLDERS: dict[str, tuple[Mapping[str, str], list[str]]] = {
    "the head ends at the text after the body tag": (
        {
            "pay.html": "<head></head>\n<body>?\n<meta name=robots content=noindex><title>Pay</title>"
            f"<link rel=canonical href={BASE}/pay.html><p>{WORDS}",
            "sitemap.xml": listing("", "pay.html"),
        },
        ["PGE031 /pay.html has canonical: /pay.html, robots: noindex after the end of the head: <body> on line 2"],
    ),
    "a page whose only script redirects": (
        {
            "old/index.html": f'<title>Redirect</title><script>window.location.replace("{BASE}/")</script>'
            f"<noscript><meta http-equiv=refresh content='0; url={BASE}/'></noscript><p><a href={BASE}/>Click here</a>",
            "sitemap.xml": listing("", "old/"),
        },
        ["PGE015 /old/ redirects to / by script"],
    ),
    "words in buttons": (
        {
            "books.html": "<title>Books</title><script></script>"
            + "".join(f"<div><button><span>The name of book {number}</span></button></div>" for number in range(20)),
            "sitemap.xml": listing("", "books.html"),
        },
        [],
    ),
    "one page without text for all URLs": (
        {
            **{f"{name}.html": "<title>App</title><div id=app></div><script src=/app.js></script>" for name in "abc"},
            "sitemap.xml": listing("", "a.html", "b.html", "c.html"),
        },
        [f"PGE033 /{name}.html returns the same page without main text as other URLs (title: App)" for name in "abc"],
    ),
    "every page has the hreflang links of the home page": (
        {
            "index.html": page(f"{BASE}/", head=OF_HOME),
            "en/index.html": page(f"{BASE}/en/", head=OF_HOME),
            "a/index.html": page(f"{BASE}/a/", head=OF_HOME),
            "sitemap.xml": listing("", "en/", "a/"),
        },
        [
            "HRL018 /a/ has hreflang links (ru, en), such as to /, but none to itself",
            "HRL019 /a/ has an hreflang link to /, which has none back; pages without a link back: 2",
        ],
    ),
    "a language version and a canonical that do not exist, which nobody lists": (
        {
            "index.html": page(f"{BASE}/", head=ALTERNATE.format("en", f"{BASE}/") + ALTERNATE.format("de", "/de/")),
            "a/index.html": page(f"{BASE}/gone/", text="a"),
            "b/index.html": page("https://other.example/b/", text="b"),
            "sitemap.xml": listing("", "a/", "b/"),
        },
        [
            "HRL020 / has an hreflang link to /de/, which returns 404; pages with this link: 1",
            "PGE010 /b/ has the canonical URL https://other.example/b/",
            "PGE014 /a/ has the canonical URL /gone/, which returns 404",
        ],
    ),
}


@case_table("files,expected", FOLDERS)
def test_what_the_html_of_a_directory_decides(files: Mapping[str, str], expected: list[str], tmp_path: Path) -> None:
    usual = {"index.html": page(f"{BASE}/"), "robots.txt": f"User-agent: *\nSitemap: {BASE}/sitemap.xml\n"}
    folder = write(tmp_path / "site", {**usual, **files})
    result = audit([str(folder)], options(tmp_path / "s.duckdb", base_url=BASE, preview=False, ignore=IGNORED))
    found = [
        f"{finding.rule.code} {example.message.replace(BASE, '')}"
        for finding in result.report.findings
        for example in finding.examples
    ]
    assert sorted(found) == expected
