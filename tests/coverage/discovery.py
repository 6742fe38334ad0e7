"""The parts of the discovery document of Search Console that urlset uses; see `scripts/refresh_search_console.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from jsonschema import Draft202012Validator

DOCUMENT = json.loads(Path(__file__).with_name("search_console.json").read_text())

INSPECT = "searchconsole.urlInspection.index.inspect"
QUERY = "webmasters.searchanalytics.query"
LIST_SITEMAPS, GET_SITEMAP = "webmasters.sitemaps.list", "webmasters.sitemaps.get"
LIST_SITES = "webmasters.sites.list"


def check(method: str, side: Literal["request", "response"], value: object) -> None:
    """Validate a request or a response; it must have no members that the document does not know.

    In responses, the API writes some enumerations of the document in lowercase, as in the examples of its reference:
    https://developers.google.com/webmaster-tools/v1/sitemaps
    """
    name = DOCUMENT["methods"][method][side]
    schemas = DOCUMENT["$defs"] if side == "request" else _in_either_case(DOCUMENT["$defs"])
    Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schemas}).validate(value)


def _in_either_case(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    found = {name: _in_either_case(value) for name, value in schema.items()}
    if isinstance(found.get("enum"), list):
        found["enum"] = [*found["enum"], *(value.lower() for value in found["enum"])]
    return found
