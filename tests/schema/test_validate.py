"""Documents held against schemas: verdicts, lines, bounds, and nothing opened that the document names."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

import urlset
from urlset.errors import ConfigError, MissingExtraError
from urlset.model.schema import SchemaStatus, SchemaVerdict
from urlset.options import FailOn
from urlset.schema.inflate import Inflate
from urlset.schema.libxml2 import MAX_FAULTS, MAX_IN_TREE, Validator
from urlset.schema.load import load

from .conftest import HEAD, IMAGE, SITEMAP

OPEN = f'<urlset xmlns="{SITEMAP}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
GOOD = f"{OPEN}<url><loc>https://example.com/</loc></url>\n</urlset>".encode()
BAD = f"{OPEN}<url>\n<loc>https://example.com/</loc>\n<priority>high</priority>\n</url>\n</urlset>".encode()
IMAGES = f"{OPEN}<url><loc>https://example.com/</loc><image:image/></url></urlset>".encode()
INDEX = f'<sitemapindex xmlns="{SITEMAP}"><sitemap><loc>https://example.com/</loc></sitemap></sitemapindex>'.encode()


def verdict(document: object, schemas: Path, **options: object) -> SchemaVerdict:
    report = urlset.validate(document, xsd=schemas, select=["XML"], **options)  # type: ignore[arg-type]
    assert report.schema is not None
    return report.schema[0]


@pytest.mark.parametrize("packed", [0, 1, 2])
@pytest.mark.parametrize("document", [GOOD, INDEX, b"\xef\xbb\xbf" + GOOD, GOOD.decode().encode("utf-16")])
def test_valid(document: bytes, packed: int, schemas: Path) -> None:
    for _ in range(packed):
        document = gzip.compress(document)
    assert verdict(document, schemas) == SchemaVerdict(0, SchemaStatus.VALID)


def test_invalid_with_line_and_message(schemas: Path) -> None:
    found = verdict(BAD, schemas)
    assert (found.status, found.total, found.faults[0].line) == (SchemaStatus.INVALID, 1, 4)
    assert "priority" in found.faults[0].message
    assert SITEMAP not in found.faults[0].message


def test_every_way_that_bytes_come(schemas: Path, tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(BAD)
    assert verdict(path, schemas) == verdict(BAD, schemas) == verdict(io.BytesIO(BAD), schemas)
    stream = io.BytesIO(BAD)
    verdict(stream, schemas)
    assert not stream.closed


def test_lines_beyond_what_a_node_can_hold_and_exact_totals(schemas: Path) -> None:
    filler = "<url><loc>https://example.com/</loc></url>\n" * 70_000
    bad = "<url><loc>https://example.com/</loc><priority>x</priority></url>\n" * 300
    found = verdict(f"{OPEN}{filler}{bad}</urlset>".encode(), schemas)
    assert [fault.line for fault in found.faults] == list(range(70_002, 70_002 + MAX_FAULTS))
    assert found.total == 300


def test_not_well_formed_with_and_without_messages_before(schemas: Path) -> None:
    for doctype in ("", "<!DOCTYPE urlset>"):
        plain = verdict(f"{doctype}{OPEN}\n\n<url>&</url></urlset>".encode(), schemas)
        assert [fault.line for fault in plain.faults] == [4]
        assert plain.total == 1
        assert "not well-formed" in plain.faults[0].message
    after = verdict(BAD.replace(b"</urlset>", b"&</urlset>"), schemas)
    assert after.total == 2
    assert "not well-formed" in after.faults[1].message
    assert "priority" not in after.faults[1].message


def test_a_message_quotes_no_more_than_a_person_reads(schemas: Path) -> None:
    found = verdict(BAD.replace(b"high", b"h" * 100_000), schemas)
    assert len(found.faults[0].message) == 500


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_cut_off_gzip_is_never_valid(cut: int, schemas: Path) -> None:
    found = verdict(gzip.compress(GOOD)[:-cut], schemas)
    assert found.status is SchemaStatus.INVALID
    assert "gzip" in found.faults[-1].message


def test_what_follows_gzip(schemas: Path) -> None:
    assert verdict(gzip.compress(GOOD) + b"\0" * 300_000, schemas).status is SchemaStatus.VALID
    halves = gzip.compress(GOOD[:50]) + gzip.compress(GOOD[50:])
    assert verdict(halves, schemas).status is SchemaStatus.VALID


def test_beyond_the_bound_is_not_called_valid(schemas: Path) -> None:
    big = GOOD.replace(b"</urlset>", b" " * 3_000_000 + b"</urlset>")
    for document in (big, gzip.compress(big), io.BytesIO(big)):
        found = verdict(document, schemas, max_document_bytes=1_000_000)
        assert found.status is SchemaStatus.UNCHECKED
        assert found.reason is not None
        assert "exceeds the size limit" in found.reason


def test_entities_are_never_expanded(schemas: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("1")
    for declared in ('"0.5"', f'SYSTEM "{secret.as_uri()}"'):
        doctype = f"<!DOCTYPE urlset [<!ENTITY a {declared}>]>"
        document = doctype.encode() + BAD.replace(b"high", b"&a;")
        found = verdict(document, schemas)
        assert found.status is SchemaStatus.INVALID
        assert "entities are never expanded" in found.faults[0].message
    assert verdict(b"<!DOCTYPE urlset>" + GOOD, schemas).status is SchemaStatus.VALID
    late = b"<!--" + b"x" * 100_000 + b"--><!DOCTYPE urlset>" + GOOD
    assert verdict(late, schemas).status is SchemaStatus.UNCHECKED
    large = b"<!DOCTYPE urlset>" + GOOD + b" " * MAX_IN_TREE
    assert verdict(large, schemas).status is SchemaStatus.UNCHECKED


def test_the_document_names_no_schema(schemas: Path) -> None:
    (schemas.parent / "q.xsd").write_text(HEAD.format("urn:q") + '<xs:element name="q"/></xs:schema>')
    location = (
        f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:q {schemas.parent}/q.xsd"'
    )
    document = OPEN.replace(">", f" {location}>") + '<url><loc>https://e.com/</loc><q xmlns="urn:q"/></url></urlset>'
    assert "No matching global element" in verdict(document.encode(), schemas).faults[0].message


def test_extensions_as_far_as_their_schemas_are_there(schemas: Path) -> None:
    assert verdict(IMAGES, schemas).status is SchemaStatus.INVALID
    (schemas / "sitemap-image.xsd").write_text(IMAGE)
    assert verdict(IMAGES, schemas).status is SchemaStatus.VALID


@pytest.mark.parametrize("location", ["http://127.0.0.1:9/y.xsd", "/etc/hostname", "../y.xsd"])
def test_schemas_import_nothing_from_outside(location: str, schemas: Path) -> None:
    (schemas.parent / "y.xsd").write_text("no schema, and not to be opened")
    importing = f'<xs:import namespace="urn:y" schemaLocation="{location}"/><xs:element name="image"/></xs:schema>'
    (schemas / "sitemap-image.xsd").write_text(IMAGE.replace('<xs:element name="image"/></xs:schema>', importing))
    assert verdict(IMAGES, schemas).status is SchemaStatus.VALID


def test_schemas_that_cannot_be_used(schemas: Path) -> None:
    def refusal() -> str:
        with pytest.raises(ConfigError) as caught:
            load(schemas)
        return str(caught.value)

    with pytest.raises(ConfigError, match="no such file or directory"):
        load(schemas / "gone")
    (schemas / "a.xsd").write_text(IMAGE)
    (schemas / "b.xsd").write_text(IMAGE)
    assert "both describe" in refusal()
    (schemas / "b.xsd").write_text("<a>")
    assert "b.xsd: not well-formed XML" in refusal()
    (schemas / "b.xsd").write_text("<a/>")
    assert "not an XML schema" in refusal()
    (schemas / "b.xsd").write_text(HEAD.format("urn:b") + '<xs:include schemaLocation="/etc/passwd"/></xs:schema>')
    assert "cannot be used" in refusal()
    (schemas / "b.xsd").unlink()
    (schemas / "sitemap.xsd").write_text(IMAGE)
    assert "not a schema for" in refusal()
    (schemas / "sitemap.xsd").unlink()
    (schemas / "siteindex.xsd").unlink()
    assert "contains neither sitemap.xsd nor siteindex.xsd" in refusal()


def test_without_lxml(schemas: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("lxml", "urlset.schema"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "lxml", None)
    with pytest.raises(MissingExtraError, match=r"urlset\[xsd\]"):
        urlset.validate(GOOD, xsd=schemas)


def test_what_is_no_xml_sitemap_is_not_held_against_them(schemas: Path) -> None:
    for document in (b"https://example.com/\n", b'<rss version="2.0"><channel/></rss>', b"<!doctype html><p>x"):
        assert urlset.validate(document, xsd=schemas).schema == ()
    assert urlset.validate(GOOD).schema is None
    assert verdict(b"<other/>", schemas).status is SchemaStatus.INVALID


def test_not_valid_fails_like_an_error(schemas: Path) -> None:
    report = urlset.validate(b"<?xml version='1.0'?>" + BAD, xsd=schemas, select=["XML"])
    assert not report.findings
    assert [report.fails(fail_on) for fail_on in FailOn] == [fail_on is not FailOn.NEVER for fail_on in FailOn]
    assert not urlset.validate(GOOD, xsd=schemas, select=["XML"]).fails(FailOn.INFO)


@pytest.mark.long("slow cases")
def test_a_large_document_keeps_its_verdict(schemas: Path) -> None:
    entry = "<url><loc>https://example.com/</loc></url>\n"
    for document in (GOOD, BAD):
        large = document.replace(b"</urlset>", entry.encode() * 260_000 + b"</urlset>")
        assert verdict(large, schemas).total == verdict(document, schemas).total


@pytest.mark.parametrize("size", [1, 2, 3, 17, 1000])
def test_pieces_of_any_size(size: int, schemas: Path) -> None:
    schema = load(schemas)
    for document in (GOOD, BAD, gzip.compress(BAD), gzip.compress(gzip.compress(BAD)), BAD[:-9]):
        outcomes = []
        for step in (len(document), size):
            validator = Validator(schema, 1_000_000)
            for at in range(0, len(document), step):
                validator.feed(document[at : at + step])
            validator.feed(b"")
            outcomes.append(validator.verdict(0))
        assert outcomes[0] == outcomes[1]


def test_a_bomb_comes_in_pieces() -> None:
    bomb = gzip.compress(gzip.compress(b"\0" * 20_000_000))
    pieces = Inflate()(bomb)
    assert max(len(next(pieces)) for _ in range(100)) <= 64 * 1024
