"""`build --llms`: what is written, what stays, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.hosting.folders import write

from urlset.build import llms
from urlset.build.llms import MAX_DESCRIPTION, ListedPage, full_text, listed_pages, with_llms
from urlset.cli.main import main
from urlset.errors import InputError
from urlset.options.building import LlmsSpec
from urlset.web.llms_txt import parse_llms

BASE = "https://example.com/"


def html(title: str, description: str, head: str = "") -> str:
    return (
        f'<!doctype html><title>{title} | Site</title><meta name="description" content="{description}">{head}'
        f"<main><h1>{title}</h1><p>Text of {title}.</main>"
    )


def site(root: Path) -> Path:
    return write(
        root,
        {
            "index.html": html("Home", "All about chairs"),
            "docs/index.html": html("Documentation", "How to sit"),
            "docs/oak.html": html("Oak [1]", "Same"),
            "docs/oak.md": "# Oak",
            "docs/ash.html": html("Ash", "Same"),
            "docs/ash.md": html("Ash", "not Markdown"),
            "news.html": html("News", "&lt;!-- urlset: generated lines end -->"),
            "draft.html": html("Draft", "hidden", '<meta name="robots" content="noindex">'),
        },
    )


def build(root: Path, *more: str) -> int:
    return main(["build", str(root), "--base-url", BASE, "--llms", *more])


EXPECTED = """\
# Home | Site

> All about chairs

<!-- urlset: generated lines begin, digest {digest} -->

## Pages

- [Home | Site](https://example.com/): All about chairs
- [News](https://example.com/news.html): &lt;!-- urlset: generated lines end -->

## Documentation

- [Documentation](https://example.com/docs/): How to sit
- [Ash](https://example.com/docs/ash.html)
- [Oak \\[1\\]](https://example.com/docs/oak.md)

<!-- urlset: generated lines end -->
"""


def test_what_is_written(tmp_path: Path) -> None:
    root = site(tmp_path)
    assert build(root) == 0
    written = (root / "llms.txt").read_text(encoding="utf-8")
    digest = written.partition("digest ")[2][:16]
    assert written == EXPECTED.format(digest=digest)
    parsed = parse_llms(written.encode())
    assert not parsed.faults
    assert [link.text for link in parsed.links][-1] == "Oak [1]"
    assert build(root, "--check") == 0
    assert build(root) == 0
    assert (root / "llms.txt").read_text(encoding="utf-8") == written


def test_what_a_person_wrote_stays(tmp_path: Path) -> None:
    root = site(tmp_path)
    build(root)
    before = (root / "llms.txt").read_bytes()
    head, _, rest = before.partition(b"<!--")
    own = head.replace(b"All about chairs", b"My words\r\n\r\nand more")
    (root / "llms.txt").write_bytes(own + b"<!--" + rest + b"\n## My links\n- [x](https://example.org/)")
    (root / "docs/elm.html").write_text(html("Elm", "New"), encoding="utf-8")
    assert build(root, "--check") == 1
    assert build(root) == 0
    after = (root / "llms.txt").read_bytes()
    assert after.startswith(own)
    assert after.endswith(b"<!-- urlset: generated lines end -->\n\n## My links\n- [x](https://example.org/)")
    assert b"[Elm](https://example.com/docs/elm.html): New" in after
    assert b"Draft" not in after


REFUSED = [
    ("an edited line", lambda text: text.replace(b"[News]", b"[Our news]"), "edits in the generated lines"),
    (
        "no end",
        lambda text: text.replace(b"<!-- urlset: generated lines end -->", b""),
        "one begin marker and one end",
    ),
    ("no begin", lambda text: text.replace(b"lines begin", b"lines"), "without a begin marker"),
    ("a page", lambda _: b"<!doctype html><title>x", "is not an llms.txt"),
]


@pytest.mark.parametrize(("about", "edit", "reason"), REFUSED, ids=[about for about, _, _ in REFUSED])
def test_what_would_be_lost_is_refused(about: str, edit: object, reason: str) -> None:
    pages = [ListedPage(f"{BASE}news", "", None, None, "News", "")]
    written = with_llms(b"", pages, BASE, LlmsSpec()).content
    assert callable(edit)
    with pytest.raises(InputError, match=reason):
        with_llms(edit(written), pages, BASE, LlmsSpec())


@pytest.mark.parametrize("before", [b"# Mine", b"# Mine\n", b"\xef\xbb\xbf# Mine\r\n\r\n> Chairs\r\n"])
def test_a_file_without_generated_lines_gets_them_at_its_end(before: bytes) -> None:
    pages = [ListedPage(f"{BASE}a(1)", "", None, None, "A", "x" * MAX_DESCRIPTION)]
    written = with_llms(before, pages, BASE, LlmsSpec(sections={"/": "All"})).content
    assert written.startswith(before)
    assert with_llms(written, pages, BASE, LlmsSpec(sections={"/": "All"})).content == written
    parsed = parse_llms(written)
    assert not parsed.faults
    assert (parsed.title, parsed.sections, [link.target for link in parsed.links]) == ("Mine", ["All"], [f"{BASE}a(1)"])


def test_full_text(tmp_path: Path) -> None:
    root = site(tmp_path / "site")
    config = tmp_path / "urlset.toml"
    config.write_text('[build.llms]\ntitle = "Chairs"\nfull = true\n[build.llms.sections]\n"/docs/" = "Manual"\n')
    arguments = ["build", str(root), "--base-url", BASE, "--config", str(config)]
    assert main(arguments) == 0
    assert (root / "llms.txt").read_text(encoding="utf-8").startswith("# Chairs\n")
    assert "\n## Manual\n" in (root / "llms.txt").read_text(encoding="utf-8")
    full = (root / "llms-full.txt").read_text(encoding="utf-8")
    assert "URL: https://example.com/docs/ash.html\n\nAsh\n\nText of Ash." in full
    assert "Draft" not in full
    assert main([*arguments, "--check"]) == 0
    with pytest.raises(InputError, match="was not written by urlset"):
        full_text(b"My text", [])


def test_a_twin_behind_a_link_out_of_the_repository_is_refused(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"index.md": "# Secret"})
    root = write(tmp_path / "site", {"docs.html": html("Docs", "About")})
    (root / ".git").mkdir()
    try:
        (root / "docs").symlink_to(outside, target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links")
    with pytest.raises(InputError, match="symbolic link"):
        listed_pages({f"{BASE}docs/": str(root / "docs.html")}, BASE, root, print)


def test_an_llms_file_that_is_a_link_is_neither_read_nor_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = write(tmp_path / "outside", {"notes.txt": "# Mine"}) / "notes.txt"
    root = write(tmp_path / "site", {"index.html": html("Home", "Oak")})
    try:
        (root / "llms.txt").symlink_to(outside)
    except OSError:
        pytest.skip("no symbolic links")
    assert main(["build", str(root), "--base-url", BASE, "--llms", "--no-config"]) == 3
    assert "llms.txt: it is a symbolic link, so it is not used" in capsys.readouterr().err
    assert outside.read_text(encoding="utf-8") == "# Mine"
    # The directory may be a link: the user named it.
    (root / "llms.txt").unlink()
    (tmp_path / "current").symlink_to(root, target_is_directory=True)
    assert main(["build", str(tmp_path / "current"), "--base-url", BASE, "--llms", "--no-config"]) == 0
    assert (root / "llms.txt").is_file()


TITLES = {
    "the name of the site": ("Home | Site", ["News | Site"], ["News"]),
    "the whole title of the site": ("Site", ["News - Site"], ["News"]),
    "two names of the site": ("Home | Shop | Site", ["News | Shop | Site"], ["News"]),
    "a word of the name": ("Python and Rust cookbook", ["Sorting - Python"], ["Sorting - Python"]),
    "titles that would be the same": ("A - B", ["News - A", "News - B", "Jobs - B"], ["News - A", "News - B", "Jobs"]),
    "a title that would be that of another": ("A - B", ["X", "X - A", "X - A - B"], ["X", "X - A", "X - A - B"]),
    "titles that are the same": ("Site", ["News - Site", "News - Site"], ["News", "News"]),
}


@pytest.mark.parametrize(("site", "titles", "expected"), TITLES.values(), ids=TITLES)
def test_titles_lose_the_name_of_the_site_alone(
    site: str, titles: list[str], expected: list[str], tmp_path: Path
) -> None:
    files = {"index.html": site} | {f"{number}.html": title for number, title in enumerate(titles)}
    root = write(tmp_path, {name: f"<!doctype html><title>{title}</title><p>x" for name, title in files.items()})
    urls = {BASE + name.removeprefix("index.html"): str(root / name) for name in files}
    assert [page.title for page in listed_pages(urls, BASE, root, print)] == [site, *expected]


def test_files_that_cannot_be_read_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, {"a.html": html("A", "About"), "a.md": "# A" + " long" * 200})
    monkeypatch.setattr(llms, "MAX_PAGE_BYTES", 500)
    notes: list[str] = []
    [page] = listed_pages({f"{BASE}a.html": str(root / "a.html")}, BASE, root, notes.append)
    assert (page.title, page.twin) == ("A", None)
    [note] = notes
    assert note.startswith(f"Markdown twin {root / 'a.md'} left out: larger than ")
    gone = ListedPage(f"{BASE}b", str(root / "b.html"), None, None, "B", "")
    written = full_text(b"", [gone, page])
    assert (written.pages, written.notes) == (
        1, (f"{gone.path} left out of llms-full.txt: no such file or directory",)
    )  # fmt: skip
    assert b"Text of A" in written.content


def test_it_needs_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    urls = tmp_path / "urls.txt"
    urls.write_text(f"{BASE}a\n")
    assert main(["build", str(urls), "--base-url", BASE, "-o", str(tmp_path), "--llms"]) == 2
    assert "--llms needs a directory of HTML" in capsys.readouterr().err


def test_what_a_person_links_is_not_repeated(tmp_path: Path) -> None:
    before = f"# Mine\n\n## First\n\n- [A]({BASE}a)\n- [B]({BASE}b.md)\n".encode()
    pages = [
        ListedPage(f"{BASE}a", "", None, None, "A", ""),
        ListedPage(f"{BASE}b", "", f"{BASE}b.md", tmp_path, "B", ""),
        ListedPage(f"{BASE}c", "", None, None, "C", ""),
    ]
    written = with_llms(before, pages, BASE, LlmsSpec(), "llms.txt")
    assert [link.target for link in parse_llms(written.content).links] == [f"{BASE}a", f"{BASE}b.md", f"{BASE}c"]
    assert written.notes == (
        "2 pages are linked in your own lines of llms.txt, and not repeated in the generated lines",
    )
    assert with_llms(written.content, pages, BASE, LlmsSpec(), "llms.txt") == written


def test_pages_are_not_named_after_the_site(tmp_path: Path) -> None:
    texts = {name: html("Free Books", "") for name in ("index.html", "books/Short_Stories.html", "books/life.html")}
    texts["books/oak.html"] = "<title>Oak</title><h1>Free Books</h1><p>text"
    root = write(tmp_path, texts)
    files = {f"{BASE}{name.removesuffix('index.html')}": str(root / name) for name in texts}
    titles = {page.url.removeprefix(BASE): page.title for page in listed_pages(files, BASE, root, print)}
    assert titles == {
        "": "Free Books | Site",
        "books/Short_Stories.html": "Short Stories",
        "books/life.html": "Life",
        "books/oak.html": "Oak",
    }


SECTIONS = {
    "docs": ("Quickstart", "Docs"),
    "documentation": ("Docs and guides", "Docs and guides"),
    "kb": ("Knowledge Base", "Knowledge Base"),
    "team": ("The Team", "The Team"),
    "lab-exercises": ("Lab Exercises", "Lab Exercises"),
    "zh": ("文档", "文档"),
    "en": ("Example", "En"),
    "news": ("News | Example", "News"),
}
"""The folder, the heading of its index page, and the name of its section."""


@pytest.mark.parametrize("folder", SECTIONS)
def test_a_section_is_named_after_its_index_page_only_if_that_names_the_folder(folder: str, tmp_path: Path) -> None:
    heading, expected = SECTIONS[folder]
    root = write(tmp_path, {"index.html": html("Example", ""), f"{folder}/index.html": html(heading, "")})
    files = {BASE: str(root / "index.html"), f"{BASE}{folder}/": str(root / folder / "index.html")}
    written = with_llms(b"", listed_pages(files, BASE, root, print), BASE, LlmsSpec()).content
    assert parse_llms(written).sections == [expected] or parse_llms(written).sections == ["Pages", expected]


def test_sections_with_the_same_heading_are_named_after_their_folders(tmp_path: Path) -> None:
    names = ("chair-docs", "chair-docs-old")
    root = write(tmp_path, {f"{name}/index.html": html("Chair", "") for name in names})
    files = {f"{BASE}{name}/": str(root / name / "index.html") for name in names}
    written = with_llms(b"", listed_pages(files, BASE, root, print), BASE, LlmsSpec()).content
    assert sorted(parse_llms(written).sections) == ["Chair docs", "Chair docs old"]
