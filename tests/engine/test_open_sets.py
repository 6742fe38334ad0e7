"""Removing closed sets while documents are read does not change what rules across documents find."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from urlset import _core
from urlset.documents import DocumentReader
from urlset.engine import open_sets
from urlset.engine.duckdb import Engine
from urlset.fetch import fetch
from urlset.options import ReadOptions
from urlset.rules import registry
from urlset.rules.families import DEFAULT_LIMITS
from urlset.sources import as_targets, sources_of

OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
CODES = ("de", "en", "fr", "x-default")
RULES = [rule for rule in registry.all_rules() if rule.code.startswith(("HRL", "DUP"))]

Entry = tuple[str, Sequence[tuple[str, str]]]
"""A loc, and the code and href of each link."""


def document(entries: Sequence[Entry]) -> bytes:
    def link(code: str, href: str) -> str:
        return f'<xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>'

    def entry(loc: str, links: Sequence[tuple[str, str]]) -> str:
        return f"<url><loc>{loc}</loc>{''.join(link(*one) for one in links)}</url>"

    return f"{OPEN}{''.join(entry(*one) for one in entries)}</urlset>".encode()


def url(page: object, code: str) -> str:
    return f"https://example.com/{code}/{page}"


def version(page: object, code: str, codes: Sequence[str] = ("de", "en")) -> Entry:
    return url(page, code), [(each, url(page, each)) for each in codes]


def random_documents(rng: random.Random) -> list[bytes]:
    """Few pages in few languages: complete sets, repeated entries, missing links, and links without a scheme."""

    def some_entry() -> Entry:
        page, code = rng.randrange(4), rng.choice(CODES[:3])
        loc, links = version(page, code, CODES[: rng.choice((2, 2, 2, 3, 3, 4))])
        if rng.random() < 0.1:
            links = links[1:]
        if rng.random() < 0.1:
            links = [*links, (rng.choice(CODES), url(rng.randrange(4), rng.choice(CODES[:3])))]
        if rng.random() < 0.03:
            links = [*links, ("it", rng.choice(("relative", url(0, "it"))))]
        return ("relative" if rng.random() < 0.02 else loc), links

    return [document([some_entry() for _ in range(rng.randrange(1, 4))]) for _ in range(rng.randrange(2, 12))]


def found(documents: Sequence[bytes], *, in_core: bool) -> list[str]:
    """Return the findings with sets closed in the core, or by SQL alone, as for documents that do not fit in memory."""
    with Engine(RULES, {**DEFAULT_LIMITS, "now": datetime(2026, 1, 1, tzinfo=UTC)}) as engine:
        # All of these rules can do without the derived tables of single documents.
        assert engine._closes_sets
        findings, facts = [], []
        for number, target in enumerate(as_targets(documents)):
            [source] = sources_of(target)
            reader = DocumentReader(source, fetch(source, ReadOptions()), number, ReadOptions())
            tables = reader.read_all()
            if in_core:
                findings += engine.check(tables, [reader.facts])
            else:
                engine.load(tables)
                findings += engine.check_loaded([reader.facts])
            facts.append(reader.facts)
        findings += engine.finish(facts)
    return sorted(repr((one.rule.code, one.document_id, one.count, one.examples)) for one in findings)


@pytest.fixture(params=["at-the-end", "at-once", "on-disk", "at-once-on-disk"])
def removal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed sets are removed after the last document or after each one, and DuckDB keeps open sets from the start."""
    if "at-once" in request.param:
        monkeypatch.setattr(open_sets, "BETWEEN_REMOVALS", 1)
    if "on-disk" in request.param:
        monkeypatch.setattr(open_sets, "MAX_BYTES", 0)


@pytest.mark.sampled(2, 32)
@pytest.mark.usefixtures("removal")
@pytest.mark.parametrize("seed", range(20))
def test_the_findings_are_those_of_all_sets(seed: int) -> None:
    documents = random_documents(random.Random(seed))
    assert found(documents, in_core=True) == found(documents, in_core=False)


@pytest.mark.usefixtures("removal")
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("entries", "code"),
    [
        # The same entry again, after its set was closed, and an entry that lacks a return link to it.
        ([version(1, "de"), version(1, "en"), version(1, "de"), (url(1, "fr"), [("de", url(1, "de"))])], "HRL007"),
        # The URL of a closed set in another set: it has two entries, so that HRL013 does not compare its links.
        (
            [
                version(1, "de"),
                version(1, "en"),
                version(1, "de", ("de", "fr")),
                version(1, "fr", ("de", "fr", "it")),
                version(1, "it", ("it",)),
            ],
            "DUP005",
        ),
    ],
)
def test_closed_sets_that_are_needed_again(entries: Sequence[Entry], code: str) -> None:
    documents = [document([entry]) for entry in entries]
    actual = found(documents, in_core=True)
    assert actual == found(documents, in_core=False)
    assert any(code in one for one in actual)


def test_closed_sets_are_removed() -> None:
    sets = _core.OpenSets(1)
    left = []
    for number, code in enumerate(("de", "en")):
        entries = [version(page, code) for page in range(100 + number)]
        [source] = sources_of(next(iter(as_targets([document(entries)]))))
        tables = DocumentReader(source, fetch(source, ReadOptions()), number, ReadOptions()).read_all()
        opened = sets.add(tables["link_sets"], tables["alternates"])
        left.append((opened, sets.closed_entries, sets.nbytes > 0))
    # Every page is in one language only, then in both, except for the last one.
    assert left == [(100, 0, True), (101, 200, True)]
    assert sets.closed(["document_id"]).num_rows == 200
    open_entries, links, hrefs = sets.drain(["document_id", "ordinal"])
    assert open_entries.to_dicts() == [{"document_id": 1, "ordinal": 100}]
    assert (links.num_rows, hrefs.num_rows) == (2, 0)
    assert sets.nbytes == 0


def test_entries_without_their_links_are_refused() -> None:
    tables = _core.reader_schemas()
    types = zip(tables["link_sets"].column_names, tables["link_sets"].column_types, strict=True)
    entry = _core.Table.from_rows(list(types), [dict.fromkeys(tables["link_sets"].column_names, 1)])
    with pytest.raises(ValueError, match="entry 1 of document 1 has no links"):
        _core.OpenSets(1).add(entry, tables["alternates"])
