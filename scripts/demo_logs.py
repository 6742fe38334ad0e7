"""Make a month of access logs for the example site, with each fault that the rules on logs find, and run urlset on it.

`make demo-logs` runs it: it serves the site on the loopback network, audits it, reads the logs, imports exports of
Search Console in three languages with faults in what Google indexed, inspects URLs with a loopback server that speaks
the API of Google, shows the funnel from listed to indexed, and writes the HTML report. It fails if a planted fault is
not found exactly once, or if anything else is found.
"""

from __future__ import annotations

import gzip
import json
import random
import runpy
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parent.parent
URLSET = Path(sys.executable).with_name("urlset")
REPORT = Path("build") / "demo" / "logs.html"

START = datetime(2026, 2, 1, tzinfo=UTC)
DAYS = 28
"""The month of the example site: some of its pages changed in it."""

GOOGLE, BING, GPT, CLAUDE = "66.249.66.1", "157.55.39.10", "20.171.206.5", "216.73.216.7"
STRANGER = "203.0.113.9"
LISTS = {
    "common-crawlers.json": "66.249.64.0/19",
    "bingbot.json": "157.55.39.0/24",
    "gptbot.json": "20.171.206.0/24",
    "bots.json": "216.73.216.0/22",
}
"""Address lists in the form that operators publish, each with one network."""

AGENTS = {
    "Googlebot": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Bingbot": "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "GPTBot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "ClaudeBot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0)",
    "browser": "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0",
}

PLANTED = {
    "LOG001": "no search engine requested /offers/four-chairs",
    "LOG002": "Google stopped requesting sitemaps/journal.xml",
    "LOG003": "/chairs returned 500 to Googlebot",
    "LOG004": "Googlebot requests unlisted pages below /archive/",
    "LOG005": "/journal/new-lamps changed, and was not requested since",
    "LOG006": "GPTBot requests endless filters",
    "LOG007": "a stranger calls itself Googlebot",
    "LOG008": "ClaudeBot requests a URL below /basket/",
    "LOG009": "the server returns 403 to Bingbot",
    "COV003": "Google indexed another page instead of /chairs",
    "COV004": "Google does not know /offers/four-chairs",
    "COV005": "Google indexed /old-lamps, which no sitemap lists",
    "COV006": "Google crawled /offers/two-lamps, and did not index it",
    "COV007": "Google names an old sitemap for all URLs of sitemaps/rooms.txt",
}
"""The fault that is planted for each rule on logs and on what Google reports."""

ROOMS = tuple(f"/rooms/{name}" for name in ("kitchen", "bath", "hall", "cellar", "attic"))
"""URLs of another sitemap of the example site: COV007 needs five that were inspected."""

EXPORTS = {
    "{host}-Coverage-Valid-2026-03-01.zip": {
        "Chart.csv": "Date,Pages\n2026-02-28,3",
        "Table.csv": "URL,Last crawled\n{site}/,2026-02-28\n{site}/lamps/brass,2026-02-27\n{site}/old-lamps,2026-02-27",
        "Metadata.csv": "Property,Value\nSitemap,All known pages",
    },
    "{host}-Coverage-Drilldown-2026-03-01.zip": {
        "Graphique.csv": "Date,Pages concernées\n2026-02-28,1",
        "Tableau.csv": "URL,Dernière exploration\n{site}/offers/two-lamps,2026-02-20",
        "Métadonnées.csv": 'Propriété,Valeur\nProblème,"Explorée, actuellement non indexée"',
    },
    "{host}-Coverage-Drilldown-2026-03-01 (1).zip": {
        "チャート.csv": "日付,影響を受けるページ\n2026-02-28,1",
        "表.csv": "URL,前回のクロール\n{site}/chairs,2026-02-27",
        "メタデータ.csv": "プロパティ,値\n問題,"
        "重複しています。Google により、ユーザーがマークしたページとは異なるページが正規ページとして選択されました",
    },
}
"""Exports of Search Console in English, French, and Japanese: the files in each. None has /journal/new-lamps, so that
it stays unknown whether it is indexed."""

INSPECTED = "Address,Coverage\n{site}/offers/four-chairs,URL is unknown to Google\n"
"""A CSV file of another tool that uses the URL Inspection API."""


class Request(NamedTuple):
    """One request in the log."""

    day: int
    client: str
    agent: str
    path: str
    status: int = 200


def crawls() -> Iterator[Request]:
    """Yield the requests of true and false crawlers, with all planted faults."""
    sitemaps = (
        *("/robots.txt", "/sitemap.xml"),
        *("/sitemaps/pages.xml.gz", "/sitemaps/offers.txt", "/sitemaps/rooms.txt"),
    )
    for day in range(DAYS):
        for client, agent in ((GOOGLE, "Googlebot"), (BING, "Bingbot")):
            for path in (*sitemaps, "/", "/lamps/brass", "/offers/two-lamps", *ROOMS):
                yield Request(day, client, agent, path)
            if agent == "Bingbot" or day < 10:
                yield Request(day, client, agent, "/sitemaps/journal.xml")
        yield Request(day, GOOGLE, "Googlebot", "/chairs", 500 if day in (12, 13) else 200)
        yield Request(day, GPT, "GPTBot", "/lamps/brass")
        for color in ("red", "blue", "green", "white"):
            yield Request(day, GPT, "GPTBot", f"/lamps?color={color}&page={day}")
        yield Request(day, STRANGER, "Googlebot", "/chairs")
    yield Request(1, GOOGLE, "Googlebot", "/journal/new-lamps")
    for number in range(12):
        yield Request(2 + number, GOOGLE, "Googlebot", f"/archive/lamp-{number}")
    for day in (5, 6, 7):
        yield Request(day, BING, "Bingbot", "/chairs", 403)
    yield Request(9, CLAUDE, "ClaudeBot", "/")
    yield Request(9, CLAUDE, "ClaudeBot", "/basket/added")


def visits(people: int) -> Iterator[Request]:
    """Yield the requests of people, which are read and dropped."""
    chosen = random.Random(1)
    for _ in range(people):
        client = f"198.51.100.{chosen.randrange(1, 255)}"
        yield Request(chosen.randrange(DAYS), client, "browser", chosen.choice(("/", "/chairs", "/lamps/brass")))


def write_logs(folder: Path, people: int) -> None:
    """Write a log in the combined format for each week, the older ones compressed, and the lists of addresses."""
    ranges = folder / "ranges"
    ranges.mkdir()
    for name, prefix in LISTS.items():
        made = {"creationTime": datetime.now(UTC).isoformat(), "prefixes": [{"ipv4Prefix": prefix}]}
        (ranges / name).write_text(json.dumps(made), "utf-8")
    requests = sorted([*crawls(), *visits(people)])
    for week in range(4):
        lines = "".join(
            _line(number, one) for number, one in enumerate(requests) if min(one.day // 7, 3) == week
        ).encode()
        if week == 3:
            (folder / "access.log").write_bytes(lines)
        else:
            (folder / f"access.log.{3 - week}.gz").write_bytes(gzip.compress(lines, mtime=0))


def _line(number: int, one: Request) -> str:
    at = START + timedelta(days=one.day, seconds=60 + number * 7919 % 86_000)
    return (
        f'{one.client} - - [{at:%d/%b/%Y:%H:%M:%S} +0000] "GET {one.path} HTTP/1.1" {one.status} 5120 "-" '
        f'"{AGENTS[one.agent]}"\n'
    )


def write_exports(folder: Path, site: str) -> list[tuple[str, ...]]:
    """Write the exports, and return the arguments of the commands that import them."""
    paths = []
    for name, members in EXPORTS.items():
        path = folder / name.format(host=site.rpartition("/")[2].replace(":", "-"))
        with zipfile.ZipFile(path, "w") as archive:
            for member, text in members.items():
                archive.writestr(member, text.format(site=site))
        paths.append(str(path))
    inspected = folder / "inspected.csv"
    inspected.write_text(INSPECTED.format(site=site), "utf-8")
    fields = ("--engine", "google", "--fields", "url=Address", "--fields", "reason=Coverage")
    return [(*paths,), (str(inspected), *fields)]


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serve the example site with another sitemap, from a folder, and yield its origin."""
    examples = runpy.run_path(str(ROOT / "examples" / "serve_site.py"))
    copy = folder / "site"
    shutil.copytree(examples["SITE"], copy)
    written = examples["WRITTEN"].decode()
    (copy / "sitemaps" / "rooms.txt").write_text("".join(f"{written}{path}\n" for path in ROOMS), "utf-8")
    index = copy / "sitemap.xml"
    entry = f"<sitemap><loc>{written}/sitemaps/rooms.txt</loc></sitemap>"
    index.write_text(index.read_text("utf-8").replace("</sitemapindex>", f"  {entry}\n</sitemapindex>"), "utf-8")
    with examples["serving"](site=copy) as site:
        yield site


@contextmanager
def inspecting(folder: Path, site: str) -> Iterator[tuple[str, ...]]:
    """Serve an API that knows the rooms from an old sitemap, and yield the arguments of the command that asks it."""
    google = runpy.run_path(str(ROOT / "tests" / "coverage" / "google_api.py"))
    with google["serving"]() as api:
        usual = {"verdict": "PASS", "coverageState": "Submitted and indexed"}
        crawled = {"lastCrawlTime": f"{START + timedelta(days=DAYS - 1):%Y-%m-%dT%H:%M:%SZ}"}
        api.states = {f"{site}{path}": {**usual, **crawled, "sitemap": [f"{site}/old-sitemap.xml"]} for path in ROOMS}
        key = folder / "key.json"
        key.touch(0o600)
        key.write_text(google["key_of_account"](f"{api.url}/token"), "utf-8")
        yield ("inspect", "--property", f"{site}/rooms/", "--credentials", str(key), "--api", api.url)


def arguments(site: str, folder: Path) -> tuple[str, ...]:
    """Return the command that reads the logs."""
    logs = (str(path) for path in sorted(folder.glob("access.log*")))
    return (
        *("logs", *logs, "--site", site, "--ranges", str(folder / "ranges")),
        *("--store", str(folder / "demo.duckdb"), "--no-config"),
    )


def mistakes(*reports: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the reports on the logs and on coverage in JSON, as sentences."""
    found: Counter[str] = Counter()
    for report in reports:
        for one in report["findings"]:
            found[one["code"]] += one["count"]
    missed = [
        f"{code} was found in {found[code]} places instead of 1: {what}"
        for code, what in PLANTED.items()
        if found[code] != 1
    ]
    return [*missed, *(f"{code} was found, but not planted" for code in found if code not in PLANTED)]


def main() -> int:
    """Run the demo; return 0 if each planted fault was found exactly once, and nothing else."""
    (ROOT / REPORT).parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="urlset-") as name, serving(Path(name)) as site:
        folder = Path(name)
        write_logs(folder, people=20_000)
        audit = ("audit", site, "--no-pages", "--store", str(folder / "demo.duckdb"), "--format", "none", "--no-config")
        _run("An audit, to compare the logs with", *audit, "--fail-on", "never")
        _run("A month of logs", *arguments(site, folder))
        sql = "SELECT agent, fetched, listed, wasted_hits FROM log_crawlers ORDER BY hits DESC"
        _run("The same with SQL", "sql", sql, str(folder / "demo.duckdb"))
        store = str(folder / "demo.duckdb")
        for exports in write_exports(folder, site):
            _run("What Google indexed, from exports", "coverage", "import", *exports, "--store", store)
        with inspecting(folder, site) as inspected:
            _run("What Google says of the rooms", "coverage", *inspected, "--store", store, "--no-config")
        funnel = ("coverage", "--store", store, "--no-config")
        _run("From listed to indexed", *funnel)
        _run("The report, with all of it", "report", store, "--output", str(ROOT / REPORT))
        wrong = mistakes(_as_json(*arguments(site, folder))["compared"]["report"], _as_json(*funnel))
    print("\n".join(wrong) or f"\nEach of {len(PLANTED)} planted faults was found once, and nothing else.")
    print(f"The HTML report: {ROOT / REPORT}")
    return bool(wrong)


def _as_json(*arguments: str) -> Any:
    done = subprocess.run([URLSET, *arguments, "--format", "json"], stdout=subprocess.PIPE, text=True, check=False)
    return json.loads(done.stdout)


def _run(title: str, *arguments: str) -> None:
    print(f"\n== {title} ==\n$ urlset {' '.join(arguments)}", flush=True)
    subprocess.run([URLSET, *arguments], cwd=ROOT, check=True)


if __name__ == "__main__":
    sys.exit(main())
