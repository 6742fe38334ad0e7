"""Missing returns and unlisted targets, told by sets of links, are those that comparing every pair of pages finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tiers import examples

import urlset

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'

Entry: TypeAlias = tuple[str, tuple[str, ...]]
"""A page, and the pages that it links to as its versions; the code of a version is its name."""

PAGES = [f"{language}{number}" for number in (1, 2) for language in ("de", "en", "fr")]
CLUSTERS = [tuple(PAGES[:3]), tuple(PAGES[3:]), ("de1", "en1"), ("de1", "en1", "fr1", "de1")]
entries = st.tuples(
    st.sampled_from(PAGES), st.one_of(st.sampled_from([*CLUSTERS, ()]), st.lists(st.sampled_from(PAGES)).map(tuple))
)
sites = st.lists(st.lists(entries, max_size=6), min_size=1, max_size=4)


def written(site: Sequence[Entry]) -> str:
    return HEAD + "".join(map(entry_written, site)) + "</urlset>"


def entry_written(entry: Entry) -> str:
    page, targets = entry
    links = (
        f'<xhtml:link rel="alternate" hreflang="{target[:2]}" href="https://e.com/{target}"/>' for target in targets
    )
    return f"\n<url><loc>https://e.com/{page}</loc>{''.join(links)}</url>"


def expected(site: Sequence[Sequence[Entry]]) -> tuple[int, list[str]]:
    """How many links from pages listed once to listed ones are not returned; what each document links to unlisted."""
    every = [entry for document in site for entry in document]
    listed = Counter(page for page, _ in every)
    links = {(page, target) for page, targets in every for target in targets}
    unreturned = [
        (page, target)
        for page, targets in every
        for target in set(targets)
        if target != page and listed[page] == 1 and listed[target] and (target, page) not in links
    ]
    unlisted = [
        [missing for _, targets in document if (missing := {target for target in targets if not listed[target]})]
        for document in site
    ]
    messages = [
        f"linked URLs that are not in any document of the run: {len(set.union(*missing))}, "
        f"such as https://e.com/{min(missing[0])}"
        for missing in unlisted
        if missing
    ]
    return len(unreturned), messages


@pytest.mark.long("slow cases")
@settings(max_examples=examples(25), deadline=None)
@given(site=sites, chunk_rows=st.sampled_from([1, 5, 1000]))
def test_as_every_pair_compared(site: list[list[Entry]], chunk_rows: int) -> None:
    with TemporaryDirectory() as folder, mock.patch("urlset.stages.document_judge.CHUNK_ROWS", chunk_rows):
        for number, document in enumerate(site):
            Path(folder, f"{number}.xml").write_text(written(document))
        report = urlset.validate(folder, select=["HRL007", "HRL012"], now=NOW)
    unreturned = sum(finding.count for finding in report.findings if finding.rule.code == "HRL007")
    unlisted = [one for finding in report.findings if finding.rule.code == "HRL012" for one in finding.examples]
    assert (unreturned, [one.message for one in unlisted]) == expected(site)
