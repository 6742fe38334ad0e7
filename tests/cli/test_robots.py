"""`urlset robots`: the file, the verdicts with their lines, sitemaps asked about as a whole, and the exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from tests.cases import case_table
from tests.loopback import served

from urlset import _core
from urlset.cli.main import main
from urlset.pipeline.robots import robots_url
from urlset.report.json_schema import schema as schema_of
from urlset.web.agents import KNOWN_AGENTS, Purpose, names_for

TEXT = """\
User-agent: *
Disallow: /cart/
Allow: /cart/help

User-agent: GPTBot
User-agent: CCBot
Dissalow: /
Sitemap: /s.xml
"""

SCHEMA = schema_of("robots")

KINDS = _core.vocabularies()["robots_problems"]


class Site(BaseHTTPRequestHandler):
    """Answers /robots.txt with what the class is told."""

    status, body = 200, TEXT.encode()

    def do_GET(self) -> None:
        known = self.path == "/robots.txt"
        self.send_response(self.status if known else 404)
        self.send_header("Content-Length", str(len(self.body) if known else 0))
        self.end_headers()
        if known:
            self.wfile.write(self.body)


@pytest.fixture
def site() -> Iterator[str]:
    with served(Site) as origin:
        yield origin


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robots.txt").write_text(TEXT)
    return tmp_path


def test_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", "robots.txt"]) == 0
    shown, _, by_purpose = capsys.readouterr().out.partition("\nCrawler access to / (")
    assert by_purpose
    assert shown.splitlines() == [
        "robots.txt",
        "  2 groups, 3 rules, 1 sitemap; 115 bytes, UTF-8",
        "",
        "*",
        "      2  disallow  /cart/",
        "      3  allow     /cart/help",
        "",
        "GPTBot, CCBot",
        "      7  disallow  /",
        "",
        "Sitemaps",
        "      8  /s.xml  (relative)",
        "",
        "Problems",
        "      7  misspelled-key: Dissalow: /",
        f"         {KINDS['misspelled-key']}",
        "      8  sitemap-relative: /s.xml",
        f"         {KINDS['sitemap-relative']}",
    ]


EXTENSIONS = """\
License: https://example.com/license.xml
User-agent: a
User-agent: b
Content-Signal: search=yes, ai-train=no
Disallow:
IndexNow-Key: key\x1b_1
"""


def test_lines_of_other_specifications(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "robots.txt").write_text(EXTENSIONS)
    assert main(["robots", "robots.txt"]) == 0
    about = _core.vocabularies()["extension_problems"]["key-character"]
    assert capsys.readouterr().out.splitlines()[5:12] == [
        "",
        "Other lines",
        "      1  License: https://example.com/license.xml",
        "      4  Content-Signal: search=yes, ai-train=no  (User-agent: a, b)",
        "      6  IndexNow-Key: key\\u{1b}_1",
        "         key-character: \\u{1b}",
        f"         {about}",
    ]
    assert main(["robots", "robots.txt", "/"]) == 0
    assert "  1 problem; use --verbose to show it" in capsys.readouterr().out


def test_lines_of_other_specifications_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "robots.txt").write_text(EXTENSIONS)
    assert main(["robots", "robots.txt", "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(printed)
    unset = dict.fromkeys(
        ("group_line", "search", "ai_input", "ai_train", "content_use", "problem", "evidence", "about")
    )
    first, second, third = printed["robots"]["extensions"]
    assert first == unset | {
        "line": 1, "column": 1, "key": "License", "value": "https://example.com/license.xml",
    }  # fmt: skip
    assert (second["group_line"], second["search"], second["ai_input"], second["ai_train"]) == (2, True, None, False)
    assert (third["problem"], third["evidence"]) == ("key-character", "\x1b")


def test_the_schema_names_every_problem_of_these_lines() -> None:
    known = SCHEMA["$defs"]["ExtensionLine"]["properties"]
    assert {*known["problem"]["anyOf"][0]["enum"]} == {*_core.vocabularies()["extension_problems"]}
    assert {*known["key"]["enum"]} == {*_core.vocabularies()["extension_keys"]}


def test_verdicts_by_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", ".", "/cart/x", "--agents", "Bingbot,ChatGPT-User,GPTBot,FooBot"]) == 1
    out = capsys.readouterr().out
    titles = [line.strip() for line in out.splitlines() if line.endswith(" blocked")]
    assert titles == [
        "Search engines: 1 of 1 crawler blocked",
        "AI training: 1 of 1 crawler blocked",
        "On request of a user: 1 of 1 crawler blocked",
        "Crawlers that urlset does not know: 1 of 1 crawler blocked",
    ]
    may_ignore = "it may ignore robots.txt when a user asks for the page, according to its operator"
    assert f"  ChatGPT-User  blocked  line 2: Disallow: /cart/  (User-agent: *); {may_ignore}\n" in out
    assert "  Source on ChatGPT-User: https://" in out


def test_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["robots", ".", "/cart/x", "https://example.com/cart/help", "--agents", "Bingbot", "--agents", "GPTBot"]
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "  2 problems; use --verbose to show them" in out
    assert out.splitlines()[3:] == [
        "",
        "/cart/x",
        "  Bingbot  blocked  line 2: Disallow: /cart/  (User-agent: *)",
        "  GPTBot   blocked  line 7: Disallow: /  (User-agent: GPTBot)",
        "",
        "https://example.com/cart/help",
        "  Bingbot  allowed  line 3: Allow: /cart/help  (User-agent: *)",
        "  GPTBot   blocked  line 7: Disallow: /  (User-agent: GPTBot)",
    ]


def test_allowed_is_exit_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", "robots.txt", "/a", "--verbose"]) == 0
    out = capsys.readouterr().out
    assert "  Googlebot  allowed  no rule matches" in out
    assert "disallow  /cart/" in out


OWN_GROUP = "User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\n"


def test_a_group_that_names_the_crawler_replaces_the_one_for_all(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "robots.txt").write_text(OWN_GROUP)
    assert main(["robots", "robots.txt", "/a", "/c", "--agents", "Googlebot,Bingbot"]) == 1
    own = "Googlebot  allowed  no rule of its group in line 4 matches; the group for * does not apply to it"
    lines = capsys.readouterr().out.splitlines()
    assert [line.strip() for line in lines if "allowed" in line] == [own, own, "Bingbot    allowed  no rule matches"]
    assert main(["robots", "robots.txt", "/a", "--agents", "Googlebot", "--format", "llm"]) == 0
    assert "allowed, no rule of its group in line 4 matches" in capsys.readouterr().out


def test_all_agents(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", "robots.txt", "/", "--all-agents", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(report)
    assert report["agents"] == [agent.name for agent in KNOWN_AGENTS]
    closed = {verdict["agent"] for verdict in report["urls"][0]["verdicts"] if not verdict["allowed"]}
    assert closed == {"GPTBot", "CCBot"}


def test_many_agents_are_grouped_and_unknown_names_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "robots.txt").write_text("User-agent: GPTBot\nUser-agent: a-new-bot\nUser-agent: other/1\nDisallow: /\n")
    assert main(["robots", "robots.txt", "/", "--all-agents"]) == 1
    out = capsys.readouterr().out
    training = [agent for agent in KNOWN_AGENTS if agent.purpose is Purpose.AI_TRAINING]
    heading = f"  AI training: 1 of {len(training)} crawlers blocked\n  GPTBot "
    assert heading in out
    assert sum(line.startswith("  ") and "  blocked  " in line for line in out.splitlines()) == 1
    assert "  2 names in its groups are of crawlers that urlset does not know: a-new-bot, other/1; test them" in out


def test_urls_from_a_sitemap(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"https://example.com/cart/{number}" for number in range(12)]
    (folder / "list.txt").write_text("\n".join(["https://example.com/", *lines]))
    assert main(["robots", "robots.txt", "--urls-from", "list.txt"]) == 1
    out = capsys.readouterr().out
    assert "  13 URLs\n  Googlebot  12 blocked\n" in out
    assert main(["robots", "robots.txt", "--urls-from", "list.txt", "--agents", "Google-Safety"]) == 0
    assert "  Google-Safety  0 blocked; it ignores robots.txt, according to its operator\n" in capsys.readouterr().out
    assert out.count("https://example.com/cart/") == 20
    assert out.count("and 2 more") == 2
    assert main(["robots", "robots.txt", "--urls-from", "list.txt", "--agents", "GPTBot", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(report)
    (listed,) = report["listed"]
    assert (listed["urls"], listed["other_origins"], listed["blocked"]) == (13, 0, {"GPTBot": 13})
    assert listed["examples"]["GPTBot"][0] == {
        "url": "https://example.com/",
        "line": 1,
        "robots_line": 7,
        "pattern": "/",
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\0" * 5000, "list.xml: is not a sitemap but binary"),
        (b"<!doctype html><title>Shop</title>", "list.xml: is not a sitemap but html"),
        (
            b'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>'
            b"<loc>https://example.com/1.xml</loc></sitemap></sitemapindex>",
            "list.xml: is a sitemap index, which lists no pages; name the sitemaps that it lists",
        ),
    ],
    ids=["binary", "page", "index"],
)
def test_urls_from_what_lists_no_pages(
    folder: Path, content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "list.xml").write_bytes(content)
    assert main(["robots", "robots.txt", "--urls-from", "list.xml"]) == 3
    assert message in capsys.readouterr().err


def test_urls_from_a_sitemap_that_is_cut_off(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = "<url><loc>https://example.com/</loc></url><url><loc>https://exam"
    (folder / "list.xml").write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}')
    main(["robots", "robots.txt", "--urls-from", "list.xml"])
    assert "  1 URL; the sitemap could only be read in part\n" in capsys.readouterr().out


@pytest.mark.parametrize("path", ["", "/", "/robots.txt", "/shop/shoes?id=1"])
def test_a_url_of_a_site(site: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", site + path, f"{site}/cart/x", "https://example.com/", "--no-cache"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{site}/robots.txt\n")
    assert "blocked  line 2" in out
    assert f"different origin: {site}/robots.txt does not apply to it" in out


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (404, 0, "no robots.txt (HTTP status 404): everything is allowed"),
        (403, 0, "no robots.txt (HTTP status 403): everything is allowed"),
        (501, 3, "crawlers treat everything as disallowed"),
    ],
)
def test_what_a_server_does_not_give(
    site: str,
    status: int,
    code: int,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Site, "status", status)
    assert main(["robots", site, "/cart/x", "--no-cache"]) == code
    out = capsys.readouterr().out
    assert words in out
    assert ("allowed  no robots.txt" if code == 0 else "robots.txt is unreachable") in out


def test_a_large_one_is_read_as_crawlers_read_it(
    site: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Site, "body", TEXT.encode() + b"#" * 5_000_000 + b"\nUser-agent: *\nDisallow: /late\n")
    assert main(["robots", site, "/late", "/cart/", "--no-cache"]) == 1
    out = capsys.readouterr().out
    assert "were not read" in out
    assert out.count("  blocked  ") == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nothere.txt"], 3, "nothere.txt: no such file"),
        (["robots.txt", "nonsense"], 2, "'nonsense' is neither an absolute URL nor a path"),
        (["robots.txt", "--urls-from", "nothere.xml"], 3, "nothere.xml: no such file"),
    ],
)
def test_errors(arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", *arguments]) == code
    assert words in capsys.readouterr().err


def test_nothing_in_a_file_steers_the_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "robots.txt").write_bytes(b"User-agent: \x1b[31m*\nDisallow: /\x1b[2J\nSitemap: \x1b]0;x\x07\n\x1b\n")
    main(["robots", "robots.txt", "/", "--verbose"])
    main(["robots", "robots.txt"])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("url", "robots"),
    [
        ("https://example.com", "https://example.com/robots.txt"),
        ("https://me@example.com:8443/a/b?c", "https://me@example.com:8443/robots.txt"),
        ("https://example.com/a/robots.txt?c", "https://example.com/a/robots.txt?c"),
    ],
)
def test_which_robots_txt_a_url_stands_for(url: str, robots: str) -> None:
    assert robots_url(url) == robots


@pytest.mark.parametrize(
    ("status", "body", "urls"),
    [
        (404, b"", ["/a"]),
        (503, b"", ["/a"]),
        (200, b"\xff\xfeU\x00s\x00e\x00r\x00", ["https://example.org/"]),
        (
            200,
            b"User-agent: *\nDisallow:\x1b[2J /\nno colon\nSitemap: \nSitemap: ftp://a/\n" * 40,
            ["/robots.txt", "/b"],
        ),
    ],
)
def test_json_is_as_its_schema_says(
    status: int,
    body: bytes,
    urls: list[str],
    site: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Site, "status", status)
    monkeypatch.setattr(Site, "body", body)
    assert main(["robots", site, *urls, "--format", "json", "--no-cache", "--retries", "0"]) in (0, 1, 3)
    printed = capsys.readouterr().out
    Draft202012Validator(SCHEMA).validate(json.loads(printed))
    assert "\x1b" not in printed


def test_the_known_crawlers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", "--list-agents"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "Google-Safety Google; ignores robots.txt" in lines
    assert "AdsBot-Google Google; ignores groups for *" in lines
    assert "Google-Extended Google; a token to opt out, which fetches nothing" in lines
    assert lines[-1] == f"{len(KNOWN_AGENTS)} crawlers. The date is that of the last comparison with the source."
    assert main(["robots", "--list-agents", "--format", "json"]) == 0
    agents = json.loads(capsys.readouterr().out)["agents"]
    assert [agent["name"] for agent in agents] == [agent.name for agent in KNOWN_AGENTS]
    assert all(agent["source"].startswith("https://") and agent["date"] for agent in agents)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "no target given; name a robots.txt or a site, or use --list-agents"),
        (["robots.txt", "--list-agents"], "--list-agents reads no robots.txt; remove the target"),
    ],
)
def test_either_a_target_or_the_list(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", *arguments]) == 2
    assert reason in capsys.readouterr().err


def test_special_crawlers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /\n")
    assert main(["robots", "robots.txt", "/", "--agents", "AdsBot-Google,Google-Safety"]) == 0
    also = "; robots.txt disallows it in line 2: Disallow: /  (User-agent: *)"
    assert capsys.readouterr().out.splitlines()[-4:] == [
        f"  AdsBot-Google  allowed  no group names it, and it ignores groups for *{also}",
        f"  Google-Safety  allowed  it ignores robots.txt, according to its operator{also}",
        "",
        "  Source on AdsBot-Google and Google-Safety: https://developers.google.com/crawling/docs/crawlers-fetchers/"
        "google-special-case-crawlers",
    ]
    assert main(["robots", "robots.txt", "/robots.txt", "/", "--agents", "Google-Safety", "--format", "json"]) == 0
    own, root = (url["verdicts"][0] for url in json.loads(capsys.readouterr().out)["urls"])
    assert (own["reason"], own["ignored"]) == ("own-path", None)
    assert root["ignored"] == {"allowed": False, "line": 2, "pattern": "/", "group": "*"}
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /a\n")
    assert main(["robots", "robots.txt", "/", "--agents", "AdsBot-Google,Google-Safety"]) == 0
    assert capsys.readouterr().out.count("; robots.txt allows it, too") == 2


# Crawlers, and the lines on the groups that apply, and on names that are unknown.
AGENTS: dict[str, tuple[str, list[str]]] = {
    "a group of its own": ("GPTBot", ["  GPTBot  line 4: User-agent: GPTBot, and 1 more group"]),
    "the group for all": ("bingbot/2.0", ["  bingbot/2.0  line 1: User-agent: *"]),
    "the group of another crawler": ("Applebot", ["  Applebot  line 3: User-agent: Googlebot"]),
    "none": ("AdsBot-Google", ["  AdsBot-Google  none: no group names it, and it ignores groups for *"]),
    "it ignores its group": (
        "Google-Safety",
        ["  Google-Safety  line 7: User-agent: Google-Safety; it ignores robots.txt, according to its operator"],
    ),
    "unknown names": (
        "GTPBot,My\u2028Bot",
        [
            f"  {'GTPBot':<13}  line 1: User-agent: *",
            "  urlset does not know GTPBot and My\\u{2028}Bot; the result is for a crawler of this name that follows "
            "robots.txt (RFC 9309); --list-agents shows the names that it knows",
        ],
    ),
}


@case_table("agents, wanted", AGENTS)
def test_groups_of_named_crawlers(
    agents: str, wanted: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "robots.txt").write_text(
        "User-agent: *\nDisallow: /a\nUser-agent: Googlebot\nUser-agent: GPTBot\nDisallow: /b\n"
        "User-agent: GPTBot\nUser-agent: Google-Safety\nUser-agent: Other\nDisallow: /c\n"
    )
    assert main(["robots", "robots.txt", "--agents", agents]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in wanted if line not in lines] == []
    assert lines[-1] == (
        "  1 name in its groups is of crawlers that urlset does not know: Other; test them with --agents"
    )


def test_a_brief_for_models_is_of_the_file_only(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /cart/\n")
    assert main(["robots", "robots.txt", "/cart/x", "--format", "llm"]) == 1
    assert ': blocked by line 2, Disallow "/cart/", group "*"' in capsys.readouterr().out
    assert main(["robots", "robots.txt", "--policy", "--format", "llm"]) == 2
    assert "--format llm shows a robots.txt, and --policy does not; use text or json" in capsys.readouterr().err


def test_other_crawlers_are_counted_by_purpose_and_do_not_count(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "robots.txt").write_text("User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n")
    assert main(["robots", "robots.txt", "/a"]) == 0
    of_training = len(names_for(Purpose.AI_TRAINING))
    training = f"AI training: 2 of {of_training} crawlers blocked (GPTBot, CCBot)"
    lines = capsys.readouterr().out.splitlines()
    assert lines[-6] == "  Other crawlers (--all-agents shows each):"
    assert lines[-3] == f"    {training}"
    assert main(["robots", "robots.txt"]) == 0
    assert f"  {training}\n" in capsys.readouterr().out
    assert main(["robots", "robots.txt", "/a", "--format", "llm"]) == 0
    assert f"   {training}\n" in capsys.readouterr().out
    assert main(["robots", "robots.txt", "/a", "--agents", "Bingbot"]) == 0
    assert "AI training" not in capsys.readouterr().out
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /a\n")
    assert main(["robots", "robots.txt", "/a"]) == 1
    out = capsys.readouterr().out
    assert f"    AI search: all of {len(names_for(Purpose.AI_SEARCH))} crawlers blocked\n" in out
