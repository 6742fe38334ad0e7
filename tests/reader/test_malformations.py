"""Every malformation seen in the wild, in other projects' issues and in their suites: what is read, and what is noted.

The cases are data, in `malformations/*.toml`. Each has a document, and all that is read from it: the kind, the entries
with their raw values, every anomaly as `[kind, line, column]` (as `[kind]` where it has no place in the text), and
whether the document is well-formed and complete. Keys of a case:

* `document`: the text. `<urlset@ image>` stands for the start tag with its namespaces.
* `encode`: the encoding it is written in (UTF-8); `bom`: whether with a byte order mark.
* `base64`: bytes instead of text.
* `before`, `after`: bytes in hexadecimal put before and behind it.
* `gzip`: a list of steps that pack it, see `PACKERS`.
* `entries`, `anomalies`, `kind`, `well_formed`, `complete`: what is read, in full. `complete` is true if left out.
* `images`, `videos`, `news`, `alternates`: rows without their places; none if left out. Null in a list is "(absent)".
* `facts`: some more facts.
"""

from __future__ import annotations

import base64
import gzip
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cases import case_table

from urlset import _core

from .corpus import IMAGE, NEWS, SITEMAP, VIDEO, XHTML
from .reading import Reading, Row, read

CASES = Path(__file__).parent / "malformations"
NAMESPACES = {"image": IMAGE, "video": VIDEO, "news": NEWS, "xhtml": XHTML}
ENTRY_COLUMNS = ("loc", "lastmod", "changefreq", "priority", "repeats")
DERIVED = re.compile(r"_(problem|value|at|precision|hash|host)$")
PLACES = ("document_id", "ordinal", "position", "line", "col", "field_names", "field_lines", "field_cols")

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "pack": lambda data: gzip.compress(data, mtime=0),
    "in two members": lambda data: gzip.compress(data[:50], mtime=0) + gzip.compress(data[50:], mtime=0),
    "without the trailer": lambda data: data[:-8],
    "cut in the middle": lambda data: data[: len(data) // 2],
    "header alone": lambda data: data[:10],
    "magic alone": lambda data: data[:2] + b"this is no deflate data",
    "wrong checksum": lambda data: data[:-8] + bytes(byte ^ 0xFF for byte in data[-8:-4]) + data[-4:],
    "with padding": lambda data: data + b"\0" * 512,
    "with a comment behind": lambda data: data + b"<!-- Cached by a plugin -->",
    "with a newline behind": lambda data: data + b"\n",
}


def load() -> list[tuple[str, dict[str, Any]]]:
    """Every case, with the file and name to call it by."""
    return [
        (f"{path.stem}: {case['name']}", case)
        for path in sorted(CASES.glob("*.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    ]


def document_of(case: dict[str, Any]) -> bytes:
    if "base64" in case:
        data = base64.b64decode(case["base64"])
    else:
        text = re.sub(r"<([\w:]+)@((?: \w+)*)>", start_tag, case["document"])
        codec = case.get("encode", "utf-8")
        data = ("\ufeff" * case.get("bom", False) + text).encode(codec)
    data = bytes.fromhex(case.get("before", "")) + data + bytes.fromhex(case.get("after", ""))
    for step in case.get("gzip", []):
        data = PACKERS[step](data)
    return data


def start_tag(match: re.Match[str]) -> str:
    extensions = "".join(f' xmlns:{name}="{NAMESPACES[name]}"' for name in match[2].split())
    return f'<{match[1]} xmlns="{SITEMAP}"{extensions}>'


def present(row: Row, columns: tuple[str, ...]) -> Row:
    return {column: row[column] for column in columns if row.get(column) is not None}


def records(reading: Reading, table: str) -> list[Row]:
    """Rows without their places and without what is derived from other columns. TOML has no null for a list."""
    own = (name for name in _core.reader_schemas()[table].column_names if name not in PLACES)
    columns = tuple(name for name in own if not DERIVED.search(name))
    rows = [present(row, columns) for row in reading[table]]
    for row in rows:
        for name, value in row.items():
            if isinstance(value, list):
                row[name] = ["(absent)" if one is None else one for one in value]
    return rows


@case_table("case", dict(load()))
def test_malformation(case: dict[str, Any]) -> None:
    reading = read(document_of(case))
    assert reading.facts["kind"] == case["kind"]
    assert [present(row, ENTRY_COLUMNS) for row in reading.entries] == case.get("entries", [])
    noted = [[kind] if line is None else [kind, line, col] for kind, line, col in reading.noted]
    assert noted == case.get("anomalies", [])
    for table in ("images", "videos", "news", "alternates"):
        assert records(reading, table) == case.get(table, []), table
    assert reading.facts["well_formed"] == case.get("well_formed")
    assert reading.facts["complete"] == case.get("complete", True)
    for fact, value in case.get("facts", {}).items():
        assert reading.facts[fact] == value, fact


def test_every_kind_of_anomaly_has_a_case() -> None:
    seen = {anomaly[0] for _, case in load() for anomaly in case.get("anomalies", [])}
    # These need documents too large for a case: `test_bounds.py` has them.
    elsewhere = {"size-limit", "token-too-long", "too-deep"}
    assert seen | elsewhere == set(_core.vocabularies()["anomaly_kinds"])
    assert not seen & elsewhere
