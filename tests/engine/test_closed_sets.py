"""Sets that are set aside while documents are read do not change what rules across documents find."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from urlset.documents import DocumentReader
from urlset.engine import closed_sets
from urlset.engine.duckdb import Engine
from urlset.fetch import fetch
from urlset.options import ReadOptions
from urlset.rules import registry
from urlset.rules.templates import USUAL_LIMITS
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


def found(documents: Sequence[bytes], monkeypatch: pytest.MonkeyPatch, rows: int) -> tuple[list[str], int]:
    """Return the findings, and how often closed sets were searched for."""
    monkeypatch.undo()
    monkeypatch.setattr(closed_sets, "ROWS_BETWEEN_SEARCHES", rows)
    searches = 0
    run = closed_sets.ClosedSets._run

    def counted(self: closed_sets.ClosedSets, statements: str) -> None:
        nonlocal searches
        searches += statements == closed_sets._MOVE
        run(self, statements)

    monkeypatch.setattr(closed_sets.ClosedSets, "_run", counted)
    with Engine(RULES, {**USUAL_LIMITS, "now": datetime(2026, 1, 1, tzinfo=UTC)}) as engine:
        findings, facts = [], []
        for number, target in enumerate(as_targets(documents)):
            [source] = sources_of(target)
            reader = DocumentReader(source, fetch(source, ReadOptions()), number, ReadOptions())
            findings += engine.check(reader.read_all(), [reader.facts])
            facts.append(reader.facts)
        findings += engine.finish(facts)
    return sorted(repr((one.rule.code, one.document_id, one.count, one.examples)) for one in findings), searches


@pytest.mark.parametrize("seed", range(10))
def test_the_findings_are_those_of_all_sets(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = random_documents(random.Random(seed))
    expected, searches = found(documents, monkeypatch, 1_000_000)
    assert not searches
    assert found(documents, monkeypatch, 1)[0] == expected


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
            "DUP003",
        ),
    ],
)
def test_closed_sets_that_are_needed_again(
    entries: Sequence[Entry], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [document([entry]) for entry in entries]
    expected, _ = found(documents, monkeypatch, 1_000_000)
    actual, searches = found(documents, monkeypatch, 1)
    assert searches
    assert actual == expected
    assert any(code in one for one in actual)
