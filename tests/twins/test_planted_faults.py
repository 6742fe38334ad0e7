"""Markdown twins and llms.txt of a site from end to end: nothing is found on a good one, and each planted fault is."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import duckdb
import pytest
from tests.hosting.folders import BASE, urlset, write
from tests.loopback import served

from urlset.options import AuditOptions
from urlset.pipeline.audit import audit
from urlset.store.file import Store

PAGES = [f"docs/page-{letter}" for letter in "abcdefghijkl"]
PARTS = ("Overview", "Installation", "Usage", "Limits", "Troubleshooting")

Files = dict[str, str | bytes]


def words(name: str, part: str) -> str:
    return " ".join(f"{name[-1]}{part[:4].lower()}{number}" for number in range(25))


def html(name: str) -> str:
    parts = "".join(f"<h2>{part} of {name[-1]}</h2><p>{words(name, part)}</p>" for part in PARTS)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Title of {name[-1]}</title>'
        f'<link rel="canonical" href="{BASE}{name}.html">'
        f'<link rel="alternate" type="text/markdown" href="/{name}.md"><link rel="describedby" href="/llms.txt">'
        f"</head><body><nav><h2>Menu</h2>Home</nav><main><h1>Page {name[-1]}</h1>{parts}"
        "<h2>Was this page helpful</h2></main></body></html>"
    )


def markdown(name: str) -> str:
    return f"# Page {name[-1]}\n\n" + "".join(f"## {part} of {name[-1]}\n\n{words(name, part)}\n\n" for part in PARTS)


def good_site() -> Files:
    links = "".join(f"- [Page {name[-1]}]({BASE}{name}.md)\n" for name in PAGES)
    return {
        **{f"{name}.html": html(name) for name in PAGES},
        **{f"{name}.md": markdown(name) for name in PAGES},
        "llms.txt": f"# Site\n\n> About\n\n## Docs\n\n{links}",
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {BASE}sitemap.xml\n",
        "sitemap.xml": urlset(*(f"{BASE}{name}.html" for name in PAGES)),
    }


def audited(root: Path, target: str, *, allow_private: bool = False) -> dict[str, int]:
    """The number of places of each finding of the families."""
    store = root.parent / f"{root.name}.duckdb"
    options = AuditOptions(
        store=store,
        cache=False,
        retries=0,
        score=False,
        select=("TWN", "LLM"),
        max_examples=100,
        allow_private=allow_private,
    )
    report = audit([target], options).report
    return {finding.rule.code: finding.count for finding in report.findings}


A, B = PAGES[:2]


def replaced(files: Files, name: str, old: str, new: str) -> None:
    text = files[name]
    assert isinstance(text, str)
    assert old in text
    files[name] = text.replace(old, new)


def entry(name: str) -> str:
    return f"<url><loc>{BASE}{name}</loc></url>"


def faulty_site() -> tuple[Files, dict[str, int]]:
    """Return a site with 15 planted faults, each on a page of its own, and the number of places of each finding."""
    files = good_site()
    deleted, html_, empty, other, cut, thin, listed, fragment, blocked, missing, outside, unlisted = PAGES
    del files[f"{deleted}.md"]
    files[f"{html_}.md"] = html(html_)
    files[f"{empty}.md"] = "---\ndraft: no\n---\n"
    files[f"{other}.md"] = markdown(cut)
    files[f"{cut}.md"] = markdown(cut).partition("## Usage")[0]
    files[f"{thin}.md"] = "\n".join(line for line in markdown(thin).splitlines() if "#" in line)
    replaced(files, "sitemap.xml", "</urlset>", f"{entry(f'{listed}.md')}</urlset>")
    replaced(files, f"{fragment}.html", f'"/{fragment}.md"', f'"/#/{fragment}.md"')
    replaced(files, "robots.txt", "Allow: /", f"Disallow: /{blocked}.md")
    replaced(files, f"{missing}.html", '"/llms.txt"', '"/docs/llms.txt"')
    files["blog/llms.txt"] = "# Blog\n"
    replaced(files, f"{outside}.html", '"/llms.txt"', '"/blog/llms.txt"')
    replaced(files, "sitemap.xml", entry(f"{unlisted}.html"), "")
    # In llms.txt: no title, an unlisted page, a page in place of its twin, and a broken link besides the deleted twin.
    replaced(files, "llms.txt", "# Site\n", "Site\n")
    replaced(files, "llms.txt", f"{unlisted}.md", f"{unlisted}.html")
    replaced(files, "llms.txt", f"{listed}.md", f"{listed}.html")
    replaced(files, "llms.txt", f"{missing}.md", f"{missing}-old.md")
    return files, {
        "TWN001": 1, "TWN002": 1, "TWN003": 1, "TWN004": 1, "TWN005": 2, "TWN008": 1, "TWN009": 1, "TWN010": 1,
        "LLM001": 1, "LLM002": 2, "LLM003": 1, "LLM004": 1, "LLM005": 1, "LLM006": 1,
    }  # fmt: skip


def test_15_planted_faults_are_found(tmp_path: Path) -> None:
    files, expected = faulty_site()
    assert audited(write(tmp_path / "site", files), str(tmp_path / "site")) == expected


def test_a_twin_with_the_title_of_another_page_has_its_text(tmp_path: Path) -> None:
    """Pages from one form differ in few words."""
    files = good_site()
    for name in PAGES:
        for files_of in (f"{name}.html", f"{name}.md"):
            text = files[files_of]
            assert isinstance(text, str)
            files[files_of] = text.replace(words(name, "Usage"), words("x", "Usage")).replace(f" of {name[-1]}", "")
    files[f"{A}.md"] = files[f"{B}.md"]
    assert audited(write(tmp_path / "site", files), str(tmp_path / "site")) == {"TWN004": 1}


def test_a_good_site_has_no_finding(tmp_path: Path) -> None:
    root = write(tmp_path / "site", good_site())
    store = tmp_path / "site.duckdb"
    options = AuditOptions(store=store, cache=False, score=False, select=("TWN", "LLM"))
    result = audit([str(root)], options)
    assert not result.report.findings
    assert result.twins is not None
    assert result.llms is not None
    twins = result.twins
    assert (twins.pages, twins.with_twin, twins.declared, twins.compared) == (12, 12, 12, 12)
    assert [(each.section, each.pages, each.linked) for each in result.llms.sections or ()] == [("/docs/", 12, 12)]


def test_a_listed_twin_counts_as_no_page(tmp_path: Path) -> None:
    files = good_site()
    replaced(files, "sitemap.xml", "</urlset>", f"{entry(f'{A}.md')}</urlset>")
    root = write(tmp_path / "site", files)
    options = AuditOptions(store=tmp_path / "site.duckdb", cache=False, score=False, select=("TWN", "LLM"))
    result = audit([str(root)], options)
    assert {finding.rule.code for finding in result.report.findings} == {"TWN008"}
    assert result.twins is not None
    assert result.llms is not None
    assert (result.twins.pages, result.twins.with_twin) == (12, 12)
    assert [(each.section, each.pages, each.linked) for each in result.llms.sections or ()] == [("/docs/", 12, 12)]


def test_twins_are_found_by_name(tmp_path: Path) -> None:
    files = good_site()
    for name in PAGES:
        replaced(files, f"{name}.html", f'<link rel="alternate" type="text/markdown" href="/{name}.md">', "")
    del files[f"{A}.md"]
    files[f"{B}.md"] = markdown(A)
    found = audited(write(tmp_path / "site", files), str(tmp_path / "site"))
    # A page without a twin is no finding, and the file of another page is.
    assert found == {"TWN004": 1, "LLM002": 1}
    with Store.read(tmp_path / "site.duckdb") as store:
        rows = store.rows("SELECT form, declared_by, count(*) FROM twins GROUP BY ALL")
    assert rows == [("page.md", None, 11)]


def test_markdown_files_that_are_no_twins_are_left_out(tmp_path: Path) -> None:
    files = {name: text for name, text in good_site().items() if name.endswith((".html", ".xml", "robots.txt"))}
    for name in PAGES:
        replaced(files, f"{name}.html", f'<link rel="alternate" type="text/markdown" href="/{name}.md">', "")
        files[f"{name}.md"] = "# Notes on the build\n\nnothing of the page"
    found = audited(write(tmp_path / "site", files), str(tmp_path / "site"))
    assert found == {"LLM004": 1}


def test_twins_of_other_sites_are_counted(tmp_path: Path) -> None:
    files = good_site()
    replaced(files, f"{A}.html", f'"/{A}.md"', f'"https://cdn.example.net/{A}.md"')
    root = write(tmp_path / "site", files)
    options = AuditOptions(store=tmp_path / "site.duckdb", cache=False, score=False, select=("TWN",))
    result = audit([str(root)], options)
    assert not result.report.findings
    assert "1 Markdown twin outside of the site not requested" in result.report.notes


class Server(BaseHTTPRequestHandler):
    """A server that returns twins, and negotiates."""

    files: ClassVar[Files] = {}
    headers_of_twins: ClassVar[dict[str, str]] = {}
    negotiated: ClassVar[dict[str, str] | None] = None

    def do_GET(self) -> None:
        name = self.path.lstrip("/")
        host = f"http://{self.headers['Host']}/"
        body = self.files.get(name)
        kind = "text/markdown" if name.endswith(".md") else "text/plain" if name.endswith(".txt") else "text/html"
        kind = "application/xml" if name.endswith(".xml") else kind
        more = self.headers_of_twins if name.endswith(".md") else {}
        if self.negotiated is not None and kind == "text/html" and "markdown" in self.headers.get("Accept", ""):
            body, kind, more = self.files.get(name.replace(".html", ".md")), "text/markdown", self.negotiated
        content = (body if isinstance(body, str) else "").replace(BASE, host).encode()
        self.send_response(200 if body is not None else 404)
        for header, value in {"Content-Type": kind, "Content-Length": str(len(content)), **more}.items():
            self.send_header(header, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def do_HEAD(self) -> None:
        self.do_GET()


SERVERS = [
    ("without headers", {}, None, {"TWN007": 12}),
    ("with noindex", {"X-Robots-Tag": "noindex"}, None, {}),
    ("negotiated without Vary", {"Link": '</a>; rel="canonical"'}, {"Vary": "Accept-Encoding"}, {"TWN006": 5}),
    ("negotiated with Vary", {"Link": '</a>; rel="canonical"'}, {"Vary": "Accept-Encoding, Accept"}, {}),
]


@pytest.mark.parametrize(("about", "headers", "negotiated", "expected"), SERVERS, ids=[each[0] for each in SERVERS])
def test_headers_of_a_server(
    about: str,
    headers: dict[str, str],
    negotiated: dict[str, str] | None,
    expected: dict[str, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("files", good_site()), ("headers_of_twins", headers), ("negotiated", negotiated)):
        monkeypatch.setattr(Server, name, value)
    with served(Server) as origin:
        found = audited(tmp_path / "server", origin, allow_private=True)
    assert found == expected, about
    with duckdb.connect(str(tmp_path / "server.duckdb"), read_only=True) as kept:
        [(asked, markdown_answers)] = kept.execute(
            "SELECT count(negotiated_status), count(*) FILTER (negotiated_type = 'text/markdown') FROM twins"
        ).fetchall()
    assert (asked, markdown_answers) == (5, 0 if negotiated is None else 5)


def test_a_page_that_declares_itself_is_asked_for_as_markdown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = good_site()
    for name in PAGES:
        replaced(files, f"{name}.html", f'href="/{name}.md"', f'href="/{name}.html"')
    # Nothing in a directory says whether its host negotiates.
    assert audited(write(tmp_path / "site", files), str(tmp_path / "site")) == {}
    negotiated = {"Vary": "Accept", "Link": '</a>; rel="canonical"'}
    for attribute, value in (("files", files), ("headers_of_twins", negotiated), ("negotiated", negotiated)):
        monkeypatch.setattr(Server, attribute, value)
    with served(Server) as origin:
        assert audited(tmp_path / "server", origin, allow_private=True) == {}
