"""Run urlset on the examples: on three on disk, and on two sites that are served on the loopback network.

At the end, the second site changes, and a loopback endpoint is told, in place of search engines. `make demo` runs it.
The commands on the second site run at the same time as those before, and each is shown once it has ended. Some commands
are meant to fail; the demo fails if one ends with an unexpected exit code, or if the endpoint does not get the changed
URLs exactly once. The last line shows where the HTML report of the audit is.
"""

import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from subprocess import PIPE, STDOUT
from typing import Any

from urlset.errors import ExitCode

ROOT = Path(__file__).resolve().parent.parent
URLSET = Path(sys.executable).with_name("urlset")
FILES = (
    ("A good sitemap", ("validate", "examples/good/sitemap.xml"), ExitCode.CLEAN),
    ("A sitemap with common errors", ("validate", "examples/faulty/sitemap.xml"), ExitCode.FINDINGS),
    ("A folder with a sitemap index and its compressed child sitemaps", ("validate", "examples/index"), ExitCode.CLEAN),
)
SITE = (
    ("The sitemaps of a site", ("discover", "{site}"), ExitCode.CLEAN),
    ("All that the site lists", ("inspect", "--discover", "--expand", "{site}"), ExitCode.UNREADABLE),
    ("What is wrong with it", ("validate", "--discover", "--expand", "{site}"), ExitCode.FINDINGS),
    ("The score of the site", ("check", "{site}"), ExitCode.CLEAN),
)
"""Commands on the example site; `{site}` is its origin."""

AUDIT = (
    (
        "A site with every kind of problem that an audit finds",
        # Every URL there leads to this machine, so no host is public.
        (
            *("audit", "{site}", "--store", "{folder}/demo.duckdb", "--report", "{report}"),
            *("--ignore", "LOC024", "--preview", "--images", "--crawl", "--retries", "0"),
        ),
        ExitCode.FINDINGS,
    ),
    ("The pages that cannot be indexed, and why", ("pages", "{folder}/demo.duckdb"), ExitCode.CLEAN),
    ("The runs that are kept", ("history", "{folder}/demo.duckdb"), ExitCode.CLEAN),
    (
        "What Search Console reports, in three languages",
        ("coverage", "import", "{exports[0]}", "{exports[1]}", "{exports[2]}", "--store", "{folder}/demo.duckdb"),
        ExitCode.CLEAN,
    ),
    ("How far the listed URLs get", ("coverage", "--by", "section", "--store", "{folder}/demo.duckdb"), ExitCode.CLEAN),
    ("The report with the funnel", ("report", "{folder}/demo.duckdb", "-o", "{report}"), ExitCode.CLEAN),
)
"""Commands on the second one; `{folder}` is a temporary folder, `{exports}` the files of `audit/exports.py` in it, and
`{report}` a page that is kept."""

_NOTIFY = (
    *("notify", "--from", "{folder}/demo.duckdb", "--key-file", "{folder}/{key}.txt"),
    *("--endpoint", "{site}/indexnow", "--allow-private"),
)
CHANGED = (
    (
        "The same site after some changes",
        (
            *("audit", "{site}", "--store", "{folder}/demo.duckdb", "--ignore", "LOC024", "--preview", "--images"),
            *("--crawl", "--retries", "0", "--format", "none"),
        ),
        ExitCode.FINDINGS,
    ),
    (
        "What changed, URL by URL",
        ("diff", "{folder}/demo.duckdb@1", "{folder}/demo.duckdb@2", "--urls", "all"),
        ExitCode.CLEAN,
    ),
    ("What search engines would be told", (*_NOTIFY, "--dry-run"), ExitCode.CLEAN),
    ("Telling them", _NOTIFY, ExitCode.CLEAN),
    ("A second time, nothing is sent", _NOTIFY, ExitCode.CLEAN),
)
"""Commands on the second site after it has changed; `{key}` is the IndexNow key."""

TOLD = ["/chairs", "/sale", "/stools"]
"""Paths that the endpoint gets: a page with new content, one that is gone, and a new one."""

_AS_HERE = {**os.environ, "COLUMNS": str(shutil.get_terminal_size().columns)} | (
    {"FORCE_COLOR": "1"} if sys.stdout.isatty() else {}
)
"""The environment of a command whose output is shown later: as wide and as colored as in this terminal."""

REPORT = Path("build") / "demo" / "report.html"


def main() -> int:
    """Run the examples, and show them in order; return 0 if each ended with the expected exit code."""
    (ROOT / REPORT).parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(1) as executor:
        shown: SimpleQueue[str | None] = SimpleQueue()
        second = executor.submit(_second_site, shown)
        unexpected = [title for title, arguments, expected in FILES if not _ends(title, arguments, expected)]
        with runpy.run_path(str(ROOT / "examples" / "serve_site.py"))["serving"]() as site:
            unexpected += _unexpected(SITE, {"site": site})
        while (lines := shown.get()) is not None:
            print(lines, end="", flush=True)
        more_unexpected, received = second.result()
    if received != [TOLD]:
        print(f"\nThe endpoint got {received} instead of {TOLD}, once")
        return 1
    print(f"\nThe endpoint got {len(TOLD)} URLs, once: {', '.join(TOLD)}")
    if unexpected or more_unexpected:
        return 1
    print(f"\nThe HTML report of the audit: {ROOT / REPORT}")
    return 0


def _second_site(shown: SimpleQueue[str | None]) -> tuple[list[str], list[list[str]]]:
    """Run the commands on the second site; return the titles of unexpected ends, and what the endpoint got."""
    try:
        example = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))
        with example["serving"]() as site, tempfile.TemporaryDirectory() as folder:
            places: dict[str, object] = {"site": site, "folder": folder, "report": REPORT, "key": example["KEY"]}
            Path(folder, f"{example['KEY']}.txt").write_text(example["KEY"], "utf-8")
            places["exports"] = _exports(example, site, Path(folder))
            unexpected = _unexpected(AUDIT, places, shown)
            example["change"]()
            unexpected += _unexpected(CHANGED, places, shown)
        return unexpected, [[url.removeprefix(site) for url in sorted(batch)] for batch in example["RECEIVED"]]
    finally:
        shown.put(None)


def _exports(example: Mapping[str, Any], site: str, folder: Path) -> list[Path]:
    """Write the exports of the listed pages of the site with planted problems; return their paths."""
    write = runpy.run_path(str(ROOT / "examples" / "audit" / "exports.py"))["write"]
    paths: list[Path] = write(folder, [f"{site}{page['path']}" for page in example["SITE"]["page"]])
    return paths


def _unexpected(
    commands: Sequence[tuple[str, tuple[str, ...], ExitCode]],
    places: Mapping[str, object],
    shown: SimpleQueue[str | None] | None = None,
) -> list[str]:
    """Run commands on a site; return the titles of those that ended with an unexpected exit code."""
    filled = ((title, tuple(one.format(**places) for one in arguments), code) for title, arguments, code in commands)
    return [title for title, arguments, expected in filled if not _ends(title, arguments, expected, shown)]


def _ends(
    title: str, arguments: tuple[str, ...], expected: ExitCode, shown: SimpleQueue[str | None] | None = None
) -> bool:
    """Run one command; return whether it ended with the expected exit code.

    Args:
        shown: What gets the output of the command once it has ended; None to print it meanwhile.
    """
    command: list[str | Path] = [URLSET, *arguments]
    start = f"\n== {title} ==\n$ urlset {' '.join(arguments)}\n"
    if shown is None:
        print(start, end="", flush=True)
        status, output = subprocess.run(command, cwd=ROOT, check=False).returncode, ""
    else:
        done = subprocess.run(command, cwd=ROOT, env=_AS_HERE, stdout=PIPE, stderr=STDOUT, text=True, check=False)
        status, output = done.returncode, start + done.stdout
    as_it_should = status == expected
    words = "as it should be" if as_it_should else f"where {int(expected)} was expected"
    (sys.stdout.write if shown is None else shown.put)(f"{output}(exit code {status}, {words})\n")
    return as_it_should


if __name__ == "__main__":
    sys.exit(main())
