"""`urlset build` as a user meets it: sources by their looks, flags, what is written, what is said, how it ends."""

from __future__ import annotations

import io
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import urlset
from urlset.cli.main import main
from urlset.report.json_schema import schema as schema_of

BASE = "https://example.com"
SIMPLE = ["public", "--base-url", BASE, "-o", "public"]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two pages and robots.txt, and lists beside it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "public" / "blog").mkdir(parents=True)
    (tmp_path / "public" / "index.html").write_text("<title>Home</title><p>Home")
    (tmp_path / "public" / "blog" / "a.html").write_text("<title>A</title><p>A")
    (tmp_path / "public" / "robots.txt").write_bytes(b"User-agent: *\r\nDisallow: /private\r\n")
    (tmp_path / "urls.csv").write_text("loc,lastmod\n/c,2025-11-14\n/bad,2025-99-99\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def listed(path: str = "public/sitemap.xml") -> list[str]:
    return [str(entry.loc).removeprefix(BASE) for entry in urlset.read(path)]


def schema() -> Draft202012Validator:
    return Draft202012Validator(schema_of("build"))


def test_the_one_line_build(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", *SIMPLE, "--lastmod-from", "given"]) == 0
    assert listed() == ["/", "/blog/a.html"]
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.splitlines() == [
        "https://example.com/ in public: 2 URLs",
        "  sitemap.xml  2 URLs, 207 bytes",
        "  lastmod: none of 2 URLs; --explain-lastmod URL shows why",
        "  add to the robots.txt of example.com (or use --robots FILE):",
        "    Sitemap: https://example.com/sitemap.xml",
        "",
        "Published: 2 URLs.",
    ]
    assert main(["validate", "public"]) == 0


def test_robots_lines_are_put_in_and_nothing_else(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robots = Path("public/robots.txt")
    before = robots.read_bytes()
    arguments = ["build", *SIMPLE, "--robots", str(robots)]
    assert main([*arguments, "--dry-run"]) == 0
    assert robots.read_bytes() == before
    assert "public/robots.txt would contain:" in capsys.readouterr().out
    assert main(arguments) == 0
    assert robots.read_bytes() == before + b"Sitemap: https://example.com/sitemap.xml\r\n"
    assert "public/robots.txt now contains:" in capsys.readouterr().out
    assert main([*arguments, "--gzip", "all"]) == 0
    assert robots.read_bytes() == before + b"Sitemap: https://example.com/sitemap.xml.gz\r\n"
    assert not Path("public/sitemap.xml").exists()


INDEX = (
    '<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<sitemap><loc>https://example.com/{}</loc></sitemap></sitemapindex>"
)


def test_an_index_of_another_tool_that_robots_txt_names_is_told(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("sitemap-index.xml", "all.xml", "elsewhere.xml", "broken.xml", "../up.xml", "sitemap.xml")
    Path("public/robots.txt").write_text("".join(f"Sitemap: https://example.com/{name}\n" for name in names), "utf-8")
    Path("public/sitemap-index.xml").write_text(INDEX.format("sitemap-0.xml"), "utf-8")
    Path("public/all.xml").write_text(INDEX.format("sitemap.xml"), "utf-8")
    Path("public/broken.xml").write_bytes(b"\x1f\x8b\0")
    Path("up.xml").write_text(INDEX.format("sitemap-0.xml"), "utf-8")
    assert main(["build", *SIMPLE, "--lastmod-from", "given"]) == 0
    shown = capsys.readouterr().out.splitlines()
    robots = Path("public/robots.txt")
    assert [line for line in shown if "robots.txt" in line or "note" in line] == [
        f"  note: {robots} still names https://example.com/sitemap-index.xml, an index that this build did not write "
        "and that does not list its sitemaps; if this build replaces it, remove the line and the file",
        f"  note: {robots} names 1 sitemap that is no file of public, such as https://example.com/elsewhere.xml; "
        "remove what does not exist",
        f"  {robots} contains the Sitemap line of this build (unchanged)",
    ]


def test_several_sources_and_what_is_left_out(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["build", "public", "urls.csv", "--base-url", BASE, "-o", "out", "--exclude", "blog/"]
    assert main([*arguments, "--left-out", "left-out.jsonl"]) == 0
    assert listed("out/sitemap.xml") == ["/", "/c", "/bad"]
    out = capsys.readouterr().out
    assert "left out (1, excluded): excluded by a glob pattern\n    blog/a.html\n" in out
    assert "field left out (1, date-invalid):" in out
    assert [json.loads(line) for line in Path("left-out.jsonl").read_text().splitlines()] == [
        {"what": "blog/a.html", "reason": "excluded", "detail": ""},
    ]
    assert main([*arguments, "--strict"]) == 1
    captured = capsys.readouterr()
    assert "nothing was published because of the option strict" in captured.err
    assert listed("out/sitemap.xml") == ["/", "/c", "/bad"]


def test_check_says_whether_anything_would_change_or_is_wrong(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", *SIMPLE, "--check"]) == 1
    assert not Path("public/sitemap.xml").exists()
    assert not Path("public/.urlset-build").exists()
    assert "Would change; nothing was written: 2 URLs." in capsys.readouterr().out
    assert main(["build", *SIMPLE]) == 0
    assert main(["build", *SIMPLE, "--check"]) == 0
    assert "No changes to publish: 2 URLs." in capsys.readouterr().out
    Path("public/sitemap.xml").write_text("edited by hand")
    assert main(["build", *SIMPLE, "--check"]) == 1
    assert main(["build", "urls.csv", "--base-url", BASE, "-o", "out"]) == 0
    assert main(["build", "urls.csv", "--base-url", BASE, "-o", "out", "--check"]) == 1
    assert "problem: https://example.com/: 1 field left out: date-invalid" in capsys.readouterr().out


def test_diff_shows_what_would_change(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", *SIMPLE, "--diff"]) == 0
    assert "Nothing has been published yet; everything is new." in capsys.readouterr().out
    assert main(["build", *SIMPLE]) == 0
    before = Path("public/sitemap.xml").read_bytes()
    Path("public/new.html").write_text("<p>New")
    Path("public/blog/a.html").unlink()
    capsys.readouterr()
    assert main(["build", *SIMPLE, "--diff"]) == 0
    out = capsys.readouterr().out
    assert "1 URL added\n  + https://example.com/new.html\n" in out
    assert "1 URL removed\n  - https://example.com/blog/a.html\n" in out
    assert Path("public/sitemap.xml").read_bytes() == before


@pytest.mark.long("slow cases")
def test_json_is_as_its_schema_says(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def report(*arguments: str) -> dict[str, Any]:
        main(["build", *arguments, "--format", "json"])
        found = json.loads(capsys.readouterr().out)
        schema().validate(found)
        return dict(found)

    first = report("public", "urls.csv", "--base-url", BASE, "-o", "out", "--exclude", "blog/", "--images")
    assert (first["published"], first["changed"], first["urls"], first["diff"]) == (True, True, 3, None)
    assert first["sites"][0]["left_out"] == {"excluded": 1}
    assert first["sites"][0]["fields_left_out"] == {"date-invalid": 1}
    Path("urls.csv").write_text("loc\n/d\n")
    second = report("urls.csv", "--base-url", BASE, "-o", "out", "--diff")
    assert (second["published"], second["diff"]["urls"]["added"]["count"]) == (False, 1)


CONFIG = """
[build]
base-url = "https://example.com"
out = "out"
gzip = "none"

[[build.source]]
html = "public"
part = "pages"

[[build.source]]
list = "urls.csv"
part = "list"
"""


def test_the_configuration_file(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text(CONFIG)
    assert main(["build"]) == 0
    assert sorted(path.name for path in Path("out").glob("*.xml*")) == [
        "sitemap-list.xml", "sitemap-pages.xml", "sitemap.xml",
    ]  # fmt: skip
    # The command line wins.
    assert main(["build", "-o", "other", "--gzip", "parts", "--name", "map"]) == 0
    assert sorted(path.name for path in Path("other").glob("*.xml*")) == [
        "map-list.xml.gz", "map-pages.xml.gz", "map.xml",
    ]  # fmt: skip
    # Sources of the command line stand in for those of the file, whose other options hold.
    assert main(["build", "public"]) == 0
    assert [path.name for path in Path("out").glob("*.xml")] == ["sitemap.xml"]


def test_two_builds_give_the_same_bytes(site: Path) -> None:
    for out in ("one", "two"):
        assert main(["build", "public", "urls.csv", "--base-url", BASE, "-o", out, "--gzip", "all"]) == 0
    assert Path("one/sitemap.xml.gz").read_bytes() == Path("two/sitemap.xml.gz").read_bytes()


KINDS: dict[str, tuple[str, list[str]]] = {
    "a list": ("urls.txt", ["/x"]),
    "a folder of Markdown": ("content", ["/", "/post/"]),
    "a folder of pages with Markdown beside them": ("mixed", ["/page.html"]),
    "Markdown all the same": ("files:mixed", ["/post/"]),
    "a sitemap": ("old.xml", ["/old"]),
    "a feed that is called otherwise": ("sitemaps:list.data", ["/x"]),
    "a text of any name": ("list:list.data", ["/x"]),
    "standard input": ("-", ["/y"]),
}


@pytest.mark.parametrize(("source", "wanted"), KINDS.values(), ids=KINDS)
def test_what_a_source_is(site: Path, monkeypatch: pytest.MonkeyPatch, source: str, wanted: list[str]) -> None:
    for folder in ("content", "mixed"):
        Path(folder).mkdir()
        Path(folder, "post.md").write_text("# Post")
    Path("content/_index.md").write_text("# Home")
    Path("mixed/page.html").write_text("<p>Page")
    Path("urls.txt").write_text(f"{BASE}/x\n")
    Path("list.data").write_text(f"{BASE}/x\n")
    urlset.write([f"{BASE}/old"], BASE, "old")
    Path("old/sitemap.xml").rename("old.xml")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"/y\n")))
    assert main(["build", source, "--base-url", BASE, "-o", "out"]) == 0
    assert listed("out/sitemap.xml") == wanted


def test_a_query(site: Path) -> None:
    with sqlite3.connect("shop.sqlite") as connection:
        connection.execute("CREATE TABLE pages (slug, day)")
        connection.execute("INSERT INTO pages VALUES ('x', '2025-11-14'), ('y', NULL)")
    sql = "SELECT '/shop/' || slug AS loc, day AS lastmod FROM pages ORDER BY slug"
    arguments = ["build", "--query", sql, "--database", "shop.sqlite", "--base-url", BASE, "-o", "out"]
    assert main([*arguments, "--path-prefix", "de"]) == 0
    assert listed("out/sitemap.xml") == ["/de/shop/x", "/de/shop/y"]


MISUSE: dict[str, tuple[list[str], int, str]] = {
    "nothing to build from": ([], 2, "add a SOURCE such as a directory of HTML; there is no urlset.toml"),
    "no base URL": (["public", "-o", "out"], 2, "no canonical link has the URL of a page in public; add --base-url"),
    "no base URL of a list": (
        ["urls.csv", "-o", "out"],
        2,
        "no base URL; add --base-url with the URL of the directory",
    ),
    "no folder": (["urls.csv", "--base-url", BASE], 2, "no output directory; add -o DIR"),
    "a base URL that is none": (["public", "--base-url", "example.com", "-o", "out"], 2, "not 'example.com'"),
    "no such source": (["nowhere", "--base-url", BASE, "-o", "out"], 3, "nowhere: no such file or directory"),
    "a database": (
        ["shop.db", "--base-url", BASE, "-o", "out"],
        2,
        "add --database shop.db --query SQL",
    ),
    "a database without query": (
        ["public", "--database", "shop.db"],
        2,
        "--database requires a query; add --query SQL",
    ),
    "nothing in the folder": (["empty", "--base-url", BASE, "-o", "out"], 3, "empty: contains neither HTML pages"),
    "an order that is none": (
        [*SIMPLE, "--lastmod-from", "given,gti"],
        2,
        "not 'gti'; did you mean 'git'?",
    ),
    "a word that is none": ([*SIMPLE, "--gzip", "yes"], 2, "--gzip: must be one of none, parts, all, not 'yes'"),
    "a name that is none": ([*SIMPLE, "--name", "a/b"], 2, "name: must consist of letters"),
    "a file where the folder should be": (["public", "--base-url", BASE, "-o", "urls.csv"], 3, "urls.csv: cannot be"),
    "a list that cannot be written": ([*SIMPLE, "--left-out", "no/where"], 3, "no/where: cannot be written"),
}


@pytest.mark.parametrize(("arguments", "code", "message"), MISUSE.values(), ids=MISUSE)
def test_misuse(site: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str) -> None:
    Path("shop.db").touch()
    Path("empty").mkdir()
    assert main(["build", *arguments]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    first, *more = captured.err.splitlines()
    assert message in first
    assert more in ([], ["Try `urlset build --help` for help."])
    assert not Path("out/sitemap.xml").exists()


CONFIG_MISUSE: dict[str, tuple[str, list[str], str]] = {
    "a key that is none": (CONFIG.replace("gzip", "gizp"), [], "unknown key 'gizp'; did you mean 'gzip'?"),
    "no source": ("[build]\n", [], "urlset.toml has no [[build.source]]"),
    "two of one name": (
        CONFIG + '[build.index]\nbase-url = "https://example.com"\nout = "out"\n', [],
        "the site https://example.com and the index would both write sitemap.xml",
    ),
    "an option for sources": (CONFIG, ["--images"], "--images only applies to sources on the command line"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "arguments", "message"), CONFIG_MISUSE.values(), ids=CONFIG_MISUSE)
def test_misuse_of_the_configuration(
    site: Path, capsys: pytest.CaptureFixture[str], text: str, arguments: list[str], message: str
) -> None:
    Path("urlset.toml").write_text(text)
    assert main(["build", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("/a?token=x", "sensitive parameter"),
        ("/a?utm_source=x", "tracking"),
        ("/a#b", "a fragment"),
        ("https://user@example.com/a", "user info"),
        ("/a%2520b", "double percent-encoding"),
        ("/a//b", "empty or dot segments"),
    ],
)
def test_the_reason_names_each_doubt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urls.txt").write_text(f"/fine\n{url}\n")
    assert main(["build", "urls.txt", "--base-url", "https://example.com", "-o", "out"]) == 0
    [reason] = [line for line in capsys.readouterr().out.splitlines() if "url-doubtful" in line]
    assert named in reason
