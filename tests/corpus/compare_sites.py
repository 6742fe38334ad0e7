"""Compare what urlset says of built sites with what the independent model says.

    python -m tests.corpus.compare_sites SITES.txt FOLDER [SITE ...]

`SITES.txt` has a site and its base URL per line; the sites are folders next to it. Stores are written to FOLDER.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
from tests.corpus.site_model import SiteModel, is_left_out, resolve

import urlset

if TYPE_CHECKING:
    from collections.abc import Iterable

UNLISTED = ("linked-not-listed", "file-not-listed")
"""The rules that say that a page is in no sitemap."""


@dataclass(frozen=True)
class Difference:
    """Something that only one side says.

    Attributes:
        kind: What it is about: `missing`, `noindex`, `elsewhere`, `broken`, `unlisted` and so on.
        only: Who says it: `model` or `urlset`.
        what: The URL, or the file and the URL that it links to.
    """

    kind: str
    only: str
    what: str


def audit(root: Path, base: str, store: Path) -> None:
    """Audit a folder as GitHub Pages serves it, with its links, into a store."""
    store.unlink(missing_ok=True)
    urlset.audit(str(root), base_url=base, host="github", links=True, max_examples=100_000, store=str(store))


def differences(model: SiteModel, store: Path) -> list[Difference]:
    """Return what only the model or only urlset says."""
    with duckdb.connect(str(store), read_only=True) as connection:
        if not connection.execute("SELECT count(*) FROM runs").fetchall()[0][0]:
            return [Difference("run", "model", f"urlset saved no run; {len(model.listed)} URLs are listed")]
        views = _views(model, connection)
    found = []
    for kind, (ours, theirs) in views.items():
        found += [Difference(kind, "model", what) for what in sorted(ours - theirs)]
        found += [Difference(kind, "urlset", what) for what in sorted(theirs - ours)]
    return found


def _views(model: SiteModel, connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[set[str], set[str]]]:
    """Return by kind what the model says, and what urlset says."""

    def urls(query: str) -> set[str]:
        return {resolve(url, model.base) or url for (url,) in connection.execute(query).fetchall() if url is not None}

    def found(*codes: str) -> set[str]:
        return urls(f"SELECT url FROM findings WHERE code IN ({', '.join(repr(code) for code in codes)})")

    here = "skipped IS NULL"
    listed = urls("SELECT loc FROM urls WHERE loc_problem IS NULL")
    by_codes = {name: found(*_codes(name)) for name in UNLISTED}
    broken = {
        (model.file_of(source) or f"({source})", resolve(target, model.base) or target)
        for source, target in connection.execute(
            "SELECT l.from_url, l.to_url FROM links AS l JOIN linked AS t ON t.page_hash = l.to_hash "
            "WHERE t.skipped IS NULL AND (t.status >= 400 OR t.status IS NULL)"
        ).fetchall()
        if model.path_of(target) is not None
    }
    unlisted = {url: model.file_of(url) or f"({url})" for url in set().union(*by_codes.values())}
    noindex = urls(f"SELECT url FROM pages WHERE {here} AND noindex IS NOT NULL")
    # One that redirects is broken: if it redirects to the page itself, the page is not elsewhere.
    elsewhere = found(*_codes("page-canonical-elsewhere", "page-canonical-broken"))
    twice = {file for file, count in Counter(unlisted.values()).items() if count > 1}
    return {
        "listed": (set(model.listed), listed),
        "missing": (set(model.missing), urls(f"SELECT url FROM pages WHERE {here} AND status IN (404, 410)")),
        "missing in findings": (set(model.missing), found(*_codes("page-not-found"))),
        "noindex": (set(model.noindex), noindex - model.noindex_in_body),
        "noindex behind the head": (
            set(model.noindex_in_body),
            found(*_codes("page-head-ends-early")) & model.noindex_in_body,
        ),
        "elsewhere": (set(model.elsewhere), elsewhere & model.listed_here - model.respelled.keys()),
        "elsewhere in health": (
            set(model.elsewhere),
            urls("SELECT url FROM pages WHERE reason = 'canonical-elsewhere'"),
        ),
        "broken": (_pairs(model.broken), _pairs(pair for pair in broken if not is_left_out(pair[1]))),
        "broken by the archive": (
            _pairs(model.broken_by_archive),
            _pairs(pair for pair in broken if is_left_out(pair[1])),
        ),
        "broken in findings": (
            {url for _, url in model.broken | model.broken_by_archive},
            found(*_codes("link-broken")),
        ),
        "unlisted": (set(model.unlisted) if model.listed else set(), set(unlisted.values())),
        "unlisted twice": (set(), twice),
    }


def _codes(*names: str) -> list[str]:
    return [rule.code for rule in urlset.list_rules() if rule.name in names]


def _pairs(links: Iterable[tuple[str, str]]) -> set[str]:
    return {f"{source} -> {target}" for source, target in links}


def main(sites: Path, folder: Path, names: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    for line in sites.read_text().splitlines():
        name, base = line.split()
        if names and name not in names:
            continue
        root, store = sites.parent / name, folder / f"{name}.duckdb"
        audit(root, base, store)
        model = SiteModel(root, base)
        found = differences(model, store)
        sys.stdout.write(f"## {name} ({base}): {len(found)} differences\n")
        for (kind, only), count in Counter((one.kind, one.only) for one in found).items():
            sys.stdout.write(f"- {kind}, only {only}: {count}\n")
            for one in [one for one in found if (one.kind, one.only) == (kind, only)][:8]:
                sys.stdout.write(f"    {one.what}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
