"""`robots --policy`: what is declared, answered, and logged in one table, and each contradiction as an info."""

from __future__ import annotations

import http.server
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from tests.cases import case_table
from tests.loopback import served

from urlset import api
from urlset.cli.main import main
from urlset.clients.policy import Declarations, contradictions, crawler_policy
from urlset.clients.rsl import RslError, parse_rsl
from urlset.errors import InputError, UsageError
from urlset.model.policy import Contradiction, Intent, PolicyReport, Reply, Use, Visits
from urlset.options.reading_logs import LogsOptions
from urlset.pipeline.logs import logs
from urlset.rules.rule import Severity
from urlset.web.agents import KNOWN_AGENTS, known_agent
from urlset.web.robots_txt import Robots

PAGE = b"<!DOCTYPE html><html><head><title>Shop</title></head><body>Shop</body></html>"
NS = 'xmlns="https://rslstandard.org/rsl"'
GROUP = "User-agent: *\nAllow: /\n"


def rsl(inner: str, path: str = "/") -> bytes:
    return f'<rsl {NS}><content url="{path}"><license>{inner}</license></content></rsl>'.encode()


def signal(value: str) -> str:
    return f"User-agent: *\nContent-Signal: {value}\nAllow: /\n"


@contextmanager
def site(
    robots: str | None = GROUP,
    *,
    headers: tuple[tuple[str, str], ...] = (),
    page: bytes = PAGE,
    files: Mapping[str, bytes] = {},
    answers: Mapping[str, tuple[int, dict[str, str]]] = {},
    seen: list[tuple[str, Any]] | None = None,
) -> Iterator[str]:
    """Runs a site that answers some user agents differently; `{origin}` in its files is its origin."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if seen is not None:
                seen.append((self.path, self.headers))
            status, more, body, kind = 404, [], b"none", "text/plain"
            if self.path == "/robots.txt" and robots is not None:
                status, body = 200, robots.encode()
            elif self.path in files:
                status, body = 200, files[self.path]
            elif self.path == "/":
                status, more, body, kind = 200, list(headers), page, "text/html"
                for token, (other, extra) in answers.items():
                    if token in self.headers["User-Agent"]:
                        status, more = other, [*more, *extra.items()]
            body = body.replace(b"{origin}", b"http://127.0.0.1:%d" % self.connection.getsockname()[1])
            self.send_response(status)
            for name, value in [("Content-Type", kind), ("Content-Length", str(len(body))), *more]:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    with served(Handler) as origin:
        yield origin


def compared(origin: str, **more: Any) -> PolicyReport:
    options = {"rate": 10_000, "clients": True, "agents": ["Googlebot", "GPTBot", "ClaudeBot", "Google-Extended"]}
    return api.check_policy(origin, **{**options, **more})


LICENSE = "License: {origin}/license.xml\n" + GROUP
CASES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "nothing": ([], {}),
    "no-robots": ([], {"robots": None}),
    "refused": (["allowed-but-refused"], {"answers": {"GPTBot": (403, {})}}),
    "payment": (["allowed-but-refused"], {"answers": {"GPTBot": (402, {"crawler-price": "USD 0.01"})}}),
    "login": (["allowed-but-refused"], {"answers": {"GPTBot": (401, {})}}),
    "challenge": (["allowed-but-refused"], {"answers": {"GPTBot": (403, {"cf-mitigated": "challenge"})}}),
    "out-of-order": ([], {"answers": {"GPTBot": (503, {})}}),
    "disallowed-and-refused": (
        [],
        {"robots": f"{GROUP}\nUser-agent: GPTBot\nDisallow: /\n", "answers": {"GPTBot": (403, {})}},
    ),
    "disallowed-but-answered": (["forbidden-but-answered"], {"robots": f"{GROUP}\nUser-agent: GPTBot\nDisallow: /\n"}),
    "disallowed-token": ([], {"robots": f"{GROUP}\nUser-agent: Google-Extended\nDisallow: /\n"}),
    "signal-and-usage": (
        ["declared-twice"],
        {"robots": "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=y\nAllow: /\n"},
    ),
    "usage-elsewhere": (
        [],
        {"robots": "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: /blog/ train-ai=y\nAllow: /\n"},
    ),
    "usage-of-another-group": (
        [],
        {
            "robots": "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\n"
            "User-agent: GPTBot\nContent-Signal: ai-train=yes\nAllow: /\n"
        },
    ),
    "same-twice": ([], {"robots": "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\nAllow: /\n"}),
    "usage-header": (
        ["header-contradicts"],
        {"robots": signal("ai-train=no"), "headers": (("Content-Usage", "train-ai=y"),)},
    ),
    "invalid-usage-header": ([], {"robots": signal("ai-train=no"), "headers": (("Content-Usage", "train-ai=yes"),)}),
    "noai": (["header-contradicts"], {"robots": signal("ai-train=yes"), "headers": (("X-Robots-Tag", "noai"),)}),
    "noai-for-another": (
        [],
        {"robots": signal("ai-train=yes"), "headers": (("X-Robots-Tag", "CCBot: noindex, noai"),)},
    ),
    "noai-after-another": (
        ["header-contradicts"],
        {
            "robots": signal("ai-train=yes"),
            "headers": (("X-Robots-Tag", "CCBot: noindex"), ("X-Robots-Tag", "noai")),
        },
    ),
    "noai-and-allowed-by-name": (
        ["header-contradicts"],
        {"robots": f"{GROUP}\nUser-agent: GPTBot\nAllow: /\n", "headers": (("X-Robots-Tag", "noai"),)},
    ),
    "noai-alone": ([], {"headers": (("X-Robots-Tag", "noai"),)}),
    "meta-noai": (
        ["header-contradicts"],
        {"robots": signal("ai-train=yes"), "page": b'<html><head><meta name=robots content="noai"><title>x</title>'},
    ),
    "tdm-reservation": (
        ["header-contradicts"],
        {"robots": signal("ai-train=yes"), "headers": (("TDM-Reservation", "1"),)},
    ),
    "license": ([], {"robots": LICENSE, "files": {"/license.xml": rsl('<permits type="usage">search</permits>')}}),
    "license-missing": (["license-missing"], {"robots": LICENSE}),
    "license-is-a-page": (["license-invalid"], {"robots": LICENSE, "files": {"/license.xml": PAGE}}),
    "license-with-entities": (
        ["license-invalid"],
        {"robots": LICENSE, "files": {"/license.xml": b'<!DOCTYPE rsl [<!ENTITY a "b">]>' + rsl("&a;")}},
    ),
    "license-contradicts": (
        ["declared-twice"],
        {
            "robots": "License: {origin}/license.xml\n" + signal("ai-train=yes"),
            "files": {"/license.xml": rsl('<prohibits type="usage">ai-all</prohibits>')},
        },
    ),
    "license-of-other-pages": (
        [],
        {
            "robots": "License: {origin}/license.xml\n" + signal("ai-train=yes"),
            "files": {"/license.xml": rsl('<prohibits type="usage">ai-all</prohibits>', "/blog/")},
        },
    ),
    "license-for-money": (
        [],
        {
            "robots": "License: {origin}/license.xml\n" + signal("ai-train=no"),
            "files": {"/license.xml": rsl('<permits type="usage">ai-train</permits><payment type="crawl"></payment>')},
            "answers": {"GPTBot": (402, {"crawler-price": "USD 0.01"})},
        },
    ),
}
"""The contradictions that are found, and the site, by what is planted."""


@case_table("kinds, planted", CASES)
def test_contradictions(kinds: list[str], planted: dict[str, Any]) -> None:
    with site(**planted) as origin:
        report = compared(origin)
    assert [finding.kind for finding in report.findings] == kinds, report.findings
    assert {finding.severity for finding in report.findings} <= {Severity.INFO}
    for finding in report.findings:
        assert finding.seen_on == report.checked_at.date()
        assert finding.source.startswith("https://")


def test_what_is_answered() -> None:
    answers = {
        "GPTBot": (402, {"crawler-price": "USD 0.01"}),
        "ClaudeBot": (403, {}),
        "PerplexityBot": (401, {}),
        "Googlebot": (503, {}),
    }
    agents = ["GPTBot", "ClaudeBot", "PerplexityBot", "Googlebot", "Bingbot", "Google-Extended", "Bytespider"]
    seen: list[tuple[str, Any]] = []
    with site(answers=answers, seen=seen) as origin:
        report = compared(origin, agents=agents, header=["X-Key: SECRET"], auth="bob:SECRET")
    found = {one.agent: one.answer and (one.answer.reply, one.answer.detail) for one in report.crawlers}
    assert found == {
        "GPTBot": (Reply.PAYMENT, "USD 0.01"),
        "ClaudeBot": (Reply.REFUSED, None),
        "PerplexityBot": (Reply.LOGIN, None),
        "Googlebot": (Reply.ERROR, None),
        "Bingbot": (Reply.ANSWERED, None),
        "Google-Extended": None,
        "Bytespider": None,
    }
    reasons = {one.agent: one.not_asked for one in report.crawlers if one.not_asked}
    assert reasons == {
        "Google-Extended": "a token to opt out, which fetches nothing",
        "Bytespider": "no user agent of it is published",
    }
    assert "SECRET" not in "".join(str(headers) for _, headers in seen)
    # One request for each crawler.
    assert len([path for path, _ in seen if path == "/"]) == 1 + 5


def test_nothing_is_asked_as_a_crawler_by_default() -> None:
    seen: list[tuple[str, Any]] = []
    with site(seen=seen) as origin:
        report = compared(origin, clients=False)
    assert {path for path, _ in seen} == {"/robots.txt", "/", "/llms.txt"}
    assert {headers["User-Agent"].partition("/")[0] for _, headers in seen} == {"urlset"}
    assert {one.answer for one in report.crawlers} == {None}


def test_crawlers_are_grouped_by_operator() -> None:
    with site() as origin:
        report = compared(origin, clients=False, agents=["Googlebot", "Bingbot"])
    operators = [one.operator for one in report.crawlers]
    assert len(operators) > 10
    assert sorted(operators, key=list(dict.fromkeys(operators)).index) == operators
    assert {one.use for one in report.crawlers} == set(Use)


def test_a_license_cannot_lead_into_a_private_network() -> None:
    with site("License: http://169.254.169.254/license.xml\n" + GROUP) as origin:
        report = compared(origin)
    assert report.licenses[0].status is None
    assert [finding.kind for finding in report.findings] == [Contradiction.LICENSE_MISSING]


def test_llms() -> None:
    with site(files={"/llms.txt": b"# Shop\n\n## Pages\n\n- [A](/a)\n"}) as origin:
        llms = compared(origin, clients=False).llms
    assert llms is not None
    assert (llms.is_found, llms.title, llms.links) == (True, "Shop", 1)
    with site(files={"/llms.txt": PAGE}) as origin:
        llms = compared(origin, clients=False).llms
    assert llms is not None
    assert not llms.is_found


LOG = '{address} - - [{day:02d}/Nov/2026:10:00:00 +0000] "GET {path} HTTP/1.1" {status} 5 "-" "GPTBot/1.3"\n'


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("robots", "status", "address", "kinds"),
    [
        (GROUP, 403, "192.0.2.7", ["allowed-but-refused"]),
        # The firewall refused this machine, but lets the crawler in.
        (GROUP, 200, "192.0.2.7", []),
        (GROUP, 403, "198.51.100.7", []),
        ("User-agent: *\nDisallow: /\n", 200, "192.0.2.7", ["forbidden-but-answered"]),
        ("User-agent: *\nDisallow: /\n", 200, "198.51.100.7", []),
        ("User-agent: *\nDisallow: /blog/\n", 200, "192.0.2.7", []),
    ],
)
def test_logs(tmp_path: Path, robots: str, status: int, address: str, kinds: list[str]) -> None:
    ranges = tmp_path / "ranges" / "gptbot.json"
    ranges.parent.mkdir()
    ranges.write_text('{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}')
    log = tmp_path / "a.log"
    lines = [LOG.format(address=address, day=day, path=f"/p{day}", status=status) for day in (3, 5)]
    lines.append(LOG.format(address=address, day=9, path="/robots.txt", status=200))
    log.write_text("".join(lines))
    store = tmp_path / "logs.duckdb"
    answers: dict[str, tuple[int, dict[str, str]]]
    answers = {"GPTBot": (403, {})} if status == 200 and address.startswith("192.") else {}
    with site(robots, answers=answers) as origin:
        logs([str(log)], LogsOptions(store=store, site=origin, ranges=ranges.parent))
        report = compared(origin, store=store, agents=["GPTBot"], clients=bool(answers))
    assert [finding.kind for finding in report.findings] == kinds, report.findings
    visits = report.crawlers[0].visits
    if address.startswith("192."):
        assert visits is not None
        assert (visits.hits, visits.first_on.day, visits.last_on.day) == (2, 3, 5)
    else:
        assert visits is None


def test_the_report_has_the_policy_of_its_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, page = tmp_path / "urlset.duckdb", tmp_path / "report.html"
    ranges = tmp_path / "ranges" / "gptbot.json"
    ranges.parent.mkdir()
    ranges.write_text('{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}')
    (tmp_path / "a.log").write_text(LOG.format(address="192.0.2.7", day=3, path="/", status=403))
    sitemap = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{origin}/</loc></url></urlset>'
    robots = "License: {origin}/license.xml\n" + signal("ai-train=yes") + "\nUser-agent: CCBot\nDisallow: /\n"
    with site(robots, headers=(("X-Robots-Tag", "noai"),), files={"/sitemap.xml": sitemap}) as origin:
        options = ["--no-cache", "--no-config", "--retries", "0", "--fail-on", "never"]
        assert main(["audit", origin, "--store", str(store), *options]) == 0
        logs([str(tmp_path / "a.log")], LogsOptions(store=store, site=origin, ranges=ranges.parent))
    assert main(["report", str(store), "-o", str(page)]) == 0
    capsys.readouterr()
    tree: Any = html.document_fromstring(page.read_text("utf-8"))
    section = tree.get_element_by_id("policy")
    text = " ".join(section.text_content().split())
    assert "2 contradictions" in text
    for declared in (
        "robots.txt: HTTP 200",
        "robots.txt line 3: Content-Signal: ai-train=yes",
        "header X-Robots-Tag: noai",
        "license.xml, robots.txt line 1: it was not requested",
    ):
        assert declared in text
    assert "robots.txt line 3 allows ai-train, and header X-Robots-Tag disallows ai-train" in text
    assert "1 verified request, last on 2026-11-03, and all were refused" in text
    head, *rows = [[cell.text_content() for cell in row] for row in section.find(".//table").iter("tr")]
    assert head == ["Crawler", "robots.txt", "Stated", "Verified requests", "Operator", "Purpose"]
    by_crawler = {row[0]: row[1:] for row in rows}
    assert by_crawler["CCBot"][:3] == ["disallowed, line 7", "ai-train: no", ""]
    assert by_crawler["GPTBot"] == [
        "allowed, line 4",
        "ai-train: contradictory",
        "1, 1 refused, last 2026-11-03",
        "OpenAI",
        "AI training",
    ]


def test_a_store_without_logs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such store"):
        compared("http://127.0.0.1:9", store=tmp_path / "none.duckdb")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with site(signal("ai-train=no"), answers={"GPTBot": (403, {})}) as origin:
        arguments = ["robots", origin, "--policy", "--clients", "--rate", "10000", "--agents", "GPTBot"]
        assert main(arguments) == 0
        text = capsys.readouterr().out
        assert main([*arguments, "--format", "json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert "OpenAI    ai-training  GPTBot   allowed, line 3  ai-train: no  403, refused" in text
    assert "allowed-but-refused" in text
    assert written["crawlers"][0]["stated_by"] == ["robots.txt line 2"]
    assert written["findings"][0]["severity"] == "info"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["robots.txt", "--policy"], "--policy requires a site"),
        (["https://example.com", "--clients"], "require --policy"),
        (["https://example.com", "/a", "--policy"], "remove the URLs"),
        (["https://example.com", "--policy", "--agents", "MyBot"], "MyBot is not a crawler that urlset knows"),
        (["https://example.com", "--policy", "--proxy", "http://127.0.0.1:9"], "without --proxy"),
    ],
)
def test_misuse(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_unknown_site() -> None:
    with pytest.raises(UsageError, match="requires a site"):
        compared("robots.txt")


@case_table(
    "content, problem",
    {
        "empty": (b"", "not well-formed"),
        "another-root": (b"<a/>", "does not begin with <rsl>"),
        "another-namespace": (b'<rsl xmlns="x"/>', "does not begin with <rsl>"),
        "no-content": (f"<rsl {NS}/>".encode(), "no <content>"),
        "no-url": (f"<rsl {NS}><content/></rsl>".encode(), "without url"),
        "no-license": (f'<rsl {NS}><content url="/"/></rsl>'.encode(), "without <license>"),
        "no-type": (rsl("<permits>all</permits>"), "without type"),
        "usage": (rsl('<permits type="usage">train</permits>'), "unknown usage 'train'"),
        "payment": (rsl('<payment type="barter"/>'), "unknown payment 'barter'"),
        "encoding": (b'<?xml version="1.0" encoding="none"?><rsl/>', "unknown encoding"),
    },
)
def test_invalid_rsl(content: bytes, problem: str) -> None:
    with pytest.raises(RslError, match=problem):
        parse_rsl(content)


def test_rsl() -> None:
    [free, sold] = parse_rsl(
        rsl('<permits type="usage">search</permits><prohibits type="usage">ai-train</prohibits>')[
            : -len("</content></rsl>")
        ]
        + b'<license><permits type="usage">all</permits><payment type="crawl"><amount currency="USD">0.01</amount>'
        b"</payment></license></content></rsl>"
    )
    assert free.uses() == {Use.SEARCH: True, Use.AI_TRAIN: False}
    assert (sold.uses(), sold.payments) == ({}, ("crawl USD 0.01",))


def test_every_user_agent_names_its_crawler() -> None:
    published = [agent for agent in KNOWN_AGENTS if agent.user_agent]
    assert len(published) > 15
    for agent in published:
        assert agent.name.lower() in agent.user_agent.lower()
        assert agent.fetches
    googlebot = known_agent("googlebot")
    assert googlebot is not None
    assert googlebot.user_agent


def test_headers_are_declarations() -> None:
    rsl = (
        b'<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>'
        b'<prohibits type="usage">ai-train</prohibits></license></content></rsl>'
    )
    headers = (
        ("Content-Signal", "ai-train=no, search=yes"),
        ("Link", "</style.css>; rel=preload"),
        ("Link", '</license.xml>; rel="license"; type="application/rsl+xml"'),
    )
    with site(files={"/license.xml": rsl}, headers=headers) as origin:
        report = compared(origin, clients=False)
    signal, terms = report.statements
    assert (signal.where, signal.uses) == ("header Content-Signal", {Use.AI_TRAIN: False, Use.SEARCH: True})
    assert (terms.key, terms.uses[Use.AI_TRAIN]) == ("RSL", False)
    (terms_of,) = report.licenses
    assert (terms_of.url, terms_of.where, terms_of.line) == (f"{origin}/license.xml", "header Link", None)
    with site("License: {origin}/license.xml\n" + GROUP) as other:
        assert compared(other, clients=False).licenses[0].where == "robots.txt line 1"


def test_relative_licenses() -> None:
    terms = rsl('<prohibits type="usage">ai-train</prohibits>')
    with site(f"License: /license.xml\nLicense: MIT\n{GROUP}", files={"/license.xml": terms}) as origin:
        report = compared(origin, clients=False)
    [declared] = report.licenses
    assert (declared.url, declared.prohibits) == (f"{origin}/license.xml", ("ai-train",))
    assert declared.where == "robots.txt line 1, as the relative /license.xml"


def test_lines_that_a_network_writes(capsys: pytest.CaptureFixture[str]) -> None:
    managed = (
        "# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\n"
        "User-agent: GPTBot\nDisallow: /\n# END Cloudflare Managed Content\n"
    )
    with site(managed) as origin:
        report = compared(origin, clients=False)
        assert main(["robots", origin, "--policy", "--agents", "GPTBot", "--rate", "10000"]) == 0
    shown = capsys.readouterr().out
    assert [(block.writer, block.first, block.last) for block in report.managed] == [("Cloudflare", 1, 8)]
    assert report.statements[0].written_by == "Cloudflare"
    gptbot = report.crawler("GPTBot")
    assert gptbot is not None
    assert gptbot.line_written_by == "Cloudflare"
    assert "robots.txt lines 1 to 8: written by Cloudflare" in shown
    assert "disallowed, line 7 (Cloudflare)" in shown


def test_the_training_preference() -> None:
    group = "User-agent: a-token\nDisallow: /\n"
    with site(f"{GROUP}\n{group}") as origin:
        unnamed = compared(origin, clients=False)
        report = compared(origin, clients=False, policy_training_token="a-token")
    assert not unnamed.statements
    [statement] = report.statements
    assert (statement.where, statement.text, statement.uses) == (
        "robots.txt line 5",
        "a-token: disallowed",
        {Use.AI_TRAIN: False},
    )
    gptbot = report.crawler("GPTBot")
    assert gptbot is not None
    assert gptbot.stated == "no"


def test_an_unreachable_robots_txt_declares_nothing() -> None:
    url = "https://example.com/"
    declared = Declarations(url, Robots.of_answer(503, None, url), (), (), Intent(search=True))
    googlebot = known_agent("Googlebot")
    assert googlebot is not None
    crawler = crawler_policy(googlebot, declared, None, None, None)
    assert not crawler.allowed
    assert contradictions(declared, [crawler], None, date(2026, 11, 29)) == ()


INTENTS: dict[str, tuple[dict[str, Any], dict[str, str], list[str]]] = {
    "as declared": ({"robots": f"{GROUP}\nUser-agent: GPTBot\nDisallow: /\n"}, {"training": "no"}, []),
    "allowed": ({}, {"training": "no"}, ["[policy] says AI training no, and robots.txt line 2 allows GPTBot"]),
    "disallowed": (
        {"robots": "User-agent: *\nDisallow: /\n"},
        {"training": "yes"},
        ["[policy] says AI training yes, and robots.txt line 2 disallows GPTBot"],
    ),
    "stated": (
        {"robots": signal("ai-train=no")},
        {"training": "yes"},
        ["[policy] says AI training yes, and robots.txt line 2 says no to GPTBot"],
    ),
    "other use": ({"robots": signal("ai-train=no")}, {"search": "yes"}, []),
    "managed": (
        {
            "robots": "# BEGIN Cloudflare Managed content\nUser-agent: GPTBot\nDisallow: /\n"
            "# END Cloudflare Managed Content\n"
        },
        {"training": "yes"},
        ["[policy] says AI training yes, and robots.txt line 3, which Cloudflare writes, disallows GPTBot"],
    ),
    "ignores": (
        {},
        {"ai_agents": "no"},
        ["[policy] says agents no, and Perplexity-User gets HTTP 200; it does not follow robots.txt"],
    ),
    "ignores and refused": ({"answers": {"Perplexity-User": (403, {})}}, {"ai_agents": "no"}, []),
}


@pytest.mark.parametrize("name", INTENTS)
def test_intent(name: str) -> None:
    served_as, policy, expected = INTENTS[name]
    with site(**served_as) as origin:
        stated: dict[str, Any] = {f"policy_{key}": value for key, value in policy.items()}
        report = compared(origin, agents=["GPTBot", "Perplexity-User"], **stated)
    kinds = {Contradiction.INTENT_NOT_DECLARED, Contradiction.INTENT_NOT_ANSWERED}
    assert [finding.evidence for finding in report.findings if finding.kind in kinds] == expected


LOGGED: dict[str, tuple[str, str, Intent, tuple[int, int], list[str]]] = {
    "answered, although not intended": (
        "Perplexity-User", "", Intent(agents=False), (7, 2),
        [
            "[policy] says agents no, and the access logs have 7 answered requests of Perplexity-User; it does not "
            "follow robots.txt"
        ],
    ),
    "refused, although intended": (
        "Perplexity-User", "", Intent(agents=True), (0, 1),
        [
            "[policy] says agents yes, and the access logs have 1 refused request of Perplexity-User; it does not "
            "follow robots.txt"
        ],
    ),
    "a denied path": (
        "GPTBot", "User-agent: *\nAllow: /\n", Intent(training=True, denied={"/": ("training",)}), (3, 0),
        ["[policy] says AI training no, and robots.txt line 2 allows GPTBot"],
    ),
    "refused, as intended": ("Perplexity-User", "", Intent(agents=False), (0, 9), []),
    "not declared, and answered": (
        "GPTBot", "User-agent: *\nAllow: /\n", Intent(training=False), (3, 0),
        ["[policy] says AI training no, and robots.txt line 2 allows GPTBot; the access logs have 3 answered requests"],
    ),
    "not declared, and refused": (
        "GPTBot", "User-agent: *\nAllow: /\n", Intent(training=False), (0, 3),
        ["[policy] says AI training no, and robots.txt line 2 allows GPTBot"],
    ),
    "declared": ("GPTBot", "User-agent: GPTBot\nDisallow: /\n", Intent(training=False), (0, 3), []),
}  # fmt: skip


@pytest.mark.parametrize("name", LOGGED)
def test_intent_and_access_logs(name: str) -> None:
    token, robots, intent, (answered, refused), expected = LOGGED[name]
    day = date(2026, 11, 2)
    visits = Visits(hits=answered + refused, answered=answered, refused=refused, first_on=day, last_on=day)
    declared = Declarations("https://example.com/", Robots.parse(robots.encode()), (), (), intent)
    agent = known_agent(token)
    assert agent is not None
    crawler = crawler_policy(agent, declared, None, None, visits)
    kinds = {Contradiction.INTENT_NOT_DECLARED, Contradiction.INTENT_NOT_ANSWERED}
    found = contradictions(declared, [crawler], None, day)
    assert [finding.evidence for finding in found if finding.kind in kinds] == expected
