"""The JSON Schema of urlset.toml is one that SchemaStore accepts, and it accepts the files that urlset accepts."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, ValidationError

from urlset.options.editor_schema import DIALECT, ID, schema

ROOT = Path(__file__).parents[2]
WHOLE: dict[str, Any] = json.loads(json.dumps(schema()))
HOW_TO = (ROOT / "docs" / "how-to" / "configure.md").read_text(encoding="utf-8")
FILES = sorted((ROOT / "examples").rglob("urlset.toml"))


def test_it_is_a_valid_schema_with_the_address_of_schemastore() -> None:
    Draft7Validator.check_schema(WHOLE)
    assert (WHOLE["$schema"], WHOLE["$id"]) == (DIALECT, ID)
    assert WHOLE["title"]
    assert WHOLE["description"]


def test_each_schema_node_states_one_type_that_its_keywords_belong_to() -> None:
    # What Ajv checks in strict mode (https://ajv.js.org/strict-mode.html), which SchemaStore requires.
    keywords = {
        "properties": ("object",),
        "additionalProperties": ("object",),
        "items": ("array",),
        "minItems": ("array",),
        "minimum": ("integer", "number"),
        "exclusiveMinimum": ("integer", "number"),
    }

    def check(node: dict[str, Any], path: str) -> None:
        for keyword, kinds in keywords.items():
            assert keyword not in node or node.get("type") in kinds, f"{path}: {keyword}"
        assert set(node.get("required", ())) <= node.get("properties", {}).keys(), path
        for name, child in node.get("properties", {}).items():
            check(child, f"{path}.{name}")
        for child in [
            node.get("items"),
            node.get("additionalProperties"),
            *node.get("anyOf", ()),
            *node.get("oneOf", ()),
        ]:
            if isinstance(child, dict):
                check(child, f"{path}[]")

    check(WHOLE, "")


def test_there_are_files_to_check() -> None:
    assert FILES


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_it_accepts_the_examples(file: Path) -> None:
    Draft7Validator(WHOLE).validate(tomllib.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", HOW_TO, re.DOTALL), ids=lambda block: block[:20])
def test_it_accepts_the_files_of_the_guide(block: str) -> None:
    Draft7Validator(WHOLE).validate(tomllib.loads(block))


@pytest.mark.parametrize(
    "text", ['profil = "google"', 'profile = "altavista"', "max-warnings = -1", "[limits]\nmax-entries = true"]
)
def test_it_refuses_what_urlset_refuses(text: str) -> None:
    with pytest.raises(ValidationError):
        Draft7Validator(WHOLE).validate(tomllib.loads(text))
