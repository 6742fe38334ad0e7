"""`urlset build DIR` infers the base URL and the output directory, and says so, with dates and totals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cases import case_table
from tests.conftest import Outcome

import urlset

Cli = Callable[..., Outcome]

BASE = "https://example.com"
DATED = '<meta property="article:modified_time" content="2026-01-02T03:04:05Z">'


def pages(folder: Path, **canonicals: str) -> Path:
    """Writes a page per name, with the canonical if it is not empty."""
    for name, canonical in canonicals.items():
        path = folder / f"{name.replace('__', '/')}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
        path.write_text(f"<!doctype html><title>{name}</title>{link}<p>{name}")
    return folder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_link_agrees(cli: Cli) -> None:
    pages(Path("public"), index=f"{BASE}/")
    assert f"{BASE}/, on which 1 canonical link agrees;" in cli("build", "public").out


def test_what_is_inferred_is_said(cli: Cli) -> None:
    pages(
        Path("public"),
        index=f"{BASE}/",
        a=f"{BASE}/a",
        blog__b=f"{BASE}/blog/b.html",
        c="",
        node_modules__d="https://d.example/",
    )
    outcome = cli("build", "public")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[0] == f"{BASE}/ in public: 4 URLs"
    for note in (
        f"note: the base URL is {BASE}/, on which 3 canonical links agree; --base-url sets another",
        "note: the sitemaps belong in public, the directory of the pages; -o sets another",
    ):
        assert f"  {note}" in outcome.out.splitlines()
    locs = [entry.loc for entry in urlset.read("public/sitemap.xml")]
    assert locs == [f"{BASE}/", f"{BASE}/a", f"{BASE}/blog/b.html", f"{BASE}/c.html"]
    again = cli("build", "public", "--format", "json").json
    assert again["changed"] is False
    assert len(again["sites"][0]["notes"]) == 2


INFERRED: dict[str, tuple[dict[str, str], str]] = {
    "below a path": ({"index": f"{BASE}/project/", "a": f"{BASE}/project/a.html"}, f"{BASE}/project/"),
    "a root without a slash": ({"index": BASE, "a": f"{BASE}/a.html"}, f"{BASE}/"),
    "a port": ({"index": "http://localhost:8000/"}, "http://localhost:8000/"),
    "relative canonicals do not count": ({"index": f"{BASE}/", "a": "/a"}, f"{BASE}/"),
}

# Files, options, and the message.
NOT_INFERRED: dict[str, tuple[dict[str, str], tuple[str, ...], int, str]] = {
    "a sitemap names it": (
        {"index.html": "<p>a", "sitemap.xml": f"<urlset><url><loc>{BASE}/p/</loc></url></urlset>"},
        (),
        2,
        f"no canonical link has the URL of a page in .; its robots.txt, sitemaps, or CNAME name {BASE}/p/: add "
        f"--base-url {BASE}/p/ if",
    ),
    "CNAME names it": (
        {"index.html": "<p>a", "CNAME": "www.example.com"}, (), 2, "add --base-url https://www.example.com/ if",
    ),
    "a hostile sitemap": (
        {"index.html": "<p>a", "sitemap.xml": f"<urlset><url><loc>{BASE}/\x1b[31m/</loc></url></urlset>"},
        (),
        2,
        f"add --base-url {BASE}/",
    ),
    "the source of a site": (
        {"index.html": "---\nlayout: a\n---\n{% include a.html %}", "_layouts/a.html": "{{ a }}", "post.md": "A"},
        (),
        3,
        "is the source of a Jekyll site (2 of 2 pages read begin with front matter or have template tags, such as "
        "index.html); build the site, and name `_site/`; `html:.` lists its HTML files anyway, and `files:.` its "
        "sources",
    ),
    "the source of a site, at a URL": (
        {"index.html": "---\n---\na"}, ("--base-url", BASE), 3, "is the source of a site (",
    ),
    "the source of a site, checked": (
        {"index.html": "---\n---\na"}, ("--base-url", BASE, "--check", "--links"), 3, "is the source of a site (",
    ),
    "a source with its build": (
        {"index.html": "---\n---\na", "dist/index.html": "<p>a"}, ("--base-url", BASE), 3, "; name `dist/`;",
    ),
    "the HTML files of a source": (
        {"index.html": "---\n---\na", "b.html": "<p>b"}, ("--base-url", BASE, "--include", "b.html"), 0, "",
    ),
}  # fmt: skip

REFUSED: dict[str, tuple[dict[str, str], tuple[str, ...], str]] = {
    "two hosts": (
        {"index": f"{BASE}/", "a": "https://www.example.com/a"},
        (),
        "canonical links are on https://example.com and",
    ),
    "two schemes": ({"index": f"{BASE}/", "a": "http://example.com/a"}, (), "the base URL is unclear"),
    "two paths": ({"index": f"{BASE}/shop/", "a": f"{BASE}/a"}, (), "the base URL is unclear"),
    "no canonicals": ({"index": "", "a": ""}, (), "no canonical link has the URL of a page in public; add --base-url"),
    "canonicals of other pages": ({"a": f"{BASE}/b/c/d"}, (), "no canonical link has the URL of a page in public"),
    "an output below the pages": ({"index": f"{BASE}/"}, ("-o", "public/sitemaps"), "no base URL; add --base-url"),
    "pages below the output": ({"index": f"{BASE}/"}, ("--path-prefix", "de/"), "no base URL; add --base-url"),
    "text that is none": ({"index": "https://\x1b[31m/"}, (), "no canonical link has the URL"),
}


def test_the_base_url(cli: Cli, folder: Path, subtests: pytest.Subtests) -> None:
    for name, (canonicals, base) in INFERRED.items():
        with subtests.test(name):
            site = pages(folder / name, **canonicals)
            assert cli("build", str(site), "--format", "json").json["sites"][0]["base_url"] == base


def test_a_base_url_that_is_unclear_is_asked_for(cli: Cli, folder: Path, subtests: pytest.Subtests) -> None:
    for number, (name, (canonicals, options, message)) in enumerate(REFUSED.items()):
        with subtests.test(name):
            place = folder / str(number)
            pages(place / "public", **canonicals)
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(place)
                outcome = cli("build", "public", *options)
            assert outcome.code == 2
            assert message in outcome.err
            assert "\x1b" not in outcome.err
            assert not list(place.rglob("sitemap*"))


@case_table("files, options, code, message", NOT_INFERRED)
def test_what_to_give_instead(
    cli: Cli,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    options: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    folder = tmp_path_factory.mktemp("site")
    monkeypatch.chdir(folder)
    for name, content in {".git/a": "", **files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    outcome = cli("build", ".", *options)
    assert outcome.code == code
    assert message in outcome.err
    assert "\x1b" not in outcome.err


def test_what_is_given_is_not_inferred(cli: Cli) -> None:
    pages(Path("public"), index=f"{BASE}/", a="https://other.example/a")
    assert cli("build", "public", "--base-url", BASE, "-o", "out").code == 0
    Path("urlset.toml").write_text('[build]\nout = "elsewhere"\n')
    pages(Path("public"), a=f"{BASE}/a")
    outcome = cli("build", "public")
    assert "in elsewhere: 2 URLs" in outcome.out
    assert "belong in" not in outcome.out
    assert not Path("public/sitemap.xml").exists()


def test_dates_and_totals(cli: Cli) -> None:
    pages(Path("public"), index=f"{BASE}/", a=f"{BASE}/a")
    Path("public/dated.html").write_text(f"<!doctype html><title>Dated</title>{DATED}<p>Dated")
    Path("public/hidden.html").write_text("<!doctype html><title>H</title><meta name=robots content=noindex><p>Hidden")
    Path("public/404.html").write_text("<!doctype html><title>Not found</title><p>Not found")
    Path("list.csv").write_text("loc,lastmod\n/x,2026-02-03\n/y,2026-02-04\n/z,\n")
    arguments = ("--base-url", BASE, "-o", "public")
    out = cli("build", "public", *arguments).out.splitlines()
    assert "  lastmod: 1 of 3 URLs (from page 1)" in out
    assert "  left out in total: 2" in out
    both = cli("build", "public", "list.csv", *arguments, "--format", "json").json["sites"][0]
    assert (both["dated"], both["dates_from"], both["left_out_in_total"]) == (3, {"page": 1, "given": 2}, 2)
    Path("list.csv").write_text("loc,lastmod\n/dated.html,2026-02-03\nftp://example.com/,\n/z,\n")
    site = cli("build", "public", "list.csv", *arguments, "--format", "json").json["sites"][0]
    # The writer says which entries it refused, but not from where their dates were.
    assert (site["dated"], site["dates_from"], site["left_out_in_total"]) == (1, None, 4)
    out = cli("build", "list.csv", *arguments, "--allow-shrink").out.splitlines()
    assert "  lastmod: 1 of 2 URLs (from given 1)" in out
    Path("list.csv").write_text("/z\n")
    assert (
        "  lastmod: none of 1 URL; --explain-lastmod URL shows why"
        in cli("build", "list.csv", *arguments, "--allow-shrink").out
    )
    assert "left out in total" not in cli("build", "list.csv", *arguments).out
    assert json.loads(cli("build", "list.csv", *arguments, "--format", "json").out)["sites"][0]["dated"] == 0
