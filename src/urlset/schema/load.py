"""Loads XML schemas: those of a folder as one, or a single file. Nothing outside of their folder is ever opened."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from urlset.bounded import FileTooLargeError, read_whole
from urlset.errors import ConfigError, MissingExtraError, reason_of

try:
    from lxml import etree
except ImportError as error:
    raise MissingExtraError(
        "validating against XML schemas needs lxml, which is not installed: pip install 'urlset[xsd]'"
    ) from error

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

REQUIRED = ("sitemap.xsd", "siteindex.xsd")
"""The files that must be there, as sitemaps.org names them."""

WHERE_FROM = "https://www.sitemaps.org/schemas/sitemap/0.9/"
"""Where they are published."""

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"

MOST_FILES = 100
"""Schemas of a folder that are read, at most: the official ones are five."""

MOST_BYTES = 4 * 1024 * 1024
"""Size of one schema, at most: the largest official one has 25 KiB."""

_XSD = "{http://www.w3.org/2001/XMLSchema}"
_SCHEME = "urlset-schema:"
"""Stands before the name of a file of the folder, so that libxml2 asks us for it and for nothing else."""


def load(place: Path) -> etree.XMLSchema:
    """Compiles the schema of a file, or those of a folder into one.

    In a folder, `sitemap.xsd` and `siteindex.xsd` describe the two documents, and one of them will do; any other `.xsd`
    there describes the elements of its own namespace, which the former demand a declaration of. A file stands alone.
    What a schema wants to import is taken from the folder or, if it is not there, left out: no network and no file
    elsewhere.

    Raises:
        ConfigError: There is no schema, a file is no schema, or two describe one namespace.
    """
    return _load_file(place) if place.is_file() else _load_folder(place)


def _load_file(path: Path) -> etree.XMLSchema:
    trees: dict[str, etree._Element] = {}
    waiting = [path.name]
    while waiting:
        name = waiting.pop()
        if name in trees or not (path.parent / name).is_file():
            continue
        if len(trees) >= MOST_FILES:
            raise ConfigError(f"{path}: needs more than {MOST_FILES} other schemas")
        trees[name] = _tree(path.parent / name)
        waiting += _locations(trees[name])
    for tree in trees.values():
        _keep_inside(tree, trees.keys())
    return _compiled(etree.tostring(trees[path.name]), trees, path)


def _load_folder(folder: Path) -> etree.XMLSchema:
    trees = {path.name: _tree(path) for path in _files(folder)}
    namespaces: dict[str, str] = {}
    for name, tree in trees.items():
        if name in REQUIRED:
            if tree.get("targetNamespace") != SITEMAP:
                raise ConfigError(
                    f"{folder / name}: it is no schema of {SITEMAP}; take the one from {WHERE_FROM}{name}"
                )
            continue
        namespace = str(tree.get("targetNamespace") or "")
        if other := namespaces.get(namespace):
            raise ConfigError(f"{folder}: {other} and {name} both describe the namespace {namespace!r}; remove one")
        if namespace not in ("", SITEMAP):
            namespaces[namespace] = name
    for tree in trees.values():
        _keep_inside(tree, trees.keys())
    return _compiled(_driver(namespaces, [name for name in REQUIRED if name in trees]), trees, folder)


def _compiled(schema: bytes, trees: Mapping[str, etree._Element], place: Path) -> etree.XMLSchema:
    """The schema, which may refer to the others."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    parser.resolvers.add(_InFolder({name: etree.tostring(tree) for name, tree in trees.items()}))
    try:
        return etree.XMLSchema(etree.fromstring(schema, parser))
    except etree.XMLSchemaParseError as error:
        raise ConfigError(f"{place}: cannot be used as a schema: {_first(error)}") from None


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise ConfigError(
            f"{folder}: no such file or folder; --xsd takes a schema, or a folder with {' and '.join(REQUIRED)}"
        )
    files = sorted(path for path in folder.iterdir() if path.suffix == ".xsd" and path.is_file())
    names = {path.name for path in files}
    if names.isdisjoint(REQUIRED):
        raise ConfigError(f"{folder}: neither {' nor '.join(REQUIRED)} is there; they are published at {WHERE_FROM}")
    if len(files) > MOST_FILES:
        raise ConfigError(f"{folder}: {len(files):,} schemas are too many; there may be {MOST_FILES}")
    return files


def _tree(path: Path) -> etree._Element:
    try:
        content = read_whole(path, MOST_BYTES)
    except FileTooLargeError:
        raise ConfigError(f"{path}: larger than {MOST_BYTES:,} bytes, which no schema of a sitemap is") from None
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
    """Makes every reference to another schema one to a file of the folder, or takes its address away.

    An import without address leaves it open where the declarations are, which XML Schema allows; without them elements
    of that namespace are not declared, and that is then said where one stands.
    """
    for element in tree.iter(f"{_XSD}import", f"{_XSD}include", f"{_XSD}redefine", f"{_XSD}override"):
        location = element.get("schemaLocation")
        if location is None:
            continue
        name = _name(str(location))
        if name in names:
            element.set("schemaLocation", _SCHEME + name)
        elif element.tag == f"{_XSD}import":
            del element.attrib["schemaLocation"]
        else:
            element.set("schemaLocation", f"{_SCHEME}{name}")


def _locations(tree: etree._Element) -> list[str]:
    """The names of the files that a schema refers to."""
    found = tree.iter(f"{_XSD}import", f"{_XSD}include", f"{_XSD}redefine", f"{_XSD}override")
    locations = [element.get("schemaLocation") for element in found]
    return [_name(str(location)) for location in locations if location is not None]


def _name(location: str) -> str:
    return location.replace("\\", "/").rpartition("/")[2]


def _driver(namespaces: dict[str, str], required: Collection[str]) -> bytes:
    """A schema that includes and imports all others; the two of the sitemap share a namespace, and no name in it."""
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
    """Gives the files that were read; anything else is empty, and so no schema."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def resolve(self, system_url: str, public_id: str, context: object) -> object:  # type: ignore[override]  # noqa: ARG002
        name = (system_url or "").removeprefix(_SCHEME)
        return self.resolve_string(self._files.get(name, b""), context, base_url=system_url)


def _first(error: etree.XMLSchemaParseError) -> str:
    messages = [f"{entry.filename.removeprefix(_SCHEME)}: {entry.message}" for entry in error.error_log]
    return messages[0] if messages else str(error)
