"""The reports under test: of sites on the loopback network, of a large store, and of hostile content.

Each is written by a command, in a thread of its own, because Playwright runs an event loop in the main thread.
"""

from __future__ import annotations

import io
import json
import os
import runpy
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench import large_store

import urlset
from urlset.cli.main import main
from urlset.coverage.index_states import add_impressions
from urlset.coverage.search_analytics import Day, PageCount
from urlset.report.html.view import MAX_PLACES
from urlset.store.file import Store

from . import hostile_content

ROOT = Path(__file__).resolve().parents[2]
LARGE_URLS, LARGE_FINDINGS = 10_000, MAX_PLACES + 1_000
QUIET = ("--no-config", "--no-cache", "--retries", "0")
AUDITING = ("--ignore", "LOC024", "--preview", "--fail-on", "never", *QUIET)
"""Options of an audit of a site on this machine, which has no public address."""


def run(*arguments: str | Path, expected: tuple[int, ...] = (0,)) -> str:
    """Run a command and return its standard output."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, NO_COLOR="1"),
        redirect_stdout(output),
        redirect_stderr(errors),
        ThreadPoolExecutor(1) as executor,
    ):
        code = executor.submit(main, [str(one) for one in arguments]).result()
    assert code in expected, errors.getvalue()
    return output.getvalue()


class Reports:
    """The reports by their names; each is made when it is first asked for.

    Attributes:
        folder: Where they are: `NAME.html`, beside it `NAME.json` and `NAME.duckdb` where there is such a thing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __getitem__(self, name: str) -> Path:
        """The page of this name."""
        page = self.folder / f"{name}.html"
        if not page.exists():
            MAKERS[name](self, page)
        return page

    def store(self, name: str) -> Path:
        """The store that a page was made of."""
        return self[name].with_suffix(".duckdb")

    def values(self, name: str) -> Any:
        """What `--format json` gave, in the run that made the page."""
        return json.loads(self[name].with_suffix(".json").read_text("utf-8"))

    def audits(self, _: Path) -> None:
        """Audit the example site with planted faults once, then twice more after pages changed."""
        first, last = self.folder / "example.html", self.folder / "several-runs.html"
        example = _served("audit/serve.py")
        pages, listed = example["PAGES"], example["SITE"]["page"]
        with example["serving"]() as site:
            self._audit(site, first)
            shutil.copy(first.with_suffix(".duckdb"), last.with_suffix(".duckdb"))
            pages["/chairs"]["status"] = 404
            pages["/gone"]["status"] = 200
            self._audit(site, last)
            pages["/chairs"]["status"] = 200
            pages["/lamps"]["status"] = 500
            listed.append({"path": "/new", "text": "new"})
            pages["/new"] = listed[-1]
            self._audit(site, last)

    def clean(self, page: Path) -> None:
        """A set that urlset wrote: an index, two parts, and nothing wrong."""
        folder = page.with_suffix(".site")
        folder.mkdir()
        entries = (
            {"loc": f"https://www.example.com/{'shop' if n % 3 else 'blog'}/{n}", "lastmod": f"2026-{n % 10 + 1:02}-05"}
            for n in range(300)
        )
        urlset.write(entries, "https://www.example.com/", folder, max_entries=200)
        self._validate(page, folder)

    def coverage(self, page: Path) -> None:
        """A set of which a search engine reports a part: indexed, not indexed, or not known; and impressions."""
        folder, store = page.with_suffix(".site"), page.with_suffix(".duckdb")
        folder.mkdir()
        locs = [f"https://www.example.com/{'shop' if n % 3 else 'blog'}/{n}" for n in range(300)]
        urlset.write(({"loc": loc} for loc in locs), "https://www.example.com/", folder)
        run("audit", folder, "--store", store, "--no-pages", "--no-score", "--format", "none", *AUDITING)
        reasons = ("indexed", "Crawled - currently not indexed", "A reason of next year")
        rows = (f"{loc},{reasons[n % 3]}" for n, loc in enumerate(locs[:200]))
        reported = page.with_suffix(".csv")
        reported.write_text("\n".join(("url,state", *rows)), "utf-8")
        columns = ("--fields", "url=url", "--fields", "state=state", "--engine", "google")
        run("coverage", "import", reported, *columns, "--store", store)
        seen = {loc: PageCount(n + 1, n // 9) for n, loc in enumerate([*locs[:60], "https://www.example.com/old/1"])}
        with Store.create(store) as opened:
            for number in range(3):
                day = Day(date(2026, 11, 20 + number), seen, 0, is_cut=False)
                add_impressions(opened, "sc-domain:example.com", "web", day, is_provisional=number == 2)
        run("report", store, "--impressions", "--output", page)

    def scored(self, page: Path) -> None:
        """The example site and its score."""
        with _served("serve_site.py")["serving"]() as site:
            text = run("check", site, "--format", "json", "--report", page, *QUIET)
        page.with_suffix(".json").write_text(text, "utf-8")

    def logs(self, page: Path) -> None:
        """The example site with a month of access logs."""
        demo = runpy.run_path(str(ROOT / "scripts" / "demo_logs.py"))
        folder, store = page.with_suffix(".logs"), page.with_suffix(".duckdb")
        folder.mkdir()
        demo["write_logs"](folder, people=100)
        with demo["serving"](folder) as site:
            run("audit", site, "--no-pages", "--store", store, *AUDITING)
            asked = ("--site", site, "--ranges", folder / "ranges", "--store", store, "--no-config")
            text = run("logs", *sorted(folder.glob("*.log*")), *asked, "--format", "json", "--report", page)
        page.with_suffix(".json").write_text(text, "utf-8")

    def large(self, page: Path) -> None:
        """Two runs of a large store, whose findings have more places than the page lists."""
        store = page.with_suffix(".duckdb")
        large_store.make(store, LARGE_URLS, LARGE_FINDINGS, runs=2)
        run("report", store, "--output", page)

    def hostile(self, page: Path) -> None:
        """Files of a stranger, with names of his."""
        folder = page.with_suffix(".site")
        hostile_content.write_files(folder)
        self._validate(page, folder)

    def hostile_store(self, page: Path) -> None:
        """A store with a stranger's text wherever text may stand."""
        store = page.with_suffix(".duckdb")
        hostile_content.write_store(store)
        run("report", store, "--output", page)

    def _audit(self, site: str, page: Path) -> None:
        store = page.with_suffix(".duckdb")
        text = run("audit", site, "--store", store, "--format", "json", "--report", page, *AUDITING)
        page.with_suffix(".json").write_text(text, "utf-8")

    def _validate(self, page: Path, folder: Path) -> None:
        text = run("validate", folder, "--format", "json", "--report", page, "--no-config", expected=(0, 1, 3))
        page.with_suffix(".json").write_text(text, "utf-8")


MAKERS: dict[str, Callable[[Reports, Path], None]] = {
    "example": Reports.audits,
    "several-runs": Reports.audits,
    "clean": Reports.clean,
    "coverage": Reports.coverage,
    "scored": Reports.scored,
    "logs": Reports.logs,
    "large": Reports.large,
    "hostile": Reports.hostile,
    "hostile-store": Reports.hostile_store,
}
NAMES = tuple(MAKERS)


def _served(script: str) -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / script))
