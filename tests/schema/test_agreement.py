"""With the official schemas, `--xsd` and `xmllint` come to the same verdict on mutated documents.

The schemas are not ours to ship: URLSET_XSD names a folder with sitemap.xsd and siteindex.xsd. Without it these tests
are skipped, and counted. There are a quarter as many documents as `--mutations` says; a failure names the case, and

    from tests.reader import schema_mutations
    schema_mutations.case(12345)

gives its document again.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lxml import etree
from tests.tiers import SUBJECTS

from urlset.schema.libxml2 import Validator
from urlset.schema.load import load

from ..reader import corpus, libxml2, schema_mutations

SCHEMAS = Path(os.environ.get("URLSET_XSD") or "/nonexistent")
pytestmark = pytest.mark.skipif(not SCHEMAS.is_dir(), reason="URLSET_XSD names no folder")

SHARE = 3
"""One of so many documents is of `corpus`, whose mutations break the XML; the others break what schemas look at."""


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


def test_stream_and_tree_agree(pytestconfig: pytest.Config) -> None:
    """What holds documents against the schemas piece by piece says what libxml2 says of them as trees."""
    schema = load(SCHEMAS)
    for number in range(number_of_documents(pytestconfig)):
        document = document_of(number)
        stream, tree = accepted_as_stream(document, schema), accepted_as_tree(document, schema)
        assert stream == tree, f"case {number}: as stream {stream}, as tree {tree}\n{document!r}"
