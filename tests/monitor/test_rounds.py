"""Rounds: what is due, recorded, and told, on simulated sites and on sites on the loopback network."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator
from tests.loopback import served

import release
from urlset.cli.main import main
from urlset.errors import ConfigError, InputError, MissingExtraError, OutputError, UsageError
from urlset.model.monitoring import AlarmKind, Delivery, MonitorResult, Observation, Observed, RoundFacts, Sent
from urlset.monitor.sinks import DELIVERY, SIGNATURE, Webhook, signature
from urlset.monitor.store import MonitorStore
from urlset.options.monitoring import WebhookSpec, load_monitor
from urlset.pipeline.monitor import monitor
from urlset.pipeline.observe import SiteObservation
from urlset.report.json_schema import schema as schema_of
from urlset.rules.rule import Severity
from urlset.store.file import Store

SITE = "https://example.com"
START = datetime(2026, 3, 2, 3, tzinfo=UTC)


@dataclass
class Simulated:
    """Rounds on simulated observations: no network, and a clock of its own."""

    folder: Path
    text: str
    problems: dict[str, str] = field(default_factory=dict)
    at: datetime = START
    looked: list[str] = field(default_factory=list)
    free: int = 10**12
    codes: set[str] = field(default_factory=lambda: {"A1", "B2", "C3"})

    def round(self, *, is_forced: bool = False, look: Callable[..., Any] | None = None) -> MonitorResult:
        path = self.folder / "monitor.toml"
        path.write_text(self.text)
        plan = load_monitor(path)
        self.at += timedelta(days=1)
        return monitor(
            plan, is_forced=is_forced, now=lambda: self.at, free=lambda _: self.free, look=look or self._look
        )

    def _look(self, site: Any, *_: object) -> SiteObservation:
        self.looked.append(site.spec.url)
        found = {
            code: Observed(title=what, severity=Severity.ERROR, members={f"{SITE}/sitemap.xml": "line 3"}, count=1)
            for code, what in self.problems.items()
        }
        seen = Observation(at=self.at, problems={AlarmKind.FINDING: found}, rules=frozenset(self.codes), listed=7)
        return SiteObservation(seen, None, RoundFacts(listed=7, findings={"error": len(found)}))


@pytest.fixture
def simulated(tmp_path: Path) -> Simulated:
    return Simulated(tmp_path, f'[[site]]\nurl = "{SITE}"\n')


class Receiver(BaseHTTPRequestHandler):
    """Takes webhooks, unless it is down."""

    received: ClassVar[list[tuple[dict[str, str], bytes]]] = []
    status = 204

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        type(self).received.append((dict(self.headers), body))
        self.send_response(type(self).status)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture
def receiver() -> Iterator[tuple[str, type[Receiver]]]:
    handler = type("OwnReceiver", (Receiver,), {"received": [], "status": 204})
    with served(handler) as origin:
        yield f"{origin}/secret-path", handler


def titles(result: MonitorResult) -> tuple[list[str], list[str]]:
    return (
        [alarm.title for site in result.sites for alarm in site.opened],
        [alarm.title for site in result.sites for alarm in site.closed],
    )


def test_an_alarm_is_opened_once_repeated_never_and_closed_once(simulated: Simulated) -> None:
    assert titles(simulated.round()) == ([], [])
    simulated.problems["A1"] = "wrong"
    assert titles(simulated.round()) == (["wrong"], [])
    assert titles(simulated.round()) == ([], [])
    simulated.problems.clear()
    assert titles(simulated.round()) == ([], ["wrong"])
    assert titles(simulated.round()) == ([], [])


@pytest.mark.long("slow cases")
def test_sites_that_are_not_due_are_not_checked(simulated: Simulated) -> None:
    simulated.text = f'[[site]]\nurl = "{SITE}"\nevery = "2d"\n[[site]]\nurl = "https://b.example"\n'
    for _ in range(4):
        simulated.round()
    assert simulated.looked == [SITE, "https://b.example", "https://b.example", SITE, *["https://b.example"] * 2]
    simulated.looked.clear()
    simulated.round(is_forced=True)
    simulated.at -= timedelta(hours=23)
    assert simulated.round(is_forced=True).not_due == 0
    assert len(simulated.looked) == 4


def test_a_full_disk_stops_a_round_before_it_begins(simulated: Simulated) -> None:
    simulated.free = 1000
    with pytest.raises(OutputError, match="free, less than min-free"):
        simulated.round()
    assert simulated.looked == []
    assert not (simulated.folder / "urlset.duckdb").exists()


def test_an_overlapping_round_exits_at_once(simulated: Simulated) -> None:
    seen = []

    def look(*_: object) -> SiteObservation:
        with pytest.raises(OutputError, match="locked by another round"):
            simulated.round()
        seen.append(True)
        return simulated._look(load_monitor(simulated.folder / "monitor.toml").sites[0])

    simulated.round(look=look)
    assert seen == [True]
    assert titles(simulated.round()) == ([], [])


def test_an_interrupted_round_leaves_nothing(simulated: Simulated) -> None:
    simulated.round()
    simulated.problems["A1"] = "wrong"

    def look(*_: object) -> SiteObservation:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulated.round(look=look)
    simulated.at -= timedelta(hours=23)
    assert titles(simulated.round()) == (["wrong"], [])


def test_one_site_with_an_error_does_not_stop_the_others(simulated: Simulated) -> None:
    simulated.text = f'[[site]]\nurl = "https://a.example"\n[[site]]\nurl = "{SITE}"\n'

    def look(site: Any, *_: object) -> SiteObservation:
        if "a.example" in site.spec.url:
            raise ZeroDivisionError("no")
        return simulated._look(site)

    broken, fine = simulated.round(look=look).sites
    assert broken.problem is not None
    assert "ZeroDivisionError" in broken.problem
    assert fine.problem is None


def test_webhooks_get_signed_json_and_what_they_do_not_take_is_sent_again(
    simulated: Simulated, receiver: tuple[str, type[Receiver]], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, handler = receiver
    monkeypatch.setenv("URLSET_HOOK_SECRET", "geheim")
    simulated.text += f'[[webhook]]\nurl = "{url}"\nsecret-env = "URLSET_HOOK_SECRET"\n'
    simulated.round()
    assert handler.received == []
    handler.status = 503
    simulated.problems["A1"] = "wrong"
    first = simulated.round()
    [(sink, problem)] = first.undelivered.items()
    assert "503" in problem
    # The path of a webhook is a secret.
    assert "secret-path" not in sink
    simulated.problems["B2"] = "wrong, too"
    assert list(simulated.round().undelivered) == [sink]
    handler.status = 204
    handler.received.clear()
    # Nothing is due, and what waits is sent anyway, in order.
    simulated.at -= timedelta(days=1)
    assert simulated.round().undelivered == {}
    messages = [json.loads(body) for _, body in handler.received]
    assert [[alarm["title"] for alarm in each["opened"]] for each in messages] == [["wrong"], ["wrong, too"]]
    for headers, body in handler.received:
        assert headers[SIGNATURE] == signature(b"geheim", body)
    assert len({headers[DELIVERY] for headers, _ in handler.received}) == 2
    handler.received.clear()
    simulated.round()
    assert handler.received == []


def sent_to_webhook(answers: list[int], tried: int = 0) -> list[Sent]:
    """Send as many messages as there are answers to a webhook that answers them in this order.

    Args:
        tried: Number of the first messages that an earlier round tried.
    """
    statuses = iter(answers)

    def call(*_: object, **__: object) -> SimpleNamespace:
        return SimpleNamespace(status=next(statuses), reason=None, close=lambda: None)

    fetcher: Any = SimpleNamespace(call=call)
    hook = Webhook(WebhookSpec(url="https://hooks.example.com/secret-path"), lambda: fetcher)
    return [*hook.send([Delivery(number, hook.name, "{}", int(number < tried)) for number in range(len(answers))])]


# What the receiver answers to each message, in order; whether a message is refused for ever (None if it was accepted),
# for those that were sent.
ANSWERS: dict[str, tuple[list[int], list[bool | None]]] = {
    "one is not accepted": ([422, 204, 400, 204], [True, None, True, None]),
    "none is accepted": ([400] * 4, [True] * 4),
    "another status for which the message is the cause": ([415, 204, 204, 204], [True, None, None, None]),
    "the server fails": ([204, 503, 204, 204], [None, False]),
    "too many requests": ([429, 204, 204, 204], [False]),
    "too early": ([425, 204, 204, 204], [False]),
    "a timeout": ([408, 204, 204, 204], [False]),
    "a redirect": ([307, 204, 204, 204], [False]),
    "the webhook is gone": ([410] * 4, [False] * 4),
    "the secret is wrong": ([401] * 4, [False] * 4),
    "a firewall refuses one": ([403, 204, 403, 204], [True, None, True, None]),
    "a firewall refuses the last one": ([204, 204, 403, 403], [None, None, False, False]),
    "then the server fails": ([404, 422, 500, 204], [False, True, False]),
    "a firewall refuses many": ([403] * 9 + [204] * 3, [True] * 9 + [None] * 3),
}


@pytest.mark.parametrize(("answers", "refused"), ANSWERS.values(), ids=ANSWERS)
def test_a_message_that_a_webhook_refuses_holds_back_no_other(answers: list[int], refused: list[bool | None]) -> None:
    sent = sorted(sent_to_webhook(answers), key=lambda one: one.deliveries[0].delivery_id)
    assert [None if one.problem is None else one.is_refused for one in sent] == refused


def test_a_webhook_that_is_gone_gets_few_requests_a_round() -> None:
    sent = sent_to_webhook([404] * 100)
    assert [one.deliveries[0].delivery_id for one in sent] == [*range(10)]
    assert {(one.problem, one.is_refused) for one in sent} == {("returned HTTP 404; check its url and secret", False)}


def test_messages_that_wait_arrive_in_order_when_the_others_were_refused() -> None:
    sent = sent_to_webhook([403] * 9 + [204] * 3)
    assert [one.deliveries[0].delivery_id for one in sent if one.problem is None] == [9, 10, 11]
    # If the tenth message is refused, too, the next round tries the one after it.
    sent = sent_to_webhook([403] * 9 + [204] * 3, tried=10)
    assert [one.deliveries[0].delivery_id for one in sent if one.problem is None] == [10, 11]


def test_a_round_says_once_what_a_webhook_refuses(simulated: Simulated, receiver: tuple[str, type[Receiver]]) -> None:
    url, handler = receiver
    simulated.text += f'[[webhook]]\nurl = "{url}"\n'
    simulated.round()
    handler.status = 503
    for code in ("A1", "B2"):
        simulated.problems[code] = "wrong"
        simulated.round()
    handler.status = 422
    result = simulated.round()
    assert (result.undelivered, [*result.refused.values()]) == (
        {},
        ["returned HTTP 422 Unprocessable Entity (2 messages)"],
    )
    handler.status = 204
    handler.received.clear()
    simulated.problems["C3"] = "wrong, too"
    after = simulated.round()
    assert not {**after.undelivered, **after.refused}
    # The next message has what the refused ones said.
    [message] = [json.loads(body) for _, body in handler.received]
    assert (len(message["opened"]), len(message["still_open"])) == (1, 2)


def test_apprise_takes_everything_else(simulated: Simulated, monkeypatch: pytest.MonkeyPatch) -> None:
    simulated.text += '[apprise]\nurls = ["json://localhost"]\nurls-env = "URLSET_MORE"\n'
    monkeypatch.setenv("URLSET_MORE", "mailto://a.example unknown://b")
    monkeypatch.setitem(sys.modules, "apprise", None)
    with pytest.raises(MissingExtraError, match=r"urlset\[monitor\]"):
        simulated.round()
    sent: list[tuple[str, str, str]] = []

    class Apprise:
        def add(self, url: str) -> bool:
            self.url = url
            return not url.startswith("unknown")

        def notify(self, *, title: str, body: str) -> bool:
            sent.append((self.url, title, body))
            if self.url.startswith("json"):
                raise ConnectionError("no route")
            return True

    package = ModuleType("apprise")
    package.Apprise = Apprise  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "apprise", package)
    with pytest.raises(UsageError, match="URL 3"):
        simulated.round()
    monkeypatch.setenv("URLSET_MORE", "mailto://a.example")
    simulated.round()
    simulated.problems["A1"] = "wrong\x1b[31m"
    result = simulated.round()
    assert [url for url, *_ in sent] == ["json://localhost", "mailto://a.example"]
    assert sent[0][1:] == (
        f"urlset: {SITE}",
        f"error: wrong\\u{{1b}}[31m\n  {SITE}/sitemap.xml: line 3",
    )
    assert list(result.undelivered.values()) == ["Apprise could not send the message: ConnectionError"]
    simulated.round()
    assert [url for url, *_ in sent] == ["json://localhost", "mailto://a.example", "json://localhost"]


@pytest.mark.parametrize("content", ["no", "[]", '{"site": "a", "opened": [{"title": 5}], "closed": []}'])
def test_a_damaged_message_is_not_sent(
    simulated: Simulated, receiver: tuple[str, type[Receiver]], content: str
) -> None:
    origin, handler = receiver
    simulated.text += f'[[webhook]]\nurl = "{origin}"\n'
    simulated.round()
    handler.status = 503
    simulated.problems["A1"] = "wrong"
    simulated.round()
    handler.received.clear()
    with Store.create(simulated.folder / "urlset.duckdb") as store:
        store.connection.execute("UPDATE urlset_deliveries SET facts = $1", [content])
    with pytest.raises(InputError, match="is damaged: a round cannot be read"):
        simulated.round()
    assert handler.received == []


# Of Apprise itself.
@pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")
def test_a_service_of_apprise_gets_what_it_did_not_take(
    simulated: Simulated, receiver: tuple[str, type[Receiver]]
) -> None:
    origin, handler = receiver
    service = origin.replace("http://", "json://me:geheim@")
    simulated.text += f'[apprise]\nurls = ["{service}"]\n'
    simulated.round()
    assert handler.received == []
    handler.status = 503
    simulated.problems["A1"] = "wrong"
    [(sink, problem)] = simulated.round().undelivered.items()
    assert problem == "Apprise could not send the message"
    assert "geheim" not in sink
    handler.status = 204
    handler.received.clear()
    simulated.problems.clear()
    assert simulated.round().undelivered == {}
    sent = [json.loads(body) for _, body in handler.received]
    assert {headers["Authorization"] for headers, _ in handler.received} == {"Basic bWU6Z2VoZWlt"}
    assert [(each["title"], each["message"]) for each in sent] == [
        (f"urlset: {SITE}", f"error: wrong\n  {SITE}/sitemap.xml: line 3"),
        (f"urlset: {SITE}", "over: wrong"),
    ]
    handler.received.clear()
    simulated.round()
    assert handler.received == []


def test_feed_and_metrics_are_written_after_each_round(
    simulated: Simulated, capsys: pytest.CaptureFixture[str]
) -> None:
    simulated.text = f'feed = "a.atom"\nmetrics = "a.prom"\n{simulated.text}'
    simulated.round()
    simulated.problems["A1"] = "wrong <b>&\x07"
    simulated.round()
    feed = ElementTree.parse(simulated.folder / "a.atom").getroot()
    atom = "{http://www.w3.org/2005/Atom}"
    [entry] = feed.findall(f"{atom}entry")
    assert entry.findtext(f"{atom}title") == f"{SITE}: wrong <b>&\\u{{7}}"
    identifier = entry.findtext(f"{atom}id")
    text = (simulated.folder / "a.prom").read_text()
    assert text.endswith("# EOF\n")
    assert f'urlset_open_alarms{{site="{SITE}",kind="finding"}} 1\n' in text
    assert f'urlset_listed_urls{{site="{SITE}"}} 7\n' in text
    assert main(("metrics", str(simulated.folder / "urlset.duckdb"))) == 0
    assert capsys.readouterr().out == text
    simulated.problems.clear()
    simulated.round()
    [entry] = ElementTree.parse(simulated.folder / "a.atom").getroot().findall(f"{atom}entry")
    assert entry.findtext(f"{atom}id") == identifier
    assert str(entry.findtext(f"{atom}title")).startswith("over: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no site"),
        ('[[site]]\nurl = "a.example"\nchek = []', "[[site]] 1: unknown key 'chek'; did you mean 'check'?"),
        ('[[site]]\nurl = "a.example"\ncheck = ["auditt"]', "must be a list of validate, audit"),
        ('[[site]]\nurl = "a.example"\nevery = "6 h"', "every: must be a number with m, h, d, or w"),
        ('[[site]]\nurl = "a.example"\n[site.options]\ntimout = 3', "unknown key 'timout'; did you mean 'timeout'?"),
        ('[[site]]\nurl = "a.example"\n[[site]]\nurl = "a.example"', "several tables [[site]] have the url"),
        ('keep = 2\n[[site]]\nurl = "a.example"', "keep: must be at least 3"),
        ('[[site]]\nurl = "a.example"\n[[webhook]]\nurl = "http://a"\nsecret-env = "URLSET_X"', "URLSET_X is not set"),
        ('[[site]]\nurl = "a.example"\n[apprise]', "[apprise]: names no URL"),
    ],
)
def test_the_file_is_checked(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "monitor.toml").write_text(text)
    with pytest.raises(ConfigError) as raised:
        load_monitor(tmp_path / "monitor.toml")
    assert message in str(raised.value)


def test_timer_and_workflow_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a b%.toml"
    file.write_text(f'[[site]]\nurl = "{SITE}"\nevery = "6h"\n[[site]]\nurl = "https://b.example"\n')
    assert main(("monitor", str(file), "--print-timer")) == 0
    text = capsys.readouterr().out
    assert "OnCalendar=*-*-* 0/6:17:00" in text
    assert 'a b%%.toml"' in text
    if shutil.which("systemd-analyze"):
        subprocess.run(("systemd-analyze", "calendar", "*-*-* 0/6:17:00"), check=True, capture_output=True)
    assert main(("monitor", str(file), "--print-workflow")) == 0
    import yaml

    steps = yaml.safe_load(capsys.readouterr().out)["jobs"]["monitor"]["steps"]
    commands = [each["run"] for each in steps if "run" in each]
    assert commands[-1].startswith("urlset monitor ")
    (installs,) = release.find_requirements(commands[0])
    assert installs == release.requirement(release.PLACES[0].read(release.ROOT))
    file.write_text(f'{file.read_text()}[apprise]\nurls = ["json://localhost"]\n')
    assert main(("monitor", str(file), "--print-workflow")) == 0
    assert f"pip install '{installs.replace('urlset', 'urlset[monitor]', 1)}'" in capsys.readouterr().out


PAGES = 6


@dataclass
class Site:
    """A small site on the loopback network."""

    origin: str = ""
    robots: str = "User-agent: *\nDisallow: /admin\nSitemap: {origin}/sitemap.xml\n"
    listed: int = PAGES
    noindex: frozenset[int] = frozenset()
    status: int = 200
    broken: str = ""
    refused: str = ""
    """A user agent that gets 403."""
    thin: frozenset[int] = frozenset()
    everywhere: tuple[int, str] | None = None
    """What every URL returns."""

    def answer(self, path: str) -> tuple[int, str]:
        if self.everywhere is not None:
            return self.everywhere
        if path == "/robots.txt" and self.robots:
            return 200, self.robots.format(origin=self.origin)
        if path == "/sitemap.xml":
            rows = "".join(
                f"<url><loc>{self.origin}/p{n}</loc><lastmod>2026-0{n % 6 + 1}-01</lastmod></url>"
                for n in range(self.listed)
            )
            return self.status, (
                f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}{self.broken}</urlset>'
            )
        if path.startswith("/p"):
            number = int(path[2:])
            head = '<meta name="robots" content="noindex">' if number in self.noindex else ""
            words = " ".join(f"word{number}{each}" for each in range(4 if number in self.thin else 40))
            return 200, f'<html lang="en"><head>{head}<title>Page {number}</title></head><body>{words}</body></html>'
        return 404, "no"


@pytest.fixture
def site() -> Iterator[Site]:
    own = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_refused = own.refused and own.refused in self.headers["User-Agent"]
            status, text = (403, "no") if is_refused else own.answer(self.path)
            kind = "application/xml" if text.startswith("<urlset") else "text/html" if "<html" in text else "text/plain"
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815

    with served(Handler) as origin:
        own.origin = origin
        yield own


def run(file: Path) -> tuple[int, list[str]]:
    """A round with every site, as a command."""
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as output:
        code = main(("monitor", str(file), "--force", "--format", "json"))
    content = json.loads(output.getvalue())
    Draft202012Validator(schema_of("monitor")).validate(content)
    [result] = content["sites"]
    assert result["problem"] is None
    opened = [alarm["kind"] for alarm in result["opened"]]
    return code, [*opened, *(f"closed {alarm['kind']}" for alarm in result["closed"])]


@pytest.mark.long("slow cases")
def test_regressions_of_a_real_site(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "monitor.toml"
    options = '[site.options]\nretries = 0\ncache = false\nselect = ["LOC"]\n'
    file.write_text(f'store = "m.duckdb"\n[[site]]\nurl = "{site.origin}"\n{options}')
    assert run(file) == (0, [])
    site.noindex, site.broken = frozenset({1, 4}), "<url><loc>/relative</loc></url>"
    assert run(file) == (1, ["pages", "finding"])
    site.noindex, site.broken = frozenset(), ""
    site.robots = "User-agent: *\nDisallow: /\nSitemap: {origin}/sitemap.xml\n"
    assert run(file) == (1, ["robots", "closed finding"])
    site.robots = "# open again\n" + Site.robots
    site.status = 503
    assert run(file) == (1, ["unreadable"])


@pytest.mark.parametrize(
    ("everywhere", "words"),
    [
        ((503, "Maintenance"), "the server returned 503 Service Unavailable for {origin}/robots.txt"),
        ((403, "Forbidden"), "the server returned 403 Forbidden for {origin}/robots.txt"),
        ((200, "<html><title>App</title><p>App</html>"), "{origin}/sitemap.xml returned HTTP 200 with an HTML page"),
    ],
)
def test_a_server_that_answers_everything_alike_is_named_with_its_status(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str], everywhere: tuple[int, str], words: str
) -> None:
    file = tmp_path / "monitor.toml"
    options = "[site.options]\nretries = 0\ncache = false\nrate = 10_000\n"
    file.write_text(f'[[site]]\nurl = "{site.origin}"\ncheck = ["audit"]\n{options}')
    assert run(file) == (0, [])
    site.everywhere = everywhere
    assert main(("monitor", str(file), "--force")) == 1
    audit = ["audit", site.origin, "--no-score", "--retries", "0", "--no-cache", "--store", str(tmp_path / "a.duckdb")]
    assert main(audit) in (1, 3)
    shown = capsys.readouterr().out
    assert shown.count(words.format(origin=site.origin)) >= 2
    assert "no sitemap found" not in shown.lower()


def test_a_finding_on_a_page_that_is_blocked_is_not_over(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "monitor.toml"
    options = '[site.options]\nretries = 0\ncache = false\nselect = ["PGE027"]\n'
    file.write_text(f'keep = 3\n[[site]]\nurl = "{site.origin}"\ncheck = ["audit"]\nseverity = "info"\n{options}')
    assert run(file) == (0, [])
    site.thin = frozenset({2})
    assert run(file) == (1, ["finding"])
    site.robots = "User-agent: *\nDisallow: /p2\nSitemap: {origin}/sitemap.xml\n"
    assert run(file) == (1, ["pages"])
    # The run that has the finding is kept as long.
    assert [run(file) for _ in range(2)] == [(0, [])] * 2
    assert main(("monitor", str(file), "--force")) == 0
    assert "1 place of findings no longer checked: robots.txt blocks the page" in capsys.readouterr().out
    # It is requested again, and the problem is still there, so that it is not new.
    site.robots = Site.robots
    assert run(file) == (0, ["closed pages"])
    site.thin = frozenset()
    assert run(file) == (0, ["closed finding"])


def test_steps_of_the_check_and_clients_of_a_real_site(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "monitor.toml"
    options = "[site.options]\nretries = 0\ncache = false\nrate = 10_000\n"
    file.write_text(f'[[site]]\nurl = "{site.origin}"\ncheck = ["check", "clients"]\n{options}')
    assert run(file) == (0, [])
    site.refused = "Googlebot"
    assert run(file) == (1, ["clients"])
    assert run(file) == (0, [])
    site.refused, site.broken = "", "<url><loc>"
    assert run(file) == (1, ["check", "closed clients"])
    assert run(file) == (0, [])
    site.refused, site.broken = "GPTBot", ""
    # Whether it was meant is up to the site, and below the severity of the file.
    assert run(file) == (0, ["closed check"])
    site.refused = "Googlebot"
    assert main(("monitor", str(file), "--force")) == 1
    text = capsys.readouterr().out
    assert "error: for crawlers: Access depends on the user agent" in text
    assert f"{site.origin}/sitemap.xml: HTTP 403 under the user agent of Googlebot" in text
    with Store.read(tmp_path / "urlset.duckdb") as store:
        kinds = [alarm.kind for alarm in MonitorStore(store, create=False).newest_alarms(10)]
    assert kinds == [AlarmKind.CLIENTS, AlarmKind.CHECK, AlarmKind.CLIENTS]


def test_removed_urls_count_after_two_rounds(site: Site, tmp_path: Path) -> None:
    file = tmp_path / "monitor.toml"
    # A site without a robots.txt is as good as any.
    site.listed, site.robots = 40, ""
    options = '[site.options]\ncache = false\nselect = ["LOC"]\n'
    file.write_text(f'keep = 3\n[[site]]\nurl = "{site.origin}"\ncheck = ["validate"]\n{options}')
    assert [run(file) for _ in range(2)] == [(0, [])] * 2
    site.listed = 3
    assert run(file) == (0, [])
    assert run(file) == (1, ["removed"])
    with Store.read(tmp_path / "urlset.duckdb") as store:
        assert len(store.runs()) == 3
        [alarm] = MonitorStore(store, create=False).open_alarms(site.origin)
    assert alarm.title == "37 URLs of 40 disappeared from the sitemaps"


def test_prune_keeps_runs_of_each_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urlset.duckdb"
    targets = ["https://a.example"] * 5 + ["https://b.example"] * 2 + ["https://a.example"]
    with Store.create(path) as store:
        for number, target in enumerate(targets, 1):
            # The last run of a site can be resumed, an older one cannot.
            ended = "NULL" if number in (3, 8) else "now()"
            store.connection.execute(
                f"INSERT INTO runs (run_id, started_at, finished_at, targets, settings, version, documents) "
                f"VALUES ({number}, now(), {ended}, ['{target}'], '{{}}', '1', 1)"
            )
    assert main(("prune", str(path), "--keep", "2")) == 0
    assert capsys.readouterr().out == "deleted 3 runs: 1, 2, 3\n"
    with Store.read(path) as store:
        assert [run.run_id for run in store.runs()] == [4, 5, 6, 7, 8]
    assert main(("prune", str(tmp_path / "none.duckdb"), "--keep", "2")) == 3
    assert main(("prune", str(path), "--keep", "2", "--ledger", "soon")) == 2
    assert "must be a date or a period such as 30d, not 'soon'" in capsys.readouterr().err
    assert not (tmp_path / "none.duckdb").exists()


def test_a_stable_sample_hardly_changes(tmp_path: Path) -> None:
    from urlset.options.auditing import AuditOptions
    from urlset.pipeline.audit import audit
    from urlset.store.page_selection import PageSelection, select_pages

    chosen = []
    for skip in (0, 1):
        listed = "".join(f"https://example.com/{number}\n" for number in range(skip, 400))
        (tmp_path / "a.txt").write_text(listed)
        path = tmp_path / f"{skip}.duckdb"
        audit([str(tmp_path / "a.txt")], AuditOptions(store=path, pages=False, score=False))
        with Store.create(path) as store:
            select_pages(store, 1, PageSelection(sample=40, max_pages=30, is_stable=True), "chosen")
            chosen.append({url for (url,) in store.connection.execute("SELECT url FROM chosen").fetchall()})
    first, second = chosen
    assert len(first) == len(second) == 30
    assert len(first & second) >= 28
