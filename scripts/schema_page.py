"""Generate the page of the JSON reports: every name in them, from the published JSON Schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).resolve().parent.parent / "src" / "urlset" / "report" / "schemas"

Row = tuple[str, str, str]


def schema_page() -> Iterator[str]:
    """Yield the names of each JSON format, with a link to its schema."""
    yield "# JSON reports"
    yield ""
    yield "The output of `--format json`. The schemas ship with the package, and tests validate every report with them."
    yield "Within a version, names may be added, but not removed or changed in meaning."
    for path in sorted(FOLDER.glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        yield ""
        yield f"## urlset {path.name.removesuffix('.schema.json').replace('-', ' ')}"
        yield ""
        yield f"[{path.name}](../../src/urlset/report/schemas/{path.name}). {schema['description']}"
        yield ""
        yield "| name | type | content |"
        yield "|---|---|---|"
        for name, kind, about in rows_of(schema, schema, ""):
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
        yield path, kind_of(each), _cell(each.get("description", ""))
        yield from rows_of(each, whole, path)
        if "items" in each:
            yield from rows_of(each["items"], whole, f"{path}[]")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def resolved(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with its reference resolved; the keys next to the reference win."""
    # Schemas that another page describes are not described again.
    if "$ref" not in schema or not schema["$ref"].startswith("#"):
        return schema
    found = whole["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return {**resolved(found, whole), **{name: value for name, value in schema.items() if name != "$ref"}}


def kind_of(schema: dict[str, Any]) -> str:
    """Return the type in words."""
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(kind_of(each) for each in schema["anyOf"])
    kinds = schema.get("type", "any")
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
