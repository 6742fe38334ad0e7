"""Builds one small site with each generator of static sites, audits it, and writes docs/generators.md.

Generators are installed in a folder outside of the repository: URLSET_GENERATORS, by default below the folder for
temporary files. `make generators` runs this.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import venv
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import urlset
from generator_sites import BASE, GENERATORS, LOST, MODIFIED, Generator
from urlset.cli.main import main as run_urlset
from urlset.web.html_page import read_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PAGE = Path(__file__).parent.parent / "docs" / "generators.md"
BEGIN, END = "<!-- begin: make generators -->\n", "<!-- end -->\n"
SECONDS = 900
LOUD = ("error", "warning")
COLUMNS = (
    "`lastmod` true", "noindex left out", "404 left out", "index and split", "hreflang", "canonical agrees", "feed",
    "robots line",
)  # fmt: skip
FOUND = "errors and warnings"


def own_programs(generator: Generator) -> Path | None:
    """Return the folder of the programs of a generator that was installed on its own before; None otherwise."""
    folder = _folder_of(generator)
    return _programs_in(folder, generator) if (folder / ".installed").exists() else None


def _folder_of(generator: Generator) -> Path:
    place = Path(os.environ.get("URLSET_GENERATORS") or Path(tempfile.gettempdir()) / "urlset-generators")
    return place / re.sub(r"[^\w.@=-]+", "-", " ".join(generator.packages))


def _programs_in(folder: Path, generator: Generator) -> Path:
    if generator.is_npm:
        return folder / "node_modules" / ".bin"
    return folder / ("Scripts" if os.name == "nt" else "bin")


def installed(generator: Generator) -> Path:
    """Return the folder of the programs of a generator, which is installed once."""
    if (before := own_programs(generator)) is not None:
        return before
    folder = _folder_of(generator)
    programs = _programs_in(folder, generator)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if generator.is_npm:
        (folder / "package.json").write_text('{"private": true}')
        npm = shutil.which("npm") or "npm"
        names = [name.removeprefix("npm:") for name in generator.packages]
        run([npm, "install", "--save-exact", "--no-audit", "--no-fund", "--silent", *names], folder)
    else:
        venv.create(folder, with_pip=True)
        run([str(programs / "python"), "-m", "pip", "install", "--quiet", *generator.packages], folder)
    (folder / ".installed").touch()
    return programs


def run(command: list[str], folder: Path) -> None:
    """Run a command.

    Raises:
        RuntimeError: It fails.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"ASTRO_TELEMETRY_DISABLED": "1", "CI": "1", "NO_UPDATE_NOTIFIER": "1"}
    # It would be next to the packages, which several sites share.
    environment["DOCUSAURUS_NO_PERSISTENT_CACHE"] = "true"
    # A package can have its own version of Node.js.
    environment["PATH"] = os.pathsep.join([str(Path(command[0]).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {(done.stdout + done.stderr)[-2_000:]}")


def built(generator: Generator, files: Mapping[str, str], folder: Path) -> Path:
    """Build the site in an empty folder, and return the directory of the build."""
    programs = installed(generator)
    for name, text in files.items():
        if not text:
            # The recipe removes it.
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if programs.parent.name == "node_modules":
        (folder / "package.json").write_text('{"private": true}')
        (folder / "node_modules").symlink_to(programs.parent, target_is_directory=True)
    program, *arguments = generator.command
    run([str(programs / program), *arguments], folder)
    return folder / generator.output


@dataclass(frozen=True, slots=True)
class Findings:
    """What an audit found.

    Attributes:
        codes: The codes of errors and warnings.
        places: Code and URL of each.
    """

    codes: tuple[str, ...]
    places: frozenset[tuple[str, str]]


def audited(target: str, *options: str) -> Findings:
    """Return the errors and warnings of an audit with all rules."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        store = Path(scratch) / "audit.duckdb"
        given = ["audit", target, "--no-config", "--format", "none", "--output", str(report), "--store", str(store)]
        code = run_urlset([*given, *options])
        if code not in (0, 1):
            raise RuntimeError(f"urlset audit {target} exits with {code}")
        found = json.loads(report.read_text(encoding="utf-8"))["findings"]
    loud = [one for one in found if one["severity"] in LOUD]
    places = {(one["code"], place["message"]) for one in loud for place in one["examples"]}
    return Findings(tuple(sorted({one["code"] for one in loud})), frozenset(places))


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Serve a build at its base URL."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Print nothing."""

    port = urlsplit(BASE).port
    assert port is not None
    with ThreadingHTTPServer(("127.0.0.1", port), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


def _is(answer: bool) -> str:
    return "yes" if answer else "no"


def facts(site: Path) -> dict[str, str]:
    """Return what the sitemap of a build says, and what it should not."""
    files = [path for path in sorted(site.rglob("*.xml")) if path.is_file()]
    documents = [path for path in files if b"sitemaps.org/schemas" in path.read_bytes()]
    indexes = [path for path in documents if b"<sitemapindex" in path.read_bytes()]
    entries = [entry for path in documents if path not in indexes for entry in urlset.read(path)]
    pages = {}
    for entry in entries:
        url = entry.loc or ""
        name = urlsplit(url).path.lstrip("/")
        for place in (site / name, site / name / "index.html", site / f"{name}.html"):
            if place.is_file():
                pages[url] = read_page(place.read_bytes())
                break
    canonicals = [page.canonicals[:1] == (url,) for url, page in pages.items()]
    brass = [entry.lastmod for entry in entries if "brass" in (entry.loc or "")]
    others = [entry.lastmod for entry in entries if "brass" not in (entry.loc or "")]
    if not any([*brass, *others]):
        lastmod = "none"
    elif brass[:1] and (brass[0] or "").startswith(MODIFIED):
        lastmod = "yes" if not any(others) else "where the page has a date"
    else:
        lastmod = "no, that of the build"
    without = all(not page.canonicals for page in pages.values())
    robots = site / "robots.txt"
    feeds = [path for path in files if re.search(rb"<(rss|feed)[\s>]", path.read_bytes()[:2_000])]
    values = (
        lastmod,
        _is(not any("closed" in (entry.loc or "") for entry in entries)),
        _is(not any("404" in (entry.loc or "") for entry in entries)),
        "index" if indexes else "one file" if documents else "no sitemap",
        _is(any(b"hreflang" in path.read_bytes() for path in documents)),
        "no link" if without else _is(all(canonicals)),
        _is(bool(feeds)),
        _is(robots.is_file() and b"Sitemap:" in robots.read_bytes()),
    )
    return dict(zip(COLUMNS, values, strict=True))


@dataclass(frozen=True, slots=True)
class Result:
    """The results for one generator.

    Attributes:
        facts: The columns of its row.
        default: Findings with its default configuration.
        over_http: The same over HTTP.
        recipe: Findings with the recipe.
    """

    facts: Mapping[str, str]
    default: Findings
    over_http: Findings
    recipe: Findings


def measured(generator: Generator, folder: Path) -> Result:
    """Build and audit the site with the default configuration and with the recipe."""
    (folder / "default").mkdir()
    (folder / "recipe").mkdir()
    site = built(generator, generator.files, folder / "default")
    default = audited(str(site), "--base-url", BASE, "--host", "plain")
    with serving(site):
        over_http = audited(BASE, "--crawl", "--set", "audit.crawl-depth=1000")
    better = built(generator, {**generator.files, **generator.recipe}, folder / "recipe")
    for name in generator.removed:
        (better / name).unlink()
    made = ["build", f"{better}/", "--base-url", BASE, "-o", str(better), "--no-config", *generator.build]
    if run_urlset(made) != 0:
        raise RuntimeError(f"urlset {' '.join(made)} fails")
    counts = Counter(code for code, _ in default.places)
    found = ", ".join(f"{code}{f' × {count}' * (count > 1)}" for code, count in sorted(counts.items()))
    return Result(
        facts(site) | {FOUND: found}, default, over_http, audited(str(better), "--base-url", BASE, "--host", "plain")
    )


def planted(result: Result) -> list[str]:
    """Return the planted faults that were not found."""
    listed = result.facts["noindex left out"] == "no"
    wanted = {"a link to a missing page": LOST.strip("/")} | ({"a page with noindex": "closed"} if listed else {})
    return [name for name, part in wanted.items() if not any(part in text for _, text in result.default.places)]


def tables(text: str, results: Mapping[str, Result]) -> str:
    """Return the tables of the page, with the rows of the page for generators that were not built now."""
    before = text.partition("## Recipes")[0].split("\n")
    rows = {line[2:].partition(" | ")[0].rpartition(" ")[0]: line for line in before if line.startswith("| ")}
    for one in GENERATORS:
        if one.name in results:
            version = re.split("==|@", one.packages[0])[-1]
            rows[one.name] = f"| {one.name} {version} | {' | '.join(results[one.name].facts.values())} |"
    columns = ["generator", *COLUMNS, FOUND]
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    lines += [rows[one.name] for one in GENERATORS if one.name in rows]
    lines += ["", "## Recipes", "", "| generator | change | then |", "|---|---|---|"]
    for one in GENERATORS:
        if one.name in rows:
            removed = "".join(f"rm {one.output}/{name} && " for name in one.removed)
            made = removed + " ".join(
                ["urlset build", f"{one.output}/", "--base-url URL", "-o", one.output, *one.build]
            )
            lines.append(f"| {one.name} | {one.words} | `{made}` |")
    return "\n".join(lines)


def main() -> int:
    """Build with the generators that the arguments name, by default all, and write the page; return the exit code."""
    names = sys.argv[1:] or [one.name for one in GENERATORS]
    results, is_wrong = {}, False
    for generator in GENERATORS:
        if generator.name not in names:
            continue
        print(generator.name, flush=True)
        try:
            with tempfile.TemporaryDirectory() as folder:
                results[generator.name] = result = measured(generator, Path(folder))
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            print(f"  {error}")
            is_wrong = True
            continue
        for name in ("default", "over_http", "recipe"):
            print(f"  {name}:", *sorted(map(": ".join, getattr(result, name).places)), sep="\n    ", flush=True)
        if missed := planted(result):
            print("  not found:", ", ".join(missed))
        if result.default.places != result.over_http.places:
            print("  the audit over HTTP has other findings")
        if result.recipe.places:
            print("  the recipe ends with findings")
        is_wrong |= bool(missed) or result.default.places != result.over_http.places or bool(result.recipe.places)
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(f"{text[:start]}\n{tables(text[start:end], results)}\n\n{text[end:]}", encoding="utf-8")
    return int(is_wrong)


if __name__ == "__main__":
    sys.exit(main())
