"""Files of real sites: nothing crashes, no URL is lost without a word, and what was fixed is well-formed and stable.

The files are not part of this repository. Where the archive is missing, each test is skipped by name.
"""

from __future__ import annotations

import gzip
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from lxml import etree
from tests.cases import case_table
from tests.corpus.real_sites import ABSENT, IS_ABSENT, files

import urlset
from urlset.model.fix import FixOutcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from urlset.documents import Document

SITEMAPS = frozenset({"urlset", "sitemapindex"})
SITEMAP_NAMESPACES = frozenset({"", "http://www.sitemaps.org/schemas/sitemap/0.9"})

real_files = pytest.mark.skip(reason=ABSENT) if IS_ABSENT else case_table("name", lambda: sorted(files()))


def plain(content: bytes) -> bytes:
    return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content


def seen_by_lxml(content: bytes) -> list[str]:
    """The URLs of entries as libxml2's recovering parser sees them, in order."""
    tree = etree.fromstring(plain(content), etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False))
    return [] if tree is None else [url for url in _locs(tree) if url]


def _locs(tree: etree._Element) -> Iterator[str]:
    for element in tree.iter("{*}loc"):
        name, above = etree.QName(element), element.getparent()
        inside = None if above is None else etree.QName(above)
        if (
            (name.namespace or "") in SITEMAP_NAMESPACES
            and inside is not None
            and inside.localname in ("url", "sitemap")
        ):
            yield "".join(map(str, element.itertext())).strip()


def kept(document: Document) -> Counter[str]:
    """Every URL that the tables have an entry of, with how many."""
    return Counter(
        loc.strip()
        for name in ("urls", "children")
        if name in document.tables
        for loc in document.tables[name].column("loc")
        if loc
    )


@pytest.mark.long("slow cases")
@real_files
def test_every_url_is_read(name: str) -> None:
    content = files()[name]
    document = urlset.read(content)
    if document.kind not in SITEMAPS:
        return
    # An `&` that is not escaped is kept here, and dropped by libxml2.
    seen = Counter(url.replace("&", "") for url in seen_by_lxml(content))
    assert seen - Counter(url.replace("&", "") for url in kept(document).elements()) == Counter()


@pytest.mark.long("slow cases")
@pytest.mark.skipif(IS_ABSENT, reason=ABSENT)
def test_every_file_is_judged(tmp_path: Path) -> None:
    for name, content in files().items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    report = urlset.validate([tmp_path / name for name in files()])
    assert report.unreadable == ()
    assert len(report.documents) == len(files())
    found = {finding.document_id for finding in report.findings}
    for document in report.documents:
        assert document["complete"] or document["document_id"] in found


@pytest.mark.long("slow cases")
@real_files
def test_what_is_fixed_is_well_formed_stable_and_whole(name: str) -> None:
    content = files()[name]
    [fixed] = urlset.fix(content).documents
    if fixed.outcome is FixOutcome.NOT_REPAIRED:
        assert fixed.reason
        return
    assert fixed.content is not None
    if fixed.kind in SITEMAPS:
        etree.fromstring(plain(fixed.content), etree.XMLParser(huge_tree=True, resolve_entities=False))
    [again] = urlset.fix(fixed.content).documents
    assert again.outcome is FixOutcome.RIGHT
    assert again.content == fixed.content
    told = [one.text for one in fixed.omissions] + [each.before for repair in fixed.repairs for each in repair.examples]
    gone = kept(urlset.read(content)) - kept(urlset.read(fixed.content))
    assert [url for url in gone if url[:40] not in " ".join(told)] == []
