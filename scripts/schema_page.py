"""Generate the page of the JSON reports: every name in them, from their JSON Schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from urlset.report.json_schema import names, schema

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[str, str, str]


def schema_page() -> Iterator[str]:
    """Yield the names of each JSON format."""
    yield "# JSON reports"
    yield ""
    yield "The output of `--format json`. `urlset help json COMMAND` prints its schema, with which tests validate it."
    yield "Within a version, names may be added, but not removed or changed in meaning."
    for command in names():
        whole = schema(command)
        yield ""
        yield f"## urlset {command}"
        yield ""
        yield f"`urlset help json {command}`: {whole['description']}"
        yield ""
        yield "| name | type | content |"
        yield "|---|---|---|"
        for name, kind, about in rows_of(whole, whole, ""):
            yield f"| `{name}` | {kind} | {about} |"


def rows_of(schema: dict[str, Any], whole: dict[str, Any], prefix: str) -> Iterator[Row]:
    """Yield a row for each name below a schema; `[]` is any item of an array, `*` any name."""
    # If a value may be one item or several, the page shows one.
    schema = resolved(schema.get("oneOf", [schema])[0], whole)
    named = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), dict):
        named["*"] = schema["additionalProperties"]
    for name, written in named.items():
        each = resolved(written, whole)
        path = f"{prefix}.{name}" if prefix else name
        yield path, kind_of(each, whole), _cell(each.get("description", ""))
        for one in each.get("anyOf", [each]):
            yield from rows_of(one, whole, path)
            if "items" in one:
                yield from rows_of(one["items"], whole, f"{path}[]")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with its reference resolved; the keys next to the reference win."""
    # Schemas that another page describes are not described again.
    if "$ref" not in schema or not schema["$ref"].startswith("#"):
        return schema
    found = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return {**resolved(found, whole), **{name: value for name, value in schema.items() if name != "$ref"}}


def kind_of(schema: dict[str, Any], whole: dict[str, Any]) -> str:
    """Return the type in words."""
    schema = resolved(schema, whole)
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(kind_of(each, whole) for each in schema["anyOf"])
    kinds = schema.get("type", "any")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
