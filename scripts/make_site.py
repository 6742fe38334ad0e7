"""Build the documentation site in build/site, and fail on any broken link.

The pages come from docs/ and from the documents at the top of the repository. Both link to files of the repository, so
that the links work on code hosts. The sources are therefore copied to build/pages first, where links to pages are
rewritten to their place in the site, and other linked files are copied next to them. Full pages of the reference, which
make_docs.py generates, take the place of short ones, and links to entries of a short page lead to the pages of entries.

Usage: python scripts/make_site.py
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from lxml import html

from urlset.rules import registry
from urlset.rules.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
PAGES = BUILD / "pages"
SITE = BUILD / "site"

FULL = BUILD / "reference"
SHORT = "docs/reference/"

HOME = "docs/README.md"
PROJECT = {
    "README.md": "project/readme.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "docs/contributing/decisions.md": "project/decisions.md",
    "docs/contributing/fuzz.md": "project/fuzz.md",
    "docs/contributing/checks-map.md": "project/checks-map.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "CHANGELOG.md": "project/changelog.md",
    "bench/RESULTS.md": "project/benchmark.md",
    "examples/README.md": "project/examples.md",
}
"""Pages for contributors and from outside of docs/, and their paths in the site."""

FILES = "files"
"""The folder of the site for linked files of the repository."""

REFERENCE = ("cli", "config", "tables", "writer", "api", "json", "anomalies", "errors", "limits")
"""The pages of the reference in order; the pages of the rules follow."""

_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]+)\)")
_SHOWN = re.compile(r'\b(?P<name>src|srcset)="(?P<target>[^"\s]+)"')
"""An image in the HTML of a page."""

_FENCE = re.compile(r"^ *```")
_ITEM = re.compile(r"^(?:[-*]|\d+\.) ")


class BrokenLinkError(Exception):
    """A link is broken; the message gives its place."""


def main() -> int:
    """Build the site; return the exit code."""
    shutil.rmtree(PAGES, ignore_errors=True)
    pages = sources()
    try:
        for source, place in pages.items():
            stage(source, place, pages)
        orphans(pages)
    except BrokenLinkError as error:
        print(error, file=sys.stderr)
        return 1
    shutil.copyfile(ROOT / "docs" / "site.css", PAGES / "site.css")
    config = BUILD / "zensical.toml"
    config.write_text(configuration(pages), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", str(config)]
    built = subprocess.run(command, cwd=BUILD, check=False)
    if built.returncode:
        return built.returncode
    problems = sorted(set(check(SITE)))
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(pages)} pages in {SITE.relative_to(ROOT)}, {len(problems)} problems")
    return 1 if problems else 0


def sources() -> dict[str, str]:
    """Return every page by its path in the repository, with its path in the site."""
    full = [SHORT + path.relative_to(FULL).as_posix() for path in sorted(FULL.rglob("*.md"))]
    docs = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    return {**{path: path.removeprefix("docs/") for path in (*docs, *full)}, HOME: "index.md", **PROJECT}


def _file_of(source: str) -> Path:
    """Return the file of a page: that of the full page, if there is one."""
    full = FULL / source.removeprefix(SHORT)
    return full if source.startswith(SHORT) and full.is_file() else ROOT / source


def stage(source: str, place: str, pages: dict[str, str]) -> None:
    """Copy a page, with its links rewritten for the site."""
    text = _file_of(source).read_text(encoding="utf-8")
    target = PAGES / place
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(_staged(text, source, place, pages)) + "\n", encoding="utf-8")


def _staged(text: str, source: str, place: str, pages: dict[str, str]) -> Iterator[str]:
    fenced, before = False, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced or line.startswith("    "):
            yield line
        else:
            # The site generator starts a list only after an empty line.
            if _ITEM.match(line) and before and not _ITEM.match(before) and not before.startswith((" ", "#")):
                yield ""
            yield _turned_line(line, (source, number), place, pages)
        before = line


def _turned_line(line: str, origin: tuple[str, int], place: str, pages: dict[str, str]) -> str:
    """Return a line with its links and images rewritten for the site."""
    line = _LINK.sub(lambda link: _link(link["text"], link["target"], origin, place, pages), line)
    return _SHOWN.sub(lambda shown: f'{shown["name"]}="{_turned(shown["target"], origin, place, pages)}"', line)


def _link(text: str, target: str, origin: tuple[str, int], place: str, pages: dict[str, str]) -> str:
    """Return a link for the site; for a link to a folder only its text, because the site does not show folders."""
    turned = _turned(target, origin, place, pages)
    return text if turned is None else f"[{text}]({turned})"


def _turned(target: str, origin: tuple[str, int], place: str, pages: dict[str, str]) -> str | None:
    """Return the target of a link or image in the site, and copy files that are not pages there; None for a folder."""
    parts = urlsplit(target)
    source, line = origin
    path = os.path.normpath(PurePosixPath(source).parent / unquote(parts.path)) if parts.path else source
    if (entry := f"{path.removesuffix('.md')}/{parts.fragment}.md") in pages:
        return os.path.relpath(pages[entry], PurePosixPath(place).parent)
    if parts.scheme or not parts.path:
        return target
    if (ROOT / path).is_dir():
        return None
    if path not in pages and not (ROOT / path).is_file():
        raise BrokenLinkError(f"{source}:{line}: no such file: {path}")
    if path not in pages:
        copy = PAGES / FILES / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy)
    turned = os.path.relpath(pages.get(path, f"{FILES}/{path}"), PurePosixPath(place).parent)
    return f"{turned}#{parts.fragment}" if parts.fragment else turned


def orphans(pages: dict[str, str]) -> None:
    """Check that the home page links to every page, except for pages that only the site has.

    Raises:
        BrokenLinkError: A page is not linked there.
    """
    listed = {
        os.path.normpath(f"docs/{urlsplit(link['target']).path}")
        for link in _LINK.finditer((ROOT / HOME).read_text(encoding="utf-8"))
    }
    for source in pages:
        if source != HOME and source not in listed and (ROOT / source).is_file():
            raise BrokenLinkError(f"{HOME}: no link to {source}")


def configuration(pages: dict[str, str]) -> str:
    """Return the configuration of the site generator: docs/site.toml with the navigation."""
    fixed = (ROOT / "docs" / "site.toml").read_text(encoding="utf-8")
    return fixed.replace("nav = []", f"nav = {_toml(navigation(pages))}", 1)


Entry = dict[str, "str | list[Entry]"] | str


def navigation(pages: dict[str, str]) -> list[Entry]:
    """Return the tree of pages, which includes every how-to and rule automatically."""
    places = set(pages.values())
    how_to: list[Entry] = [{title(place): place} for place in sorted(places) if place.startswith("how-to/")]
    explanation: list[Entry] = [{title(place): place} for place in sorted(places) if place.startswith("explanation/")]
    explanation.append({title("generators.md"): "generators.md"})
    reference: list[Entry] = [{title(f"reference/{name}.md"): f"reference/{name}.md"} for name in REFERENCE]
    commands: list[Entry] = [{title(place): place} for place in sorted(places) if place.startswith("reference/cli/")]
    reference[0] = {title("reference/cli.md"): ["reference/cli.md", *commands]}
    rules: list[Entry] = [{"All rules": "reference/rules.md"}]
    for family in FAMILIES:
        codes = [rule.code.lower() for rule in registry.all_rules() if rule.family == family.prefix]
        rules.append(
            {family.title: [{title(f"reference/rules/{code}.md"): f"reference/rules/{code}.md"} for code in codes]}
        )
    project: list[Entry] = [{title(place): place} for place in PROJECT.values()]
    return [
        {"Home": "index.md"},
        {"Tutorial": "tutorial.md"},
        {"How to": how_to},
        {"Explanation": explanation},
        {"Reference": reference},
        {"Rules": rules},
        {"Project": project},
    ]


def title(place: str) -> str:
    """Return the heading of a page for the navigation."""
    found = re.search(r"^# (.+)$", (PAGES / place).read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise BrokenLinkError(f"{place}: has no heading")
    return found[1].replace("`", "")


def _toml(value: Entry | list[Entry]) -> str:
    """Return lists, inline tables, and strings as TOML."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class _Built:
    """A built page: its link targets, its links, and the resources that it loads."""

    anchors: frozenset[str]
    links: tuple[str, ...]
    loaded: tuple[str, ...]


def check(site: Path) -> Iterator[str]:
    """Return the problems of the built pages: broken links, and resources that are loaded from other sites."""
    built = {path: _parsed(path) for path in site.rglob("*.html")}
    for path, page in built.items():
        name = path.relative_to(site)
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//"):
                if link in page.loaded and parts.scheme != "data":
                    yield f"{name}: loads {link}"
                continue
            folder = site if parts.path.startswith("/") else path.parent
            target = Path(os.path.normpath(folder / unquote(parts.path).lstrip("/"))) if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{name}: broken link to {link}"
            elif parts.fragment and target in built and unquote(parts.fragment) not in built[target].anchors:
                yield f"{name}: link to {link}, which has no such heading"
    for path in site.rglob("*.css"):
        for found in re.findall(r"(?:url\(|@import )['\"]?((?:https?:)?//[^'\")]+)", path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)}: loads {found}"


def _parsed(path: Path) -> _Built:
    tree = html.parse(str(path)).getroot()
    loads = tree.xpath("//*/@src | //*/@srcset | //link[not(@rel='canonical' or @rel='prev' or @rel='next')]/@href")
    return _Built(
        frozenset(map(str, tree.xpath("//@id | //a/@name"))),
        tuple(map(str, tree.xpath("//a/@href"))),
        tuple(map(str, loads)),
    )


if __name__ == "__main__":
    sys.exit(main())
