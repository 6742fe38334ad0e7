"""`robots --write-policy`: what is written between the markers, what is refused, and what stays as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from protego import Protego
from tests.cases import case_table

from urlset import api
from urlset.cli.main import main
from urlset.clients.policy_block import BEGIN, END, Block, intended, intent_of, sample_paths, with_policy
from urlset.errors import InputError, UsageError
from urlset.options.verbs import WritePolicyOptions
from urlset.web import agents
from urlset.web.agents import KNOWN_AGENTS, Purpose, age_of_list
from urlset.web.managed_blocks import ManagedBlock, managed_blocks
from urlset.web.robots_txt import Robots

STATED = {"search": "yes", "ai_answers": "yes", "training": "no", "ai_agents": "yes"}
NO_TRAINING = {"training": "no"}
NOTHING = {"search": "no", "ai_answers": "no", "training": "no", "ai_agents": "no"}


def block(robots: str | bytes, **policy: Any) -> Block:
    stated: dict[str, Any] = {f"policy_{name}": value for name, value in (policy or STATED).items()}
    options = WritePolicyOptions(**stated)
    intent = intent_of(options)
    assert intent is not None
    return with_policy(robots.encode() if isinstance(robots, str) else robots, intent, options)


def group(text: str, token: str) -> list[str]:
    """Return the lines of the group that names a crawler."""
    [found] = [part.split("\n") for part in text.split("\n\n") if f"User-agent: {token}\n" in f"{part}\n"]
    return [line for line in found if not line.startswith(("#", "User-agent"))]


FILES = {
    "empty": "",
    "one group": "User-agent: *\nDisallow: /a\nCrawl-delay: 5\n",
    "no end of line": "User-agent: *\nDisallow: /a",
    "CRLF": "User-agent: *\r\nDisallow: /a\r\n",
    "everything disallowed": "User-agent: *\nDisallow: /\n",
    "an open group": "User-agent: SomeBot",
    "own groups": "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: GPTBot\nDisallow: /o\nAllow: /o/a\n",
    "only a sitemap": "Sitemap: https://example.com/sitemap.xml\n",
    "Cloudflare": "# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\n"
    "User-agent: GPTBot\nDisallow: /\n# END Cloudflare Managed Content\n\nUser-agent: *\nDisallow: /admin/\n",
    "byte order mark": "\ufeffUser-agent: *\nDisallow: /a\n",
    "Applebot": "User-agent: Applebot\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
}
POLICIES: dict[str, dict[str, Any]] = {
    "training": NO_TRAINING,
    "stated": STATED,
    "nothing": NOTHING,
    "drafts": {**NOTHING, "content_usage": True, "training_token": "a-token"},
    "search": {"search": "no"},
    "paths": {
        "search": "yes", "training": "no", "content_usage": True, "training_token": "a-token",
        "denied": {"/a": ("search", "ai-agents"), "/o/a/": ("training", "ai-answers")},
    },
}  # fmt: skip


OTHERS = (
    "Googlebot",
    "Google-InspectionTool",
    "Applebot-Extended",
    "AdsBot-Google",
    "Twitterbot",
    "ExampleBot",
    "SomeBot",
)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", FILES)
def test_nothing_else_changes(name: str, policy: str) -> None:
    content = FILES[name].encode()
    written = block(content, **POLICIES[policy])
    assert written.content.startswith(content)
    assert block(written.content, **POLICIES[policy]).content == written.content
    before, after = Robots.parse(content), Robots.parse(written.content)
    for agent in (each for each in OTHERS if each.lower() not in written.named):
        for path in (*sample_paths(before), "/o/a/b", "/a/b"):
            assert before.is_allowed(agent, path) == after.is_allowed(agent, path), (agent, path)
    # Protego knows no crawler by name, and compares the beginning of tokens.
    ours, theirs = (Protego.parse(text.decode()) for text in (written.content, content))
    for agent in ("ExampleBot", "SomeBot", "Twitterbot"):
        for path in sample_paths(before):
            url = f"https://example.com{path}"
            assert ours.can_fetch(url, agent) == theirs.can_fetch(url, agent), (agent, path)


def test_what_is_written() -> None:
    written = block("User-agent: *\nDisallow: /a\n")
    assert written.text.startswith(f"{BEGIN}\n# [policy] in urlset.toml: search yes, AI answers yes, training no, ")
    assert written.text.endswith(f"\n{END}")
    assert group(written.text, "*") == ["Content-Signal: search=yes, ai-input=yes, ai-train=no", "Disallow:"]
    assert group(written.text, "GPTBot") == ["Disallow: /"]
    assert "# OpenAI, AI training: https://developers.openai.com/api/docs/bots\nUser-agent: GPTBot\n" in written.text
    assert "not documented by its operator, listed at https://github.com/ai-robots-txt" in written.text
    for absent in ("OAI-SearchBot", "ChatGPT-User", "Googlebot", "Content-Usage"):
        assert absent not in written.text
    after = Robots.parse(written.content)
    assert not after.is_allowed("GPTBot", "/b")
    assert after.is_allowed("OAI-SearchBot", "/b")
    assert not after.is_allowed("OAI-SearchBot", "/a")


def test_a_denied_path_is_added_to_the_rules_that_apply() -> None:
    robots = "User-agent: *\nDisallow: /admin/\nAllow: /members/press\n\nUser-agent: GPTBot\nDisallow: /x\n"
    written = block(
        robots, search="yes", training="yes", denied={"/members/": ("training",)}, content_usage=True,
        training_token="a-token",
    )  # fmt: skip
    signals = [
        "Content-Signal: search=yes",
        "Content-Usage: search=y, train-ai=y",
        "Content-Usage: /members/ train-ai=n",
    ]
    assert group(written.text, "*") == [*signals, "Disallow:"]
    assert group(written.text, "a-token") == ["Disallow: /members/"]
    assert group(written.text, "GPTBot") == ["Disallow: /members/"], "its own group is combined with this one"
    assert group(written.text, "ClaudeBot") == [
        *signals,
        "Disallow: /admin/",
        "Allow: /members/press",
        "Disallow: /members/",
    ]
    assert "User-agent: CCBot\n# DeepSeek, AI training, except below /members/: " in written.text, "they share a group"
    after = Robots.parse(written.content)
    for agent in ("GPTBot", "ClaudeBot", "Google-Extended"):
        assert not after.is_allowed(agent, "/members/a")
        assert after.is_allowed(agent, "/a")
    assert not after.is_allowed("GPTBot", "/x")
    assert not after.is_allowed("ClaudeBot", "/admin/")
    assert after.is_allowed("OAI-SearchBot", "/members/a")
    assert any("line 3 allows /members/press to Google-Extended" in note for note in written.notes)
    assert "the Content-Signal line does not state ai-train: it applies to all pages and has no paths" in written.notes


DENIED = {
    "not a path": ({"members/": ("training",)}, "'members/' is not a path below the site"),
    "the whole site": ({"/": ("training",)}, "'/' is not a path below the site"),
    "a wildcard": ({"/a*": ("training",)}, "without * or $"),
    "a query": ({"/search?q=": ("training",)}, "without a query (?)"),
    "a line": ({"/a\nAllow: /": ("training",)}, "is not a path"),
    "a use": ({"/a/": ("ai-train",)}, "'ai-train' is not one of search, ai-answers, training, ai-agents"),
    "no use": ({"/a/": ()}, "/a/ has no uses"),
}


@case_table("case", DENIED)
def test_paths_that_are_refused(case: tuple[dict[str, tuple[str, ...]], str]) -> None:
    denied, message = case
    with pytest.raises(UsageError, match=re.escape(message)):
        WritePolicyOptions(policy_denied=denied)


@case_table(
    "denied, path, expected",
    {
        "digits": ("/%c3%a9/", "/%C3%A9/a", False),
        "as written": ("/%C3%A9/", "/\u00e9/a", False),
        "unreserved": ("/%7ea/", "/~a/", False),
        "reserved": ("/a%2fb", "/a/b", True),
        "other": ("/a/", "/ab/a/", True),
        "two slashes": ("/a/", "//a/", True),
    },
)
def test_escapes_are_compared_as_crawlers_do(denied: str, path: str, expected: bool) -> None:
    intent = intent_of(WritePolicyOptions(policy_training="yes", policy_denied={denied: ("training",)}))
    assert intended(intent, Purpose.AI_TRAINING, path) is expected


def test_drafts_are_written_on_request() -> None:
    written = block("", training="no", search="yes", content_usage=True, training_token="a-token")
    assert group(written.text, "*")[1] == "Content-Usage: search=y, train-ai=n"
    assert group(written.text, "a-token") == ["Disallow: /"]


def test_a_crawler_that_follows_the_group_of_another_keeps_its_rules() -> None:
    robots = "User-agent: *\nDisallow: /a # closed\nCrawl-delay: 5\n"
    text = block(robots, search="no").text
    expected = ["Content-Signal: search=no", "Disallow: /a", "Crawl-delay: 5"]
    # Google's tool follows the group of Googlebot, and other programs take Applebot-Extended for Applebot.
    assert group(text, "Google-InspectionTool") == group(text, "Applebot-Extended") == expected
    own = block(f"{robots}\nUser-agent: Googlebot\nDisallow: /g\n", search="no").text
    assert group(own, "Google-InspectionTool") == ["Disallow: /g"]


def test_crawlers_that_ignore_robots_txt_are_named() -> None:
    unwritten = {each.agent: each for each in block("", ai_agents="no").unwritten}
    assert "Google-Agent" in unwritten
    assert unwritten["Perplexity-User"].source.startswith("https://docs.perplexity.ai/")


@case_table(
    "robots, policy, note",
    {
        "own allow": ("User-agent: GPTBot\nAllow: /\n", NO_TRAINING, "line 2 allows / to GPTBot"),
        "closed": ("User-agent: *\nDisallow: /\n", {"search": "yes"}, "but line 2 disallows the home page"),
        "unreached": ("User-agent: b\nDisallow: /b\n", NO_TRAINING, "a group of their own, such as b; repeat"),
        "agents alone": ("", {"ai_answers": "yes", "ai_agents": "no"}, "has no signal for agents"),
    },
)
def test_notes(robots: str, policy: dict[str, str], note: str) -> None:
    assert note in " ".join(block(robots, **policy).notes)


@case_table(
    "robots, problem",
    {
        "contradicts": (b"User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n", "line 2, Content-Signal: ai-train"),
        "contradicts a network": (
            b"# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n"
            b"# END Cloudflare Managed Content\n",
            "contradicts .policy.; Cloudflare writes the line, so change its settings",
        ),
        "UTF-16": (b"\xff\xfeU\x00", "is in UTF-16"),
        "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is a binary file; name a robots.txt"),
        "HTML": (b"<!DOCTYPE html><html><body>404</body></html>", "is an HTML page"),
        "too large": (b"User-agent: *\nDisallow: /a\n" + b"#" * 600_000, "larger than the 500 KiB"),
        "no end": (f"{BEGIN}\n".encode(), "at line 1; remove it"),
        "twice": (f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n".encode(), "at line 3; remove it"),
        "in a group": (
            f"User-agent: *\nDisallow: /a\n{BEGIN}\n{END}\nDisallow: /b\n".encode(),
            "would change what applies to crawlers that no group names",
        ),
        "delay in a group": (
            f"User-agent: *\nDisallow: /a\n{BEGIN}\n{END}\nCrawl-delay: 5\n".encode(),
            "would change what applies to crawlers that no group names",
        ),
    },
)
def test_refused(robots: bytes, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        block(robots, **NO_TRAINING)


def test_a_token_must_be_one() -> None:
    for token in ("*", "GPTBot", "a b"):
        with pytest.raises(UsageError, match="is not the token of the draft"):
            block("", training="no", training_token=token)


def test_managed_blocks() -> None:
    cloudflare = b"# BEGIN Cloudflare Managed content\r\nUser-agent: *\r\n# END Cloudflare Managed Content\r\n"
    assert managed_blocks(cloudflare + b"# begin urlset policy\n# END Cloudflare Managed content") == (
        ManagedBlock("Cloudflare", 1, 3),
        ManagedBlock("urlset", 4, None),
    )
    assert not managed_blocks(b"# END urlset policy\nUser-agent: *\n")


def test_an_old_list_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(agents, "MAX_AGE_DAYS", 60)
    newest = max(agent.date for agent in KNOWN_AGENTS)
    assert age_of_list(newest.replace(year=newest.year + 1)) == (
        f"the list of crawlers was last compared with its sources on {newest}, 365 days ago; upgrade urlset"
    )
    assert age_of_list(newest) is None
    monkeypatch.setattr(agents, "MAX_AGE_DAYS", -100_000)
    assert main(["robots", "--list-agents", "--no-config"]) == 0
    shown = capsys.readouterr().out
    assert "The list of crawlers was last compared" in shown
    assert "signs some requests as https://agent.bot.goog, as an experiment" in shown


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "robots.txt").write_text(
        "User-agent: *\nDisallow: /a\n\nSitemap: https://example.com/sitemap.xml\n"
        "Sitemap: https://example.com/../../etc/passwd\nSitemap: https://example.com/%00\n"
    )
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    (tmp_path / "sitemap.xml").write_text(
        f"<sitemapindex {space}><sitemap><loc>https://example.com/pages.xml</loc></sitemap></sitemapindex>"
    )
    urls = "".join(f"<url><loc>https://example.com/{path}</loc></url>" for path in ("a", "b", "c"))
    (tmp_path / "pages.xml").write_text(f"<urlset {space}>{urls}</urlset>")
    return tmp_path


def test_the_listed_urls_before_anything_is_written(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = site / "robots.txt"
    before = path.read_bytes()
    call = ["robots", str(site), "--write-policy", "--set", "policy.training=no", "--no-config"]
    assert main([*call, "--dry-run", "--format", "json"]) == 1
    plan = json.loads(capsys.readouterr().out)
    assert path.read_bytes() == before
    rows = {row["agent"]: (row["before"], row["after"]) for row in plan["crawlers"]}
    assert (plan["urls"], rows["GPTBot"], rows["Googlebot"]) == (3, (2, 0), (2, 2))
    assert plan["unchanged"] == len(KNOWN_AGENTS) - sum(1 for old, new in rows.values() if old != new)
    assert main(call) == 0
    shown = capsys.readouterr().out
    assert shown.index("Allowed URLs") < shown.index("Wrote ")
    written = path.read_bytes()
    assert written.startswith(before)
    assert main([*call, "--dry-run"]) == main(call) == 0
    assert path.read_bytes() == written
    assert "nothing to write" in capsys.readouterr().out


def test_the_sitemaps_that_were_not_read_are_said(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.pipeline.write_policy.MAX_SITEMAPS", 1)
    notes = api.write_policy(site, policy_training="no").notes
    assert "only the first 1 sitemaps next to robots.txt were compared" in notes


def test_a_new_file_in_python(tmp_path: Path) -> None:
    result = api.write_policy(tmp_path, ["/x"], policy_training="no")
    assert (result.is_new, result.urls) == (True, 1)
    assert (tmp_path / "robots.txt").read_text().startswith(BEGIN)
    (tmp_path / "index.xml").write_text(
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://e.example/a.xml'
        "</loc></sitemap></sitemapindex>"
    )
    with pytest.raises(InputError, match="is a sitemap index"):
        api.write_policy(tmp_path, urls_from=[tmp_path / "index.xml"], policy_training="no")


@case_table(
    "arguments, message",
    {
        "nothing stated": (["robots.txt", "--write-policy"], "[policy] states nothing"),
        "a site": (["https://example.com", "--write-policy"], "not a URL"),
        "both": (["https://example.com", "--write-policy", "--policy"], "use one of them"),
        "dry": (["robots.txt", "--dry-run"], "--dry-run requires --write-policy"),
        "clients": (["robots.txt", "--write-policy", "--clients"], "--clients and --store require --policy"),
    },
)
def test_misuse(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", *arguments, "--no-config"]) == 2
    assert message in capsys.readouterr().err
