"""Fills `core/fuzz/corpus/<target>/` with the examples and with the cases of the tests, for `cargo fuzz`.

`core/fuzz/seeds.txt` lists the folders. Each document in a file of its own is a seed for every target, and so is each
document in a file of cases: the reader of sitemaps may get a page, too. The target `gzip` also gets them compressed.
A seed is named by its hash. Running this again adds new seeds and keeps what a fuzzer has added.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
FUZZ = ROOT / "core" / "fuzz"

DOCUMENTS = {".xml", ".txt", ".html", ".gz", ".rss", ".atom", ".bin"}


def documents(value: object, key: str = "") -> Iterator[bytes]:
    """Yield the documents among the values of a TOML file: strings with markup or several lines, and encoded bytes."""
    if isinstance(value, dict):
        for name, below in value.items():
            yield from documents(below, name)
    elif isinstance(value, list):
        for below in value:
            yield from documents(below, key)
    elif isinstance(value, str):
        if key == "base64":
            yield base64.b64decode(value)
        elif key.endswith("_hex"):
            yield bytes.fromhex(value)
        elif "<" in value or "\n" in value:
            yield value.encode()


def seeds() -> Iterator[bytes]:
    """Yield every seed, from the folders in the list."""
    for folder in (FUZZ / "seeds.txt").read_text(encoding="utf-8").splitlines():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in DOCUMENTS:
                yield path.read_bytes()
            elif path.suffix == ".toml":
                yield from documents(tomllib.loads(path.read_text(encoding="utf-8")))


def fill(folder: Path, found: list[bytes]) -> None:
    """Write each seed to a folder, under the name of its hash."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in found:
        (folder / hashlib.sha1(seed, usedforsecurity=False).hexdigest()).write_bytes(seed)


def main() -> None:
    """Fill the corpus of every target."""
    found = list(seeds())
    for target in sorted((FUZZ / "fuzz_targets").glob("*.rs")):
        packed = [gzip.compress(seed, mtime=0) for seed in found] if target.stem == "gzip" else []
        fill(FUZZ / "corpus" / target.stem, found + packed)
    print(f"{len(found)} seeds for each target in {FUZZ.relative_to(ROOT)}/corpus")


if __name__ == "__main__":
    main()
