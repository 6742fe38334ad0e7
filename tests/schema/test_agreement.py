"""The profile strict-xsd and libxml2 with the official schemas come to the same verdict on mutated documents.

The schemas are not ours to ship: URLSET_XSD names a folder with sitemap.xsd and siteindex.xsd. Without it these tests
are skipped, and counted. There are a quarter as many documents as `--mutations` says; a failure names the case, and

    from tests.reader import schema_mutations
    schema_mutations.case(12345)

gives its document again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree
from tests.tiers import SUBJECTS

import urlset
from urlset.rules.rule import Severity
from urlset.schema.libxml2 import Validator
from urlset.schema.load import load

from ..reader import corpus, libxml2, schema_mutations
from ..reader.reading import Reading, read
from ..reader.test_well_formed import DIFFERENCES

SCHEMAS = Path(os.environ.get("URLSET_XSD") or "/nonexistent")
pytestmark = pytest.mark.skipif(not SCHEMAS.is_dir(), reason="URLSET_XSD names no folder")

AT_ONCE = 250
"""Documents of one run: each run costs as much as reading hundreds of them."""

SHARE = 3
"""One of so many documents is of `corpus`, whose mutations break the XML; the others break what schemas look at."""


# Documented differences: the two may disagree only where one of these holds.


def as_plain_text(document: bytes, reading: Reading) -> bool:
    """What does not look like XML is read as something else, a list of URLs most often: no schema has a say in it."""
    return reading.facts["well_formed"] is None


def in_well_formedness(document: bytes, reading: Reading) -> bool:
    """Where the reader and libxml2 differ on what is well-formed, for the reasons that `test_well_formed` lists."""
    verdict = libxml2.parse(document)
    return reading.facts["well_formed"] != verdict.well_formed and any(
        difference(document, reading, verdict) for difference in DIFFERENCES
    )


def in_entity_declared_elsewhere(document: bytes, reading: Reading) -> bool:
    """A document with external declarations may use any entity; in attributes libxml2 passes over unseen ones."""
    return "doctype" in reading.kinds and bool({"undefined-entity", "html-entity"} & set(reading.kinds))


DIFFERENCES_OF_SCHEMAS: tuple[Callable[[bytes, Reading], bool], ...] = (
    as_plain_text,
    in_well_formedness,
    in_entity_declared_elsewhere,
)


def number_of_documents(config: pytest.Config) -> int:
    return SUBJECTS["documents compared with libxml2"].amounts[bool(config.getoption("--long"))] // 4


def document_of(number: int) -> bytes:
    return corpus.case(number)[1] if number % SHARE == 0 else schema_mutations.case(number)


def accepted_as_tree(document: bytes, schema: etree.XMLSchema) -> bool:
    """What `xmllint --schema` says."""
    verdict = libxml2.parse(document)
    if not verdict.well_formed or verdict.root is None:
        return False
    try:
        return bool(schema.validate(verdict.root))
    except etree.XMLSchemaValidateError:
        return False


def accepted_as_stream(document: bytes, schema: etree.XMLSchema) -> bool:
    """What `--xsd` says."""
    validator = Validator(schema, 1_000_000)
    validator.feed(document)
    validator.feed(b"")
    return validator.verdict(0).status == "valid"


def accepted_by_profile(documents: list[bytes], folder: Path) -> list[bool]:
    """Whether a document has no error under strict-xsd."""
    paths = [folder / f"sitemap-{number:05}.xml" for number in range(len(documents))]
    for path, document in zip(paths, documents, strict=True):
        path.write_bytes(document)
    report = urlset.validate(list(map(str, paths)), profile="strict-xsd", max_examples=0)
    assert not report.unreadable
    wrong = {finding.document_id for finding in report.findings if finding.severity is Severity.ERROR}
    return [number not in wrong for number in range(len(documents))]


def test_profile_and_libxml2_agree(
    pytestconfig: pytest.Config, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    schema = load(SCHEMAS)
    total = number_of_documents(pytestconfig)
    tally: Counter[str] = Counter(cases=total)
    for first in range(0, total, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, total))
        documents = [document_of(number) for number in numbers]
        for number, document, ours in zip(numbers, documents, accepted_by_profile(documents, tmp_path), strict=True):
            theirs = accepted_as_tree(document, schema)
            tally["valid"] += theirs
            if ours != theirs:
                reading = read(document, hash=False)
                excuse = next((one.__name__ for one in DIFFERENCES_OF_SCHEMAS if one(document, reading)), None)
                assert excuse, f"case {number}: strict-xsd says {ours}, libxml2 says {theirs}\n{document!r}"
                tally[excuse] += 1
    for what, count in tally.items():
        record_property(what, count)
    print(dict(tally))  # noqa: T201 - the count of the differences, for who asks for it with -s
    if total >= 1_000:
        assert 0.15 * total < tally["valid"] < 0.5 * total, tally
        assert tally["in_well_formedness"] + tally["in_entity_declared_elsewhere"] < total / 500, tally


def test_stream_and_tree_agree(pytestconfig: pytest.Config) -> None:
    """What holds documents against the schemas piece by piece says what libxml2 says of them as trees."""
    schema = load(SCHEMAS)
    for number in range(number_of_documents(pytestconfig)):
        document = document_of(number)
        stream, tree = accepted_as_stream(document, schema), accepted_as_tree(document, schema)
        assert stream == tree, f"case {number}: as stream {stream}, as tree {tree}\n{document!r}"
