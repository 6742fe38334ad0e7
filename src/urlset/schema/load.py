"""Load XML schemas, from a directory or a single file. No other file is ever opened."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from urlset.errors import ConfigError, reason_of, requiring_extra
from urlset.files.bounded import FileTooLargeError, read_file
from urlset.files.repository_links import LEADS_OUT, leads_out

with requiring_extra("xsd", "XML schema validation requires"):
    from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

REQUIRED = ("sitemap.xsd", "siteindex.xsd")
"""The required files, by their names on sitemaps.org."""

WHERE_FROM = "https://www.sitemaps.org/schemas/sitemap/0.9/"
"""The URL at which they are published."""

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"

MAX_FILES = 100
"""Maximum schemas in a directory; there are five official ones."""

MAX_BYTES = 4 * 1024 * 1024
"""Maximum size of a schema; the largest official one is 25 KiB."""

_XSD = "{http://www.w3.org/2001/XMLSchema}"
_SCHEME = "urlset-schema:"
"""Scheme of file names of the directory, so that libxml2 requests them from our resolver."""


def libxml2_version() -> str:
    """Return the version of libxml2 that lxml uses."""
    return ".".join(map(str, etree.LIBXML_VERSION))


def load(place: Path) -> etree.XMLSchema:
    """Compile the schema of a file, or the schemas of a directory into one.

    In a directory, `sitemap.xsd` and `siteindex.xsd` describe the two document types, and at least one is required. Any
    other `.xsd` file declares the elements of its namespace, which the first two require. A single file is independent.
    Imports are resolved in the directory, or omitted if the file is missing; the network and other files are not used.

    Raises:
        ConfigError: There is no schema, a file is not a schema, or two files describe the same namespace.
    """
    return _load_file(place) if place.is_file() else _load_folder(place)


def _load_file(path: Path) -> etree.XMLSchema:
    trees: dict[str, etree._Element] = {}
    waiting = [path.name]
    while waiting:
        name = waiting.pop()
        if name in trees or not (path.parent / name).is_file():
            continue
        if len(trees) >= MAX_FILES:
            raise ConfigError(f"{path}: requires more than {MAX_FILES} other schemas")
        trees[name] = _tree(path.parent / name)
        waiting += _locations(trees[name])
    for tree in trees.values():
        _keep_inside(tree, trees.keys())
    return _compile(etree.tostring(trees[path.name]), trees, path)


def _load_folder(folder: Path) -> etree.XMLSchema:
    trees = {path.name: _tree(path) for path in _files(folder)}
    namespaces: dict[str, str] = {}
    for name, tree in trees.items():
        if name in REQUIRED:
            if tree.get("targetNamespace") != SITEMAP:
                raise ConfigError(f"{folder / name}: not a schema for {SITEMAP}; download it from {WHERE_FROM}{name}")
            continue
        namespace = str(tree.get("targetNamespace") or "")
        if other := namespaces.get(namespace):
            raise ConfigError(f"{folder}: {other} and {name} both describe the namespace {namespace!r}; remove one")
        if namespace not in ("", SITEMAP):
            namespaces[namespace] = name
    for tree in trees.values():
        _keep_inside(tree, trees.keys())
    return _compile(_driver(namespaces, [name for name in REQUIRED if name in trees]), trees, folder)


def _compile(schema: bytes, trees: Mapping[str, etree._Element], place: Path) -> etree.XMLSchema:
    """Return the compiled schema, which may refer to the others."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    parser.resolvers.add(_InFolder({name: etree.tostring(tree) for name, tree in trees.items()}))
    try:
        return etree.XMLSchema(etree.fromstring(schema, parser))
    except etree.XMLSchemaParseError as error:
        raise ConfigError(f"{place}: cannot be used as a schema: {_first_error(error)}") from None


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise ConfigError(
            f"{folder}: no such file or directory; --xsd takes a schema, or a directory with {' and '.join(REQUIRED)}"
        )
    files = sorted(path for path in folder.iterdir() if path.suffix == ".xsd" and path.is_file())
    if planted := next(filter(leads_out, files), None):
        raise ConfigError(f"{planted}: {LEADS_OUT}")
    names = {path.name for path in files}
    if names.isdisjoint(REQUIRED):
        raise ConfigError(f"{folder}: contains neither {' nor '.join(REQUIRED)}; download them from {WHERE_FROM}")
    if len(files) > MAX_FILES:
        raise ConfigError(f"{folder}: {len(files):,} schemas exceed the limit of {MAX_FILES}")
    return files


def _tree(path: Path) -> etree._Element:
    try:
        content = read_file(path, MAX_BYTES)
    except FileTooLargeError:
        raise ConfigError(f"{path}: larger than {MAX_BYTES:,} bytes, the limit for a schema") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {reason_of(error)}") from None
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        tree: etree._Element = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise ConfigError(f"{path}: not well-formed XML: {error}") from None
    if tree.tag != f"{_XSD}schema":
        raise ConfigError(f"{path}: not an XML schema: its root element is not xs:schema")
    return tree


def _keep_inside(tree: etree._Element, names: Collection[str]) -> None:
    """Redirect every reference to another schema to a file of the directory, or remove its location.

    XML Schema allows an import without a location. Elements of its namespace are then undeclared, and libxml2 reports
    where they occur.
    """
    for element in tree.iter(f"{_XSD}import", f"{_XSD}include", f"{_XSD}redefine", f"{_XSD}override"):
        location = element.get("schemaLocation")
        if location is None:
            continue
        name = _name(str(location))
        if name not in names and element.tag == f"{_XSD}import":
            del element.attrib["schemaLocation"]
        else:
            element.set("schemaLocation", _SCHEME + name)


def _locations(tree: etree._Element) -> list[str]:
    """Return the names of the files that a schema refers to."""
    found = tree.iter(f"{_XSD}import", f"{_XSD}include", f"{_XSD}redefine", f"{_XSD}override")
    locations = [element.get("schemaLocation") for element in found]
    return [_name(str(location)) for location in locations if location is not None]


def _name(location: str) -> str:
    return location.replace("\\", "/").rpartition("/")[2]


def _driver(namespaces: dict[str, str], required: Collection[str]) -> bytes:
    """Return a schema that includes and imports all others; the two sitemap schemas share a namespace but no name."""
    imports = "".join(
        f"<xs:import namespace={quoteattr(namespace)} schemaLocation={quoteattr(_SCHEME + name)}/>"
        for namespace, name in namespaces.items()
    )
    includes = "".join(f"<xs:include schemaLocation={quoteattr(_SCHEME + name)}/>" for name in required)
    return (
        f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{SITEMAP}">{imports}{includes}'
        "</xs:schema>"
    ).encode()


class _InFolder(etree.Resolver):
    """Resolves the files that were read; anything else is empty and thus not a schema."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def resolve(self, system_url: str, public_id: str, context: object) -> object:  # type: ignore[override]  # noqa: ARG002
        name = (system_url or "").removeprefix(_SCHEME)
        return self.resolve_string(self._files.get(name, b""), context, base_url=system_url)


def _first_error(error: etree.XMLSchemaParseError) -> str:
    messages = [f"{entry.filename.removeprefix(_SCHEME)}: {entry.message}" for entry in error.error_log]
    return messages[0] if messages else str(error)
