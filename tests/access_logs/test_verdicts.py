"""Who a crawler is: by published addresses, by DNS, or unknown."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.access_logs.lines import BING, GOOGLE, GOOGLE_ADDRESS, OTHER_ADDRESS, PERSON, SITE, combined

from urlset import _core
from urlset.access_logs import render_text, reverse_dns
from urlset.access_logs.ranges import LISTS
from urlset.errors import UsageError
from urlset.model.access_log import LogsResult
from urlset.web.agents import KNOWN_AGENTS

Read = Callable[..., LogsResult]
Rows = Callable[[str], list[tuple[Any, ...]]]

GPT = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"


@pytest.fixture
def ranges(tmp_path: Path) -> Path:
    folder = tmp_path / "ranges"
    folder.mkdir()
    prefixes = [{"ipv6Prefix": "2001:4860:4801::/48"}, {"ipv4Prefix": "66.249.66.0/27"}]
    write(folder / "googlebot.json", {"creationTime": now(), "prefixes": prefixes})
    return folder


def write(path: Path, content: object) -> None:
    path.write_text(json.dumps(content))


def now(days: int = 0) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat()


def verdicts(result: LogsResult) -> dict[str, int]:
    return {f"{one.agent.name} {one.verdict}": one.hits for one in result.crawlers}


CLIENTS = [
    ("66.249.66.0", "verified"),
    ("66.249.66.31", "verified"),
    ("66.249.66.32", "impostor"),
    ("66.249.65.255", "impostor"),
    ("::ffff:66.249.66.7", "verified"),
    ("2001:4860:4801:1::1", "verified"),
    ("2001:4860:4802::1", "impostor"),
    (OTHER_ADDRESS, "impostor"),
    ("10.0.0.7", "unverified"),
    ("127.0.0.1", "unverified"),
    ("fd00::1", "unverified"),
    ("100.64.0.1", "unverified"),
    ("crawl.example.net", "unverified"),
    ("-", "unverified"),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("client", "verdict"), CLIENTS)
def test_verdicts_by_list(client: str, verdict: str, read: Read, ranges: Path) -> None:
    assert verdicts(read(combined(client=client).encode(), ranges=ranges)) == {f"Googlebot {verdict}": 1}


G = GOOGLE_ADDRESS
SIX = "2001:4860:4801:a::b"
PREFIXED = [
    f"{G}, 172.70.1.1",
    f"{G},172.70.1.1",
    f"{G} , 10.0.0.1",
    f"unknown, {G}",
    f"10.0.0.1, {G}",
    f"{G} 10.0.0.1",
    f'"{G}, 172.70.1.1"',
    f'"{G}"',
    f"'{G}'",
    f"{G}:4412",
    f"[{G}]",
    f"[{SIX}]",
    f"[{SIX}]:443",
    f"{SIX}%eth0",
    SIX.upper(),
    "2001:4860:4801:a:0:0:0:b",
    f"::ffff:{G}",
    f"::FFFF:{G}",
    f"[::ffff:{G}]:80",
    f"::ffff:{G}:4412",
    f"for={G};proto=https",
    f'For="[{SIX}]:4711"',
    f"example.com {G}, 172.70.1.1",
    f'example.com:443 "{G}, 172.70.1.1"',
    f"example.com [{SIX}]:443",
    f"203.0.113.5:443 {G}",
    f"- {G}",
    f"Nov 10 13:55:36 web1 nginx: {G}",
    f"2026-11-10T13:55:36Z {G}",
]
"""The start of a line in the combined format: each has the address of Googlebot."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("start", PREFIXED)
@pytest.mark.parametrize("kind", ["verified", "impostor"])
def test_the_address_in_what_a_line_starts_with(start: str, kind: str, read: Read, ranges: Path) -> None:
    if kind == "impostor":
        start = start.replace(G, OTHER_ADDRESS).replace(SIX, "2001:db8::1").replace("4801:a", "4802:a")
        start = start.replace(SIX.upper(), "2001:DB8::1")
    site = None if start.startswith(("example", "203.0.113.5:")) else "https://example.com"
    result = read(combined(client=start).encode(), ranges=ranges, site=site)
    assert verdicts(result) == {f"Googlebot {kind}": 1}, start
    (log,) = result.logs
    assert (log.clientless, log.addressless, log.private, log.unreadable, log.hits) == (0, 0, 0, 0, 1)
    assert log.forwarded == (start.count(".") >= 6 and "203.0.113.5:" not in start)


UNREADABLE = [
    ("-", "clientless"),
    ('""', "clientless"),
    ("unknown", "addressless"),
    ("unknown, unknown", "addressless"),
    ("crawl-66-249-66-1.googlebot.com", "addressless"),
    ("66.249.66.xxx", "addressless"),
    ("66.249.66.1.1", "addressless"),
    ("unix:", "addressless"),
    ("10.0.0.7", "private"),
    ("10.0.0.7, 127.0.0.1", "private"),
    ("[fe80::1%eth0]:443", "private"),
    ("fe80::1%10", "private"),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("client", "why"), UNREADABLE)
def test_a_client_that_is_not_a_public_address_is_counted(client: str, why: str, read: Read, ranges: Path) -> None:
    result = read((combined(client=client) * 2 + combined(client=client, agent=PERSON)).encode(), ranges=ranges)
    (log,) = result.logs
    counts = {name: getattr(log, name) for name in ("clientless", "addressless", "private")}
    assert counts == {"clientless": 0, "addressless": 0, "private": 0} | {why: 2}
    assert verdicts(result) == {"Googlebot unverified": 2}
    text = "\n".join(render_text.render(result))
    assert "2 requests of crawlers cannot be verified: the" in text
    assert client not in text or client in ("-", "unknown", '""')


def test_the_user_of_a_request_is_not_its_client(read: Read, ranges: Path) -> None:
    line = combined(client="crawl.example.net").replace(" - - [", f" - {G} [")
    two = combined(client="crawl.example.net").replace(" - - [", f" - a {G} - - [")
    result = read((line + two).encode(), ranges=ranges)
    assert verdicts(result) == {"Googlebot unverified": 2}
    assert result.logs[0].addressless == 2


FORWARDED = [
    ("10.0.0.1", G, "verified"),
    ("10.0.0.1", f"{G}, 172.70.1.1", "verified"),
    ("unix:", f"{OTHER_ADDRESS}, {G}", "impostor"),
    (OTHER_ADDRESS, G, "impostor"),
    (G, OTHER_ADDRESS, "verified"),
    ("10.0.0.1", "-", "unverified"),
    ("10.0.0.1", "unknown", "unverified"),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("client", "forwarded", "verdict"), FORWARDED)
@pytest.mark.parametrize("kind", ["combined", "json", "list", "caddy", "w3c"])
def test_a_forwarded_address_counts_behind_a_proxy(
    kind: str, client: str, forwarded: str, verdict: str, read: Read, ranges: Path
) -> None:
    same: dict[str, Any] = {"ts": 1794318936, "uri": "/a", "user_agent": GOOGLE}
    text = {
        "combined": combined(client=client).rstrip() + f' "{forwarded}"\n',
        "json": json.dumps({**same, "remote_addr": client, "http_x_forwarded_for": forwarded}) + "\n",
        "list": json.dumps({**same, "ip": client, "xff": forwarded.split(", ")}) + "\n",
        "caddy": json.dumps(
            {**same, "request": {"remote_ip": client, "headers": {"X-Forwarded-For": [forwarded]}}}
        ) + "\n",
        "w3c": "#Fields: date time c-ip x-forwarded-for cs-uri-stem cs(User-Agent)\n"
        f'2026-11-10 13:55:36 {client} "{forwarded}" /a {GOOGLE.replace(" ", "+")}\n',
    }[kind]  # fmt: skip
    assert verdicts(read(text.encode(), ranges=ranges)) == {f"Googlebot {verdict}": 1}


def test_logs_without_user_agents_need_addresses(read: Read, ranges: Path) -> None:
    line = '{} - - [10/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1\n'
    clients = (f"{G}, 172.70.1.1", f"[{SIX}]:443", OTHER_ADDRESS, "unknown", "10.0.0.1")
    (log,) = read("".join(map(line.format, clients)).encode(), ranges=ranges).logs
    assert (log.hits, log.people, log.agentless) == (2, 1, 2)


def test_without_anything_all_are_unverified(read: Read) -> None:
    result = read((combined() + combined(agent=BING)).encode())
    assert set(verdicts(result)) == {"Googlebot unverified", "Bingbot unverified"}
    text = "\n".join(render_text.render(result))
    assert text.count("Unverified crawlers can be any client") == 1


def test_verified_crawlers_are_not_called_unverified_later(read: Read, ranges: Path) -> None:
    read(combined().encode(), ranges=ranges)
    result = read((combined() * 2).encode())
    assert set(verdicts(result)) == {"Googlebot verified", "Googlebot unverified"}
    result = read(combined(agent=PERSON).encode(), store=ranges / "other.duckdb")
    assert "nverified" not in "\n".join(render_text.render(result))


def test_a_crawler_without_a_list_is_unverified(read: Read, ranges: Path) -> None:
    result = read((combined() + combined(agent=BING)).encode(), ranges=ranges)
    assert verdicts(result) == {"Googlebot verified": 1, "Bingbot unverified": 1}
    assert "Unverified requests of Bingbot" in "\n".join(render_text.render(result))


def test_a_common_log_with_lists_is_read_by_address(read: Read, ranges: Path) -> None:
    line = '{} - - [10/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1\n'
    result = read((line.format(GOOGLE_ADDRESS) + line.format(OTHER_ADDRESS)).encode(), ranges=ranges)
    assert (result.logs[0].format, result.logs[0].people) == ("common", 1)
    assert verdicts(result) == {"Googlebot verified": 1}


WRONG = [
    pytest.param({"Action needed": "use common-crawlers.json"}, "has no prefixes", id="moved"),
    pytest.param({"prefixes": []}, "has no prefixes", id="empty"),
    pytest.param([], "has no prefixes", id="array"),
    pytest.param({"prefixes": [{"ipv4Prefix": "66.249.66.1/27"}]}, "invalid prefix '66.249.66.1/27'", id="host bits"),
    pytest.param({"prefixes": [{"service": "x"}]}, "invalid prefix", id="no prefix"),
]


@pytest.mark.parametrize(("content", "reason"), WRONG)
def test_a_wrong_list_is_refused_by_name(content: object, reason: str, read: Read, ranges: Path) -> None:
    write(ranges / "bingbot.json", content)
    with pytest.raises(UsageError, match=r"bingbot\.json") as error:
        read(combined().encode(), ranges=ranges)
    assert reason in str(error.value)


def test_a_list_that_is_not_json_is_refused(read: Read, ranges: Path) -> None:
    (ranges / "gptbot.json").write_text("<html>" + "[" * 100_000)
    with pytest.raises(UsageError, match=r"gptbot\.json: is not JSON"):
        read(combined().encode(), ranges=ranges)


@pytest.mark.parametrize("place", ["none", "empty"])
def test_a_directory_without_lists_is_refused(place: str, read: Read, tmp_path: Path) -> None:
    if place == "empty":
        (tmp_path / place).mkdir()
    with pytest.raises(UsageError, match="ranges: "):
        read(combined().encode(), ranges=tmp_path / place)


def test_old_undated_and_unknown_lists_are_reported(read: Read, ranges: Path) -> None:
    prefixes = [{"ipv4Prefix": "192.0.2.0/24"}]
    write(ranges / "bingbot.json", {"creationTime": now(31), "prefixes": prefixes})
    write(ranges / "gptbot.json", {"prefixes": prefixes})
    write(ranges / "mine.json", {})
    text = "\n".join(render_text.render(read(combined().encode(), ranges=ranges)))
    assert "bingbot.json: 31 days old" in text
    assert "gptbot.json: has no creation date" in text
    assert "mine.json: not used" in text
    assert "googlebot.json" not in text


class Answers:
    """DNS with fixed answers, which counts the questions."""

    def __init__(self, names: dict[str, Sequence[str]], addresses: dict[str, Sequence[str]]) -> None:
        self.asked: list[str] = []
        self._names = names
        self._addresses = addresses

    def names(self, address: str) -> Sequence[str]:
        self.asked.append(address)
        if address not in self._names:
            raise OSError("timed out")
        return self._names[address]

    def addresses(self, name: str) -> Sequence[str]:
        return self._addresses.get(name, ())


def dns() -> Answers:
    return Answers(
        {
            "66.249.66.1": ["crawl-66-249-66-1.googlebot.com."],
            "66.249.66.2": ["crawl-66-249-66-2.GOOGLEBOT.com"],
            "66.249.66.3": ["crawl.googlebot.com.example.net"],
            "66.249.66.4": ["notgooglebot.com"],
            "66.249.66.5": [],
        },
        {
            "crawl-66-249-66-1.googlebot.com": ["66.249.66.1"],
            "crawl-66-249-66-2.googlebot.com": ["66.249.66.1"],
            "crawl.googlebot.com.example.net": ["66.249.66.3"],
            "notgooglebot.com": ["66.249.66.4"],
        },
    )


def test_verified_requests_are_kept_by_page_and_day(read: Read, ranges: Path, rows: Rows) -> None:
    lines = "".join(
        combined("/a", day=day, status=status, client=client)
        for day, status, client in (
            (10, 200, GOOGLE_ADDRESS),
            (10, 304, GOOGLE_ADDRESS),
            (10, 500, GOOGLE_ADDRESS),
            (12, 404, GOOGLE_ADDRESS),
            (13, 200, OTHER_ADDRESS),
        )
    )
    read(lines.encode(), ranges=ranges)
    assert rows("SELECT page_hash, agent, day::DATE::VARCHAR, hits, good_hits FROM page_crawls ORDER BY ALL") == [
        (_core.page_hash(f"{SITE}/a"), "Googlebot", "2026-11-10", 3, 2),
        (_core.page_hash(f"{SITE}/a"), "Googlebot", "2026-11-12", 1, 0),
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("client", "verdict"),
    [(1, "verified"), (2, "impostor"), (3, "impostor"), (4, "impostor"), (5, "impostor"), (6, "unverified")],
)
def test_verdicts_by_dns(client: int, verdict: str, read: Read) -> None:
    result = read(combined(client=f"66.249.66.{client}").encode(), dns=True, resolver=dns())
    assert verdicts(result) == {f"Googlebot {verdict}": 1}


def test_each_address_is_looked_up_once_and_only_of_crawlers(read: Read) -> None:
    answers = dns()
    lines = combined(client="66.249.66.1") * 5 + combined(client="66.249.66.5", agent=PERSON)
    lines += combined(client="66.249.66.4", agent=GPT)
    read(lines.encode(), lines.encode().replace(b"13:55", b"13:56"), dns=True, resolver=answers)
    assert answers.asked == ["66.249.66.1"]


def test_dns_is_not_asked_by_default(read: Read) -> None:
    answers = dns()
    read(combined(client="66.249.66.1").encode(), resolver=answers)
    assert answers.asked == []


def test_dns_confirms_addresses_that_a_list_lacks(read: Read, ranges: Path) -> None:
    answers = Answers({"203.0.113.1": ["a.googlebot.com"]}, {"a.googlebot.com": ["203.0.113.1"]})
    lines = combined(client="203.0.113.1") + combined(client=GOOGLE_ADDRESS)
    assert verdicts(read(lines.encode(), ranges=ranges, dns=True, resolver=answers)) == {"Googlebot verified": 2}
    assert answers.asked == ["203.0.113.1"]


def test_lookups_are_limited(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reverse_dns, "MAX_LOOKUPS", 2)
    answers = dns()
    lines = "".join(combined(client=f"66.249.66.{n}") for n in range(1, 6))
    result = read(lines.encode(), dns=True, resolver=answers)
    assert len(answers.asked) == 2
    assert result.unasked == 3
    assert "3 addresses not looked up" in "\n".join(render_text.render(result))


def test_the_resolver_of_the_system() -> None:
    resolver = reverse_dns.SystemResolver()
    assert "127.0.0.1" in resolver.addresses("localhost")
    assert resolver.addresses("a" * 300 + ".example") == ()


AGENTS = [
    (GOOGLE, "Googlebot"),
    ("Googlebot-Image/1.0", "Googlebot-Image"),
    ("GOOGLEBOT/2.1", "Googlebot"),
    ("Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/131", "Bingbot"),
    ("Mozilla/5.0 (compatible; NotGooglebot/1.0)", None),
    ("Mozilla/5.0 (compatible; Not-Googlebot/1.0)", None),
    ("Googlebots/1.0", None),
    ("DuckDuckBot-Https/1.1; (+https://duckduckgo.com/duckduckbot)", "DuckDuckBot"),
    ("Mozilla/5.0 (compatible; Baiduspider-render/2.0)", "Baiduspider"),
    ("Mozilla/5.0 (compatible; Google-Extended)", None),
    (PERSON, None),
    ("-", None),
    ("", None),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("agent", "name"), AGENTS)
def test_user_agents(agent: str, name: str | None, read: Read) -> None:
    result = read((combined() + combined(agent=agent)).encode())
    found = {one.agent.name for one in result.crawlers}
    assert found == {"Googlebot", *([name] if name else [])}
    assert result.logs[0].people == (name is None)


def test_every_crawler_is_recognized(read: Read) -> None:
    agents = [agent for agent in KNOWN_AGENTS if agent.fetches]
    shown = (f"Mozilla/5.0 (compatible; {agent.name}/1.0; +{agent.source})" for agent in agents)
    crawlers = read("".join(combined(agent=agent) for agent in shown).encode()).crawlers
    assert sorted((crawler.agent.name, crawler.hits) for crawler in crawlers) == sorted((one.name, 1) for one in agents)


def test_lists_and_domains_are_well_formed() -> None:
    assert sum(agent.fetches for agent in KNOWN_AGENTS) >= 40
    assert all(name.endswith(".json") and name == name.lower() for name in LISTS)
    assert all(domain.startswith(".") for agent in KNOWN_AGENTS for domain in agent.domains)
