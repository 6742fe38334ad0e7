"""The JSON Schema of `urlset.toml`, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import inspect, json

from urlset.options.auditing import KeyedOptions
from urlset.options.build_file import in_file
from urlset.options.building import IndexSpec, LlmsSpec, RemoteSitemap, SiteOptions
from urlset.options.convert import arguments_of, kind, record_of
from urlset.options.declare import NETWORK
from urlset.options.sources import KINDS
from urlset.options.values import REQUIRED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from urlset.options.declare import Option

DIALECT = "http://json-schema.org/draft-07/schema#"
"""The newest draft that all editors and SchemaStore support."""

ID = "https://json.schemastore.org/urlset.json"
"""The URL of the schema in SchemaStore."""


def schema() -> dict[str, object]:
    """Return the JSON Schema (draft 7) of the configuration file, as SchemaStore accepts it."""
    keyed = in_file(KeyedOptions)
    top = _table([option for option in keyed if not option.group.TABLE])
    properties = top["properties"]
    assert isinstance(properties, dict)
    for name in sorted({option.group.TABLE for option in keyed} - {""}):
        properties[name] = _table([option for option in keyed if name == option.group.TABLE])
    properties[NETWORK] = _table([option for option in keyed if option.setting != option.path])
    properties["build"] = _build()
    about = "Configuration of urlset, which builds, validates, repairs, and audits XML sitemaps."
    return {"$schema": DIALECT, "$id": ID, "title": "urlset.toml", "description": about, **top}


def _build() -> dict[str, object]:
    """Return the schema of the table `[build]`, with its sites, sources, index, and llms.txt."""
    common = in_file(SiteOptions)
    sources = {"type": "array", "minItems": 1, "items": {"oneOf": [_table(in_file(kind)) for kind in KINDS.values()]}}
    site = _table(common, source=sources)
    whole = _table(common, source=sources)
    site["required"] = ["source"]
    index = _table(in_file(IndexSpec))
    properties = whole["properties"]
    assert isinstance(properties, dict)
    properties["site"] = {"type": "array", "items": site}
    # `index` is either an option on the index of the parts, or the table of an index over all sites.
    properties["index"] = {"anyOf": [properties["index"], index]}
    properties["llms"] = _table(in_file(LlmsSpec))
    return whole


def _table(options: Iterable[Option], **more: object) -> dict[str, object]:
    listed = list(options)
    needed = [option.key for option in listed if option.default is REQUIRED]
    table: dict[str, object] = {
        "type": "object",
        "additionalProperties": False,
        "properties": {**{option.key: _property(option) for option in listed}, **more},
    }
    return table | ({"required": needed} if needed else {})


def _property(option: Option) -> dict[str, object]:
    text = " ".join(filter(None, (f"{option.facts.help}.", option.facts.more)))
    property_schema: dict[str, object] = {"description": text}
    if (record := record_of(option.annotation)) is not None:
        items = _table(in_file(record))
        if record is RemoteSitemap:
            items = {"anyOf": [{"type": "string"}, items]}
        return property_schema | {"type": "array", "items": items}
    property_schema |= _type(option.annotation)
    if option.default not in (None, REQUIRED, (), {}, "") and not option.facts.secret:
        property_schema["default"] = _to_plain(option.default)
    return property_schema


def _type(annotation: object) -> dict[str, object]:
    info = kind(annotation)
    if isinstance(info, inspect.EnumType):
        return {"enum": [member.value for member in info.cls]}
    if isinstance(info, inspect.VarTupleType):
        return {"type": "array", "items": _type(arguments_of(annotation)[0])}
    if isinstance(info, inspect.DictType):
        return {"type": "object", "additionalProperties": _type(arguments_of(annotation)[1])}
    if isinstance(info, inspect.CustomType):
        return {"type": "string"}
    type_schema = json.schema(annotation)
    alternatives = [alternative for alternative in type_schema.get("anyOf", ()) if alternative != {"type": "null"}]
    if len(alternatives) > 1:
        return {"anyOf": alternatives}
    return alternatives[0] if alternatives else type_schema


def _to_plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_to_plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value
