"""One schema instead of a folder with both: a file, or a folder with one of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.errors import ConfigError
from urlset.model.schema import SchemaStatus
from urlset.schema.load import load

from .conftest import HEAD, IMAGE, SITEMAP
from .test_validate import BAD, GOOD, IMAGES, INDEX, verdict


@pytest.mark.parametrize("alone", [True, False])
def test_a_file_is_a_schema(schemas: Path, alone: bool) -> None:
    if alone:
        (schemas / "siteindex.xsd").unlink()
    place = schemas / "sitemap.xsd"
    assert verdict(GOOD, place).status is SchemaStatus.VALID
    found = verdict(BAD, place)
    assert (found.status, found.faults[0].line) == (SchemaStatus.INVALID, 4)
    found = verdict(INDEX, place)
    assert found.status is SchemaStatus.INVALID
    assert "'sitemapindex': No matching global declaration" in found.faults[0].message


@pytest.mark.parametrize("name", ["sitemap.xsd", "siteindex.xsd"])
def test_a_folder_with_one_of_the_two(schemas: Path, name: str) -> None:
    (schemas / name).unlink()
    kept, other = (INDEX, GOOD) if name == "sitemap.xsd" else (GOOD, INDEX)
    assert verdict(kept, schemas).status is SchemaStatus.VALID
    assert verdict(other, schemas).status is SchemaStatus.INVALID
    (schemas / ("siteindex.xsd" if name == "sitemap.xsd" else "sitemap.xsd")).unlink()
    with pytest.raises(ConfigError, match=r"contains neither sitemap\.xsd nor siteindex\.xsd; download them from"):
        load(schemas)


def test_a_file_brings_what_it_imports_from_its_folder_and_nothing_else(schemas: Path, tmp_path: Path) -> None:
    image = "http://www.google.com/schemas/sitemap-image/1.1"
    main_schema = schemas / "mine.xml"
    text = (
        (schemas / "sitemap.xsd")
        .read_text()
        .replace(
            HEAD.format(SITEMAP),
            HEAD.format(SITEMAP) + f'<xs:import namespace="{image}" schemaLocation="https://example.com/image.xsd"/>',
        )
    )
    main_schema.write_text(text)
    assert verdict(IMAGES, main_schema).status is SchemaStatus.INVALID
    (schemas / "image.xsd").write_text(IMAGE)
    assert verdict(IMAGES, main_schema).status is SchemaStatus.VALID
    (schemas / "image.xsd").unlink()
    (tmp_path / "image.xsd").write_text(IMAGE)
    main_schema.write_text(text.replace("https://example.com/image.xsd", "../image.xsd"))
    assert verdict(IMAGES, main_schema).status is SchemaStatus.INVALID
    main_schema.write_text("<a")
    with pytest.raises(ConfigError, match=r"mine\.xml: not well-formed XML"):
        load(main_schema)


def test_schemas_that_include_each_other_end(schemas: Path) -> None:
    for name, other in (("a.xsd", "b.xsd"), ("b.xsd", "a.xsd")):
        (schemas / name).write_text(HEAD.format(SITEMAP) + f'<xs:include schemaLocation="{other}"/></xs:schema>')
    load(schemas / "a.xsd")


def test_the_option_and_the_key(schemas: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    shutil.copy(schemas / "sitemap.xsd", "one.xsd")
    Path("good.xml").write_bytes(GOOD)
    Path("bad.xml").write_bytes(BAD.replace(b"high", b"0.5</priority><priority>0.4"))
    assert main(["validate", "good.xml", "--xsd", "one.xsd"]) == 0
    assert main(["validate", "bad.xml", "--xsd", "one.xsd", "--select", "XML"]) == 1
    Path("urlset.toml").write_text('xsd = "one.xsd"\n')
    assert main(["validate", "bad.xml", "--select", "XML"]) == 1
