"""Compare dates from git with real histories: the documentation in source distributions, one commit per release.

The true date of a page is that of the first release since which its words are as now, according to docutils. The
distributions are fetched from the package index once, into the directory that is given; nothing of them is committed.

    python scripts/release_histories.py DIR

It requires docutils, which urlset does not use.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import urllib.request
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urljoin

import docutils.core
import docutils.nodes
from docutils.parsers.rst import Directive, directives, roles
from packaging.version import Version

import urlset
from urlset.options import FileFolder, Site
from urlset.options.sources import LastmodSource, UrlStyle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

RELEASES = 20
PACKAGES = {"pytest": "doc/en/", "scrapy": "docs/"}
"""The directory of the documentation in the distributions of each package."""

KEPT = (".rst", ".txt", ".py", ".cfg", ".toml", ".yaml", ".yml", ".ini", ".xml", ".json")
"""Files that pages are or may include."""

INDEX = "https://pypi.org/simple/"
MAX_BYTES = 32 * 1024 * 1024
PLACE = "https://example.org/"


@dataclass(frozen=True)
class Release:
    version: Version
    uploaded: datetime
    files: Mapping[str, bytes]


def releases_of(package: str, cache: Path) -> list[Release]:
    """Return the newest consecutive releases, the oldest first."""
    request = urllib.request.Request(f"{INDEX}{package}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        files = json.load(reply)["files"]
    found = []
    for file in files:
        if file["filename"].endswith(".tar.gz") and not file.get("yanked"):
            version = Version(file["filename"].removesuffix(".tar.gz").rpartition("-")[2])
            uploaded = datetime.fromisoformat(file["upload-time"]).astimezone(UTC).replace(microsecond=0)
            if not version.is_prerelease:
                found.append((uploaded, version, urljoin(f"{INDEX}{package}/", file["url"])))
    line: list[tuple[datetime, Version, str]] = []
    for one in sorted(found):
        # A release of an older line is not the next one of the documentation.
        if not line or one[1] > line[-1][1]:
            line.append(one)
    return [
        Release(version, uploaded, _documentation(_fetched(url, cache), PACKAGES[package]))
        for uploaded, version, url in line[-RELEASES:]
    ]


def _fetched(url: str, cache: Path) -> bytes:
    path = cache / url.rpartition("/")[2]
    if not path.exists():
        with urllib.request.urlopen(url, timeout=300) as reply:
            path.write_bytes(reply.read(MAX_BYTES))
    return path.read_bytes()


def _documentation(archive: bytes, below: str) -> dict[str, bytes]:
    files = {}
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as members:
        for member in members:
            name = member.name.partition("/")[2]
            if member.isfile() and ".." not in PurePosixPath(name).parts and name.endswith(KEPT):
                content = members.extractfile(member)
                if content is not None and (name.startswith(below) or "/" not in name):
                    files[name] = content.read()
    return files


def commit_all(releases: Sequence[Release], folder: Path) -> None:
    """Make a repository with a commit per release, at the time of its upload."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    stream = b"".join(_stream(releases))
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], input=stream, check=True)
    subprocess.run(["git", "-C", str(folder), "reset", "-q", "--hard"], check=True)


def _stream(releases: Sequence[Release]) -> Iterator[bytes]:
    for release in releases:
        who = f"A <a@example.org> {release.uploaded.timestamp():.0f} +0000\n".encode()
        subject = str(release.version).encode()
        yield b"commit refs/heads/main\nauthor %bcommitter %b" % (who, who)
        yield b"data %d\n%b\ndeleteall\n" % (len(subject), subject)
        for name, content in release.files.items():
            yield b"M 100644 inline %b\ndata %d\n%b\n" % (name.encode(), len(content), content)
    yield b"done\n"


class _Shown(Directive):  # type: ignore[misc]
    """A directive of Sphinx, of which only the words in the source are read."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = type("AnyOption", (dict,), {"__getitem__": lambda *_: str, "__contains__": lambda *_: True})()

    def run(self) -> list[docutils.nodes.Node]:
        shown = docutils.nodes.container()
        argument = " ".join(self.arguments)
        if argument and self.name not in _UNSEEN_ARGUMENT:
            shown += docutils.nodes.paragraph(argument, argument)
        if self.name in _LITERAL:
            shown += docutils.nodes.literal_block("\n".join(self.content), "\n".join(self.content))
        elif self.name not in _UNSEEN:
            self.state.nested_parse(self.content, self.content_offset, shown)
        return [shown]


_UNSEEN = ("toctree", "index", "currentmodule", "module", "highlight", "testsetup", "only", "meta", "tags")
_UNSEEN_ARGUMENT = (*_UNSEEN, "code-block", "sourcecode", "tab-set", "image", "figure")
_LITERAL = (
    "code", "code-block", "sourcecode", "doctest", "testcode", "testoutput", "prompt", "parsed-literal", "graphviz",
)  # fmt: skip


def read_as_sphinx() -> None:
    """Have docutils accept every directive and role, as Sphinx and its extensions would add them."""
    known_directive, known_role = directives.directive, roles.role

    def directive(name: str, language: object, document: object) -> object:
        if name in _LITERAL or name in _UNSEEN:
            return _Shown, []
        found = known_directive(name, language, document)
        return found if found[0] is not None else (_Shown, [])

    def role(name: str, language: object, line: int, reporter: object) -> object:
        found = known_role(name, language, line, reporter)
        return found if found[0] is not None else (_plain_role, [])

    directives.directive, roles.role = directive, role


def _plain_role(
    _name: str, raw: str, text: str, *_: object, **__: object
) -> tuple[list[docutils.nodes.Node], list[docutils.nodes.system_message]]:
    shown = text.partition(" <")[0] if text.endswith(">") else text.lstrip("~!")
    return [docutils.nodes.inline(raw, shown)], []


def words(root: Path, name: str) -> list[str]:
    """Return the words of a page, according to docutils."""
    path = root / name
    settings = {"report_level": 5, "halt_level": 6, "file_insertion_enabled": True, "raw_enabled": False,
                "_disable_config": True, "smart_quotes": False, "warning_stream": io.StringIO()}  # fmt: skip
    tree = docutils.core.publish_doctree(path.read_text("utf-8"), str(path), settings_overrides=settings)
    for kind in (docutils.nodes.comment, docutils.nodes.system_message, docutils.nodes.target,
                 docutils.nodes.substitution_definition):  # fmt: skip
        for node in list(tree.findall(kind)):
            node.parent.remove(node)
    return [word for word in tree.astext().split() if any(map(str.isalnum, word))]


def true_dates(releases: Sequence[Release], below: str) -> dict[str, Release]:
    """Return the first release since which each page has its present words."""
    pages = [name for name in releases[-1].files if name.startswith(below) and name.endswith(".rst")]
    first = dict.fromkeys(pages, releases[-1])
    known: dict[str, list[str]] = {}
    still = set(pages)
    for release in reversed(releases):
        with TemporaryDirectory() as root:
            for name, content in release.files.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            for name in sorted(still):
                here = words(Path(root), name) if name in release.files else None
                if here is not None and here == known.setdefault(name, here):
                    first[name] = release
                else:
                    still.discard(name)
    return first


def dates_from_git(folder: Path) -> dict[str, datetime]:
    """Return the dates that urlset gives the pages of a repository."""
    with TemporaryDirectory() as out:
        source = FileFolder(
            folder=folder, include=("*.rst",), urls=UrlStyle.EXACT, lastmod_from=(LastmodSource.GIT_TEXT,)
        )
        urlset.build_sitemaps(Site(base_url=PLACE, out=out, sources=(source,), lastmod="datetime"))
        rows = urlset.query("SELECT loc, lastmod_at FROM urls WHERE lastmod IS NOT NULL", Path(out, "sitemap.xml")).rows
        return {str(loc).removeprefix(PLACE): date.replace(tzinfo=UTC) for loc, date in cast("Any", rows)}


def main() -> None:
    cache = Path(sys.argv[1])
    cache.mkdir(parents=True, exist_ok=True)
    read_as_sphinx()
    for package, below in PACKAGES.items():
        releases = releases_of(package, cache)
        folder = cache / f"{package}-history"
        if not folder.exists():
            commit_all(releases, folder)
        true = true_dates(releases, below)
        given = dates_from_git(folder / below)
        given = {below + name: date for name, date in given.items()}
        wrong = {name: given[name] for name in true if name in given and given[name] != true[name].uploaded}
        unknown = [name for name in true if name not in given]
        right = len(true) - len(wrong) - len(unknown)
        span = f"{releases[0].version} to {releases[-1].version}"
        print(f"{package} {span}: {len(true)} pages, {right} right, {len(wrong)} wrong, {len(unknown)} unknown")
        for name, date in wrong.items():
            first = true[name]
            print(f"  {name}: {date:%Y-%m-%d}; its words are those of {first.version}, {first.uploaded:%Y-%m-%d}")


if __name__ == "__main__":
    main()
