"""Write the parts of the API of Search Console that urlset uses, as JSON Schemas for tests.

Usage: python scripts/refresh_search_console.py WHEEL

WHEEL is a wheel of google-api-python-client (Apache-2.0), as from `pip download --no-deps google-api-python-client`.
Names, types, and enumerations are taken over, descriptions are not.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

DOCUMENT = "googleapiclient/discovery_cache/documents/searchconsole.v1.json"
METHODS = {
    "searchconsole.urlInspection.index.inspect",
    *(f"webmasters.{name}" for name in ("searchanalytics.query", "sitemaps.list", "sitemaps.get", "sites.list")),
}
OUTPUT = Path(__file__).parents[1] / "tests" / "coverage" / "search_console.json"
KEPT = ("type", "enum", "items", "properties", "$ref")


def main(wheel: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        document = json.loads(archive.read(DOCUMENT))
    methods = {
        method["id"]: {
            "method": method["httpMethod"],
            "path": f"/{method['path']}",
            **{side: method[side]["$ref"] for side in ("request", "response") if side in method},
        }
        for method in methods_in(document)
        if method["id"] in METHODS
    }
    assert methods.keys() == METHODS, METHODS - methods.keys()
    needed = [name for method in methods.values() for name in (method.get("request"), method["response"]) if name]
    schemas: dict[str, Any] = {}
    while needed:
        name = needed.pop()
        if name not in schemas:
            schemas[name] = schema_of(document["schemas"][name], needed)
            schemas[name]["additionalProperties"] = False
    facts = {"revision": document["revision"], "methods": methods, "$defs": schemas}
    OUTPUT.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n")


def methods_in(resource: dict[str, Any]) -> list[dict[str, Any]]:
    below = [method for child in resource.get("resources", {}).values() for method in methods_in(child)]
    return [*resource.get("methods", {}).values(), *below]


def schema_of(value: dict[str, Any], needed: list[str]) -> dict[str, Any]:
    schema = {key: value[key] for key in KEPT if key in value}
    if "$ref" in schema:
        needed.append(schema["$ref"])
        schema["$ref"] = f"#/$defs/{schema['$ref']}"
    if "items" in schema:
        schema["items"] = schema_of(schema["items"], needed)
    if "properties" in schema:
        schema["properties"] = {name: schema_of(one, needed) for name, one in schema["properties"].items()}
    return schema


if __name__ == "__main__":
    main(sys.argv[1])
