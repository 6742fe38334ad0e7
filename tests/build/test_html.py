"""A folder of HTML as a source: which pages are listed under which URL, and why the others are not."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore import GitIgnorePatternError
from tests.cases import case_table

import urlset
from urlset.build.sources import html_folder
from urlset.build.sources.paths import alias_key, matcher
from urlset.errors import InputError
from urlset.files.built_parts import state_of
from urlset.options import BuildOptions
from urlset.options.building import BuildSpec, Site
from urlset.options.sources import HtmlFolder, UrlStyle
from urlset.pipeline.build import build
from urlset.web.html_page import PageFacts, read_page_files

from .judging import BASE, complaints, contents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.model.build import SiteReport

OLD_NS = 1_700_000_000 * 10**9


def folder(tmp_path: Path, pages: dict[str, str]) -> HtmlFolder:
    """A folder of these pages, all of them written long ago."""
    for name, content in pages.items():
        path = tmp_path / "public" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        os.utime(path, ns=(OLD_NS, OLD_NS))
    return HtmlFolder(folder=tmp_path / "public")


def built(tmp_path: Path, *sources: HtmlFolder, dry_run: bool = False, **site: Any) -> SiteReport:
    site = {"base_url": BASE, "out": str(tmp_path / "out"), "lastmod_from": (), **site}
    report, _ = build(BuildSpec(sites=(Site(sources=sources, **site),)), BuildOptions(dry_run=dry_run))
    return report.sites[0]


def listed(tmp_path: Path) -> list[str]:
    return [str(entry.loc) for entry in urlset.read(tmp_path / "out" / "sitemap.xml")]


def page(head: str = "", body: str = "text") -> str:
    return f"<!doctype html><html lang=en><head><title>T</title>{head}</head><body>{body}</body></html>"


def canonical(url: str) -> str:
    return page(f'<link rel="canonical" href="{url}">')


# The head of a page at /blog/a.html, and the URL it is listed under or the reason and what of it is told.
VERDICTS: dict[str, tuple[str, str | tuple[str, str]]] = {
    "plain": ("", f"{BASE}blog/a.html"),
    "canonical itself": (f'<link rel=canonical href="{BASE}blog/a.html">', f"{BASE}blog/a.html"),
    "canonical without ending": (f'<link rel=canonical href="{BASE}blog/a">', f"{BASE}blog/a"),
    "canonical with a slash": ('<link rel=canonical href="/blog/a/">', f"{BASE}blog/a/"),
    "canonical relative": ('<link rel=canonical href="a.html#top">', f"{BASE}blog/a.html"),
    "canonical by base": ('<base href="/"><link rel=canonical href="blog/a.html">', f"{BASE}blog/a.html"),
    "canonical empty": ('<link rel=canonical href="">', f"{BASE}blog/a.html"),
    "canonical elsewhere": ('<link rel=canonical href="/blog/b.html">', ("canonical-elsewhere", f"{BASE}blog/b.html")),
    "canonical on another host": (
        '<link rel=canonical href="https://www.example.com/blog/a.html">',
        ("canonical-elsewhere", "https://www.example.com/blog/a.html"),
    ),
    "canonical with a query": (
        '<link rel=canonical href="/blog/a.html?x=1">', ("canonical-elsewhere", f"{BASE}blog/a.html?x=1"),
    ),
    "two canonicals, the first of them itself": (
        '<link rel=canonical href="/blog/a.html"><link rel=canonical href="/b">', f"{BASE}blog/a.html",
    ),
    "two canonicals, the second of them itself": (
        '<link rel=canonical href="/b"><link rel=canonical href="/blog/a.html">', ("canonical-elsewhere", f"{BASE}b"),
    ),
    "noindex": ('<meta name=robots content="follow, NOINDEX">', ("noindex", "robots: noindex")),
    "noindex for Google": ('<meta name=Googlebot content="noindex">', ("noindex", "googlebot: noindex")),
    "noindex for Bing": ('<meta name=bingbot content="none">', ("noindex", "bingbot: none")),
    "noindex for images": ('<meta name=googlebot-image content="noindex">', f"{BASE}blog/a.html"),
    "expired": (
        '<meta name=robots content="unavailable_after: 2020-01-01">', ("not-yet", "unavailable_after: 2020-01-01"),
    ),
    "expired for Google, as RFC 850": (
        '<meta name=googlebot content="unavailable_after: 25 Jun 2010 15:00:00 GMT">',
        ("not-yet", "unavailable_after: 2010-06-25"),
    ),
    "expires later": ('<meta name=robots content="unavailable_after: 2999-01-01">', f"{BASE}blog/a.html"),
    "none": ('<meta name=robots content="none">', ("noindex", "robots: none")),
    "noindex for another": ('<meta name=otherbot content="noindex">', f"{BASE}blog/a.html"),
    "no such directive": ('<meta name=robots content="noindexing, max-image-preview:none">', f"{BASE}blog/a.html"),
    "refresh elsewhere": ('<meta http-equiv=refresh content="0; url=../new/">', ("redirect", f"{BASE}new/")),
    "refresh of itself": ('<meta http-equiv=refresh content="30">', f"{BASE}blog/a.html"),
    "refresh to itself": ('<meta http-equiv=refresh content="30; url=/blog/a.html">', f"{BASE}blog/a.html"),
}  # fmt: skip


@pytest.mark.parametrize(("head", "wanted"), VERDICTS.values(), ids=VERDICTS)
def test_what_becomes_of_a_page(tmp_path: Path, head: str, wanted: str | tuple[str, str]) -> None:
    report = built(tmp_path, folder(tmp_path, {"index.html": page(), "blog/a.html": page(head)}))
    [home, *others] = listed(tmp_path)
    assert home == BASE
    if isinstance(wanted, str):
        assert others == [wanted]
        assert report.left_out == {}
    else:
        assert others == []
        assert [(one.what, one.reason, one.detail) for one in report.examples] == [("blog/a.html", *wanted)]


def test_noindex_for_the_crawler_that_is_meant(tmp_path: Path) -> None:
    source = folder(tmp_path, {"a.html": page('<meta name="otherbot" content="noindex">'), "b.html": page()})
    assert built(tmp_path, source).left_out == {}
    assert built(tmp_path, source, robots_agent="OtherBot").left_out == {"noindex": 1}


STYLES = {
    UrlStyle.FILES: ["", "a.html", "blog/", "blog/b.html", "blog/c%20%C3%BC.html"],
    UrlStyle.SLASHES: ["", "a/", "blog/", "blog/b/", "blog/c%20%C3%BC/"],
    UrlStyle.BARE: ["", "a", "blog", "blog/b", "blog/c%20%C3%BC"],
    UrlStyle.EXACT: ["index.html", "a.html", "blog/index.html", "blog/b.html", "blog/c%20%C3%BC.html"],
}
FILES = ["index.html", "a.html", "blog/index.html", "blog/b.html", "blog/c ü.html"]


@pytest.mark.parametrize("style", UrlStyle)
def test_how_files_become_urls(tmp_path: Path, style: UrlStyle) -> None:
    source = folder(tmp_path, {**dict.fromkeys(FILES, page()), "style.css": "", ".hidden/x.html": page()})
    assert built(tmp_path, replace(source, urls=style)).left_out == {}
    assert listed(tmp_path) == [BASE + path for path in STYLES[style]]


def test_prefix_include_exclude_and_error_pages(tmp_path: Path) -> None:
    names = ["a.html", "b.htm", "c.php", "404.html", "drafts/x.html", "d/404.html", "e/old.tmp.html"]
    source = replace(
        folder(tmp_path, dict.fromkeys(names, page())),
        path_prefix="/docs/", include=("*.html", "*.php"), exclude=("drafts/", "*.tmp.html"),
    )  # fmt: skip
    report = built(tmp_path, source)
    assert listed(tmp_path) == [f"{BASE}docs/{name}" for name in ("a.html", "c.php")]
    assert report.left_out == {"error-page": 2, "excluded": 2}


# Files that are not pages: the content, and the reason and the detail.
NOT_PAGES: dict[str, tuple[str, str, str]] = {
    "google1234567890abcdef.html": ("google-site-verification: x", "verification", "verifies the owner of the site"),
    "yandex_1234567890abcdef.html": ("Verification: 1", "verification", "verifies the owner of the site"),
    "pinterest-1a2b3.html": (page(), "verification", "verifies the owner of the site"),
    "naver0123456789abcdef0123456789abcdef.html": ("naver", "verification", "verifies the owner of the site"),
    "baidu_verify_codeva-AbCdEf1234.html": ("x", "verification", "verifies the owner of the site"),
    "BingSiteAuth.html": ("x", "verification", "verifies the owner of the site"),
    "abcdefghij0123456789abcdefghij.html": ("abcdefghij", "verification", "verifies the owner of the site"),
    ".well-known/a.html": (page(), "verification", "in .well-known/"),
    "empty.html": ("", "empty", ""),
    "blank.html": (page(body=" "), "empty", "no words in its main text"),
    "card.html": ("<title>{{ page.title }}</title>{% for x in y %}{% endfor %}", "template", ""),
    "layout.htm": (page(body="{% block body %}text{% endblock %}"), "template", ""),
    "erb.html": (page(body="<%= text %>"), "template", ""),
    "php.html": (page(body="<?php echo 1 ?> text"), "template", ""),
    "v1/404.html": (page(), "error-page", ""),
    "de/404/index.html": (page(), "error-page", ""),
    "500.html": (page(), "error-page", ""),
    "gone.html": ("<title>Page not found</title>text", "error-page", "its title is 'Page not found'"),
    "node_modules/a/index.html": (page(), "tooling", "in node_modules/"),
    "_next/static/a.html": (page(), "tooling", "in _next/"),
    "site_libs/revealjs/a.html": (page(), "tooling", "in site_libs/"),
    "talk_files/plugin/notes/speaker-view.html": (page(), "tooling", "the speaker view of reveal.js"),
    "_includes/a.html": (page(), "partial", "in _includes/"),
    "_header.html": (page(), "partial", "its name starts with _"),
    "partials/nav.html": ("<p>a text", "partial", "has no title, and is in a directory of partials"),
    "_drafts/a.html": (page(), "draft", "in _drafts/"),
}  # fmt: skip


def test_files_that_are_not_pages(tmp_path: Path) -> None:
    pages = {name: content for name, (content, _, _) in NOT_PAGES.items()}
    report = built(tmp_path, folder(tmp_path, {"index.html": page(), **pages}))
    assert listed(tmp_path) == [BASE]
    found = {one.what: (one.reason, one.detail) for one in report.examples}
    assert found == {name: (reason, detail) for name, (_, reason, detail) in NOT_PAGES.items()}
    assert sum(report.left_out.values()) == len(NOT_PAGES)


# Pages that look like one of these.
PAGES = [
    "Index.html", "index.HTML", "A.HTML", "B.Htm", "_modules/a.html", "google-cloud.html", "pinterest-decade.html",
    "yandex.html", "templates/resume.html", "http/200.html", "http/404.html", "http/301.html", "layouts/a.html",
    "5f2b8c9d3e4a5b6c7d8e9f0a.html", "404-words.html", "partials.html",
]  # fmt: skip


def test_pages_that_look_like_something_else(tmp_path: Path) -> None:
    bodies = dict.fromkeys(PAGES, page())
    bodies["vue.html"] = page("<script src=vue.js></script>", "{{ name }} and more")
    bodies["docs.html"] = page(body="<pre>{% raw %}</pre> <code>{{ name }}</code> text")
    bodies["app.html"] = page("<script src=app.js></script>", "<div id=app></div>")
    report = built(tmp_path, folder(tmp_path, bodies))
    assert sorted(listed(tmp_path)) == sorted(BASE + name for name in bodies)
    assert report.left_out == {}
    assert [note for note in report.notes if "no main text" in note] == [
        "1 listed page has no main text in the HTML, such as https://example.com/app.html; use --exclude to leave out "
        "pages without content; if scripts render it, Google runs them later, and most other crawlers do not"
    ]


SHORT, LONG = "<p>one two three four five six", f"<p>{'word ' * 60}"

# Pages, and the start of the note on copies.
COPIES: dict[str, tuple[dict[str, str], str]] = {
    "the home page again": (
        {"index.html": f"<title>A</title>{SHORT}", "cover.html": f"<title>A</title>{SHORT}"},
        "1 listed page has the same content as another, such as cover.html (as index.html); search engines index one",
    ),
    "a long text": (
        {"a.html": f"<title>A</title>{LONG}", "b.html": f"<title>B</title>{LONG}", "c.html": LONG},
        "2 listed pages have the same content as another, such as b.html (as a.html); search",
    ),
    "short texts under titles of their own": (
        {"a.html": f"<title>A</title>{SHORT}", "b.html": f"<title>B</title>{SHORT}"},
        "",
    ),
    "short texts with canonicals": (
        {
            name: f"<title>A</title><link rel=canonical href=https://example.com/{name}>{SHORT}"
            for name in ("a.html", "b.html")
        },
        "",
    ),
    "hardly any text": ({"a.html": "<p>Loading …", "b.html": "<p>Loading …"}, ""),
    "language versions": (
        {
            name: f"<link rel=alternate hreflang={name[:2]} href=https://example.com/{name}>{LONG}"
            for name in ("de.html", "en.html")
        },
        "",
    ),
}


@case_table("pages, wanted", COPIES)
def test_copies_are_listed_and_noted(tmp_path: Path, pages: dict[str, str], wanted: str) -> None:
    report = built(tmp_path, folder(tmp_path, pages))
    assert len(listed(tmp_path)) == len(pages)
    notes = [note for note in report.notes if "the same content" in note]
    assert [note[: len(wanted)] for note in notes] == ([wanted] if wanted else [])


# The names and titles of listed pages, and parts of the note on them.
UNFINISHED: dict[str, tuple[dict[str, str], str]] = {
    "a title": (
        {"a.html": "Draft: Chairs", "b.html": "B"},
        "1 listed page has the name or title of a draft, template, or example, such as a.html (Draft: Chairs); to "
        "leave out such a page, add noindex to it, or use --exclude",
    ),
    "a name": (
        {"a.html": "A", "b/template.html": "B", "c/draft-2.html": ""},
        "2 listed pages have the name or title of a draft, template, or example, such as b/template.html (B); to",
    ),
    "neither": ({"draft-beer.html": "Draft beer", "templates.html": "Templates", "a.html": "Untitled by A"}, ""),
    "an example of a generator": ({"sample-page.html": "A"}, "sample-page.html (A)"),
    "a title to replace": ({"a.html": "Tool Name - Site", "b.html": "Tool names"}, "1 listed page has"),
    "a placeholder": ({"a.html": "1481 [page name]"}, "a.html (1481 [page name])"),
    "a long title": ({"a.html": f"Untitled: {'word ' * 50}"}, "word [...])"),
}  # fmt: skip


@case_table("titles, wanted", UNFINISHED)
def test_drafts_are_listed_and_noted(tmp_path: Path, titles: dict[str, str], wanted: str) -> None:
    pages = {name: f"<title>{title}</title><p>text" for name, title in titles.items()}
    report = built(tmp_path, folder(tmp_path, pages))
    assert sorted(listed(tmp_path)) == sorted(BASE + name for name in pages)
    notes = [note for note in report.notes if "or example, such" in note]
    assert len(notes) == bool(wanted)
    assert all(wanted in note for note in notes)


GLOBS = [
    ("*.html", "/a.html", True), ("*.html", "/b/a.html", True), ("/*.html", "/b/a.html", False),
    ("b/*.html", "/b/a.html", True),
    ("b/*.html", "/c/b/a.html", False), ("**/b/*.html", "/c/b/a.html", True), ("b/**", "/b/c/a.html", True),
    ("b/", "/b/c/a.html", True), ("b/", "/b", False), ("b", "/b/c/a.html", True), ("[ab]?.html", "/ax.html", True),
    ("a.b", "/axb", False),
    ("[!ab]?.html", "/ax.html", False), ("*", "/.well-known/x", True), ("a*/b", "/a/c/b", False),
    ("# a comment", "/# a comment", False), ("\\#a", "/#a", True),
    ("a**b", "/a/b", False), ("a.html ", "/a.html", True), ("[a-c]", "/b", True),
    ("a~~", "/a~~", True), ("*.html", "/\udce4.html", True), ("?.html", "/\udce4.html", True),
    ("[--a]", "/x", False), ("a b&-", "/a b&-", True),
    ("?", "/ä", True), ("??", "/ä", False), ("[ä-ö]", "/ä", True), ("[!a]", "/ä", True), ("*/?/c", "/日/本/c", True),
]  # fmt: skip


@pytest.mark.parametrize(("glob", "path", "matches"), GLOBS)
def test_globs(glob: str, path: str, matches: bool) -> None:
    assert matcher([glob])(path.removeprefix("/")) is matches


def test_the_last_glob_that_matches_decides() -> None:
    excluded = matcher(["drafts/*", "!drafts/ready.html"])
    assert excluded("drafts/a.html")
    assert not excluded("drafts/ready.html")
    with pytest.raises(urlset.errors.UsageError, match=r"not a valid \.gitignore pattern"):
        matcher(["!"])


GLOB_PARTS = st.sampled_from(
    [
        "a",
        "b",
        "*",
        "**",
        "/",
        "?",
        "[ab]",
        "[!a]",
        "[ä-ö]",
        "ä",
        "!",
        "#",
        "\\\\",
        " ",
        ".html",
        "a.html",
        "*.html",
        "drafts/",
    ]
)


@given(
    globs=st.lists(st.lists(GLOB_PARTS, max_size=5).map("".join), max_size=4),
    path=st.lists(
        st.sampled_from(["a", "b", "a.html", "b.html", "drafts", "ä", "a b", "!a", "#"]), min_size=1, max_size=4
    ),
)
def test_globs_match_as_pathspec_says(globs: list[str], path: list[str]) -> None:
    try:
        spec = GitIgnoreSpec.from_lines(globs)
    except GitIgnorePatternError:
        return
    assert matcher(globs)("/".join(path)) == spec.match_file("/".join(path))


def test_aliases_of_one_page() -> None:
    assert {alias_key(path) for path in ("/a", "/a/", "/a.html", "/a/index.html", "/a/INDEX.HTM")} == {"/a"}
    assert {alias_key(path) for path in ("/", "/index.html", "/index")} == {""}
    assert len({alias_key(path) for path in ("/a", "/b", "/a/b", "/aindex.html", "/a.php")}) == 5


def test_robots_of_the_folder_is_obeyed(tmp_path: Path) -> None:
    source = folder(
        tmp_path, {"a.html": page(), "private/b.html": page(), "robots.txt": "User-agent: *\nDisallow: /private\n"}
    )
    report = built(tmp_path, source)
    assert listed(tmp_path) == [f"{BASE}a.html"]
    assert report.left_out == {"robots": 1}
    # It is the one of the host only where the folder is its root.
    assert built(tmp_path, replace(source, path_prefix="/x/")).left_out == {}
    assert built(tmp_path, source, base_url=f"{BASE}private/").left_out == {}


def test_a_wrong_base_url_is_named(tmp_path: Path) -> None:
    pages = {f"{n}.html": canonical(f"https://www.example.com/{n}.html") for n in range(3)}
    (note,) = built(tmp_path, folder(tmp_path, pages), empty="write").notes
    assert note.startswith("3 pages have canonical URLs on https://www.example.com")


def test_images_are_listed_on_request(tmp_path: Path) -> None:
    body = (
        '<main><img src="/a.png"><img src="b.png"><img src="/a.png"><img src="data:image/png;base64,AA==">text</main>'
    )
    source = folder(tmp_path, {"x/p.html": page(body=body)})
    assert built(tmp_path, source).summary.files[0].images == 0
    # What the build before read was read without them.
    assert built(tmp_path, replace(source, images=True)).summary.files[0].images == 2
    (entry,) = urlset.read(tmp_path / "out" / "sitemap.xml")
    assert isinstance(entry, urlset.Url)
    assert [image.loc for image in entry.images] == [f"{BASE}a.png", f"{BASE}x/b.png"]


def language(code: str, links: dict[str, str], more: str = "") -> str:
    tags = "".join(f'<link rel="alternate" hreflang="{to}" href="{url}">' for to, url in links.items())
    return f"<html lang={code}><head>{tags}{more}</head><body>x"


EN_DE = {"en": "/en.html", "de": "/de.html"}
LANGUAGES: dict[str, tuple[dict[str, str], dict[str, set[tuple[str, str]]]]] = {
    "complete": (
        {"en.html": language("en", EN_DE), "de.html": language("de", EN_DE)},
        {"en": {("en", "en"), ("de", "de")}, "de": {("en", "en"), ("de", "de")}},
    ),
    "one way, and no word of itself": (
        {"en.html": language("en", {"de": "/de.html"}), "de.html": language("de", {})},
        {"en": {("en", "en"), ("de", "de")}, "de": {("en", "en"), ("de", "de")}},
    ),
    "to a page that is not listed": (
        {"en.html": language("en", EN_DE), "de.html": language("de", EN_DE, "<meta name=robots content=noindex>")},
        {"en": set()},
    ),
    "three in a row": (
        {
            "en.html": language("en", {"de": "/de.html"}),
            "de.html": language("de", {"fr": "/fr.html"}),
            "fr.html": language("fr", {}),
        },
        {name: {("en", "en"), ("de", "de"), ("fr", "fr")} for name in ("en", "de", "fr")},
    ),
    "a default that all pages share and that knows nothing of them": (
        {
            "index.html": language("en", {}),
            "en.html": language("en", {**EN_DE, "x-default": "/"}),
            "de.html": language("de", {**EN_DE, "x-default": "/"}),
        },
        {"": set(), "en": {("en", "en"), ("de", "de")}, "de": {("en", "en"), ("de", "de")}},
    ),
    "a default that is one of them": (
        {
            "en.html": language("en", {**EN_DE, "x-default": "/en.html"}),
            "de.html": language("de", {**EN_DE, "x-default": "/en.html"}),
        },
        {name: {("en", "en"), ("de", "de"), ("x-default", "en")} for name in ("en", "de")},
    ),
}


@pytest.mark.parametrize(("pages", "wanted"), LANGUAGES.values(), ids=LANGUAGES)
def test_language_versions(tmp_path: Path, pages: dict[str, str], wanted: dict[str, set[tuple[str, str]]]) -> None:
    report = built(tmp_path, folder(tmp_path, pages))
    found = {}
    for entry in urlset.read(tmp_path / "out" / "sitemap.xml"):
        assert isinstance(entry, urlset.Url)
        links = {(str(link.hreflang), _name(link.href)) for link in entry.alternates}
        found[_name(entry.loc)] = links
    assert found == wanted
    assert report.notes == ()
    assert complaints(tmp_path / "out") == []


def _name(url: str | None) -> str:
    return str(url).removeprefix(BASE).removesuffix(".html")


def test_language_versions_that_contradict_themselves_are_left_out(tmp_path: Path) -> None:
    pages = {
        "a.html": language("en", {"en": "/a.html", "de": "/c.html"}),
        "b.html": language("en", {"en": "/b.html", "de": "/c.html"}),
        "c.html": language("de", {"de": "/c.html"}),
    }
    report = built(tmp_path, folder(tmp_path, pages))
    assert report.summary.files[0].alternates == 0
    assert report.notes == (
        f"hreflang: {BASE}a.html and {BASE}b.html are both declared as the page for 'en'; hreflang links "
        "are omitted for the 3 pages of this cluster",
    )


def test_what_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = folder(tmp_path, {name: page() for name in ("a.html", "b.html", "c.html")})
    read: list[str] = []

    def reading(
        files: Sequence[tuple[str, str | None, str | None]], most: int, **more: Any
    ) -> list[PageFacts | OSError | None]:
        read.extend(path for path, _, _ in files)
        return read_page_files(files, most, **more)

    monkeypatch.setattr(html_folder, "read_page_files", reading)
    built(tmp_path, source)
    assert len(read) == 3
    before = contents(tmp_path / "out")
    built(tmp_path, source)
    assert len(read) == 3
    assert contents(tmp_path / "out") == before
    changed = tmp_path / "public" / "b.html"
    changed.write_text(page('<meta name="robots" content="noindex">'))
    os.utime(changed, ns=(OLD_NS, OLD_NS + 1))
    built(tmp_path, source, dry_run=True)
    assert len(read) == 4
    assert built(tmp_path, source).left_out == {"noindex": 1}
    assert len(read) == 5
    assert listed(tmp_path) == [f"{BASE}a.html", f"{BASE}c.html"]


def test_a_page_that_is_too_large_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = folder(tmp_path, {"a.html": page(), "b.html": page().ljust(2_000)})
    monkeypatch.setattr(html_folder, "MAX_PAGE_BYTES", 1_024)
    report = built(tmp_path, source)
    assert report.left_out == {"unreadable": 1}
    assert "larger than 1 KiB" in str(report.examples)
    assert listed(tmp_path) == [f"{BASE}a.html"]


def test_what_was_written_just_now_is_read_again(tmp_path: Path) -> None:
    """Its time may not show that it is written once more; what the store keeps must not be older than the file."""
    source = folder(tmp_path, {"a.html": page()})
    path = tmp_path / "public" / "a.html"
    os.utime(path)
    stat = path.stat()
    built(tmp_path, source)
    path.write_text(
        page().replace("<title>T", '<meta name=robots content="noindex">')[: stat.st_size].ljust(stat.st_size)
    )
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert built(tmp_path, source, allow_shrink=True, empty="write").left_out == {"noindex": 1}


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"version": 1}', b'{"version": 9, "core": "", "pages": {}}', b"\xff"]
)
def test_a_damaged_store_is_as_good_as_none(tmp_path: Path, damage: bytes) -> None:
    source = folder(tmp_path, {"a.html": page()})
    built(tmp_path, source)
    store = state_of(tmp_path / "out") / "sitemap.pages.json"
    kept = store.read_bytes()
    store.write_bytes(damage)
    built(tmp_path, source)
    assert store.read_bytes() == kept
    assert listed(tmp_path) == [f"{BASE}a.html"]


def test_a_page_that_cannot_be_read_is_counted(tmp_path: Path) -> None:
    source = folder(tmp_path, {"a.html": page()})
    (tmp_path / "public" / "b.html").symlink_to("nowhere")
    report = built(tmp_path, source)
    assert [(one.what, one.reason) for one in report.examples] == [("b.html", "unreadable")]
    assert report.problems == (f"{BASE}: 1 page left out: unreadable",)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="public: no such directory"):
        built(tmp_path, HtmlFolder(folder=tmp_path / "public"))
    assert not (tmp_path / "out" / "sitemap.xml").exists()
