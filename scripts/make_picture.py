"""Take the pictures of the docs: the HTML report of the example site and the workbench, light and dark, in Chromium.

A hash of everything that the pages are drawn with is stored next to the pictures, so that `--check` fails when they
are out of date. The hash does not cover the example site.

Usage: python scripts/make_picture.py [--check]
"""

from __future__ import annotations

import argparse
import hashlib
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import chromium
import demo_serve

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "docs" / "pictures"
DRAWN_WITH = [ROOT / "src" / "urlset" / place / "files" for place in ("report/html", "serve")]
RECORD = PLACE / "report.sha256"
NAMES = ("report", "workbench")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, HEIGHT = 1280, 900
MAX_BYTES = 300_000
PORT = 8000
"""Where the example site is served; a fixed port, so that every picture shows the same URL."""

URLSET = Path(sys.executable).with_name("urlset")
AUDITING = (
    "--ignore",
    "LOC024",
    "--preview",
    "--retries",
    "0",
    "--no-config",
    "--fail-on",
    "never",
    "--format",
    "none",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures, or check whether they are up to date; return the exit code."""
    parser = argparse.ArgumentParser(description="Take the pictures of the docs.")
    parser.add_argument("--check", action="store_true", help="take no pictures; fail if they are out of date")
    if parser.parse_args(arguments).check:
        return 0 if _is_up_to_date() else 1
    with tempfile.TemporaryDirectory(prefix="urlset-") as folder:
        page = Path(folder) / "report.html"
        _audit(page)
        _take(page.as_uri(), "report")
    with demo_serve.workbench(0, PORT) as (address, _, _):
        _take(f"{address}runs/3/pages", "workbench")
    RECORD.write_text(f"{_hash()}\n", encoding="ascii")
    return 0


def _is_up_to_date() -> bool:
    there = all((PLACE / f"{name}-{scheme}.png").is_file() for name in NAMES for scheme in SCHEMES)
    if there and RECORD.is_file() and RECORD.read_text(encoding="ascii").strip() == _hash():
        return True
    print(
        "docs/pictures is out of date; run `python scripts/make_picture.py`",
        file=sys.stderr,
    )
    return False


def _hash() -> str:
    """Return the SHA-256 of the files that the pages are drawn with, in hexadecimal."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in DRAWN_WITH for path in folder.iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _audit(page: Path) -> None:
    """Audit the example site, and write its report."""
    with _serving() as site:
        store = page.with_name("urlset.duckdb")
        places = ("--store", store, "--report", page, "--format", "none")
        subprocess.run([URLSET, "audit", site, *places, *AUDITING], check=True)


def _serving() -> AbstractContextManager[str]:
    serving = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))["serving"]
    found: AbstractContextManager[str] = serving(PORT)
    return found


def _take(address: str, name: str) -> None:
    """Take pictures of the top of a page, light and dark."""
    PLACE.mkdir(parents=True, exist_ok=True)
    with chromium.running(loopback=True) as browser:
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT},
                color_scheme=scheme,
                reduced_motion="reduce",
                locale="en-GB",
                timezone_id="UTC",
                offline=address.startswith("file:"),
            )
            shown = context.new_page()
            shown.goto(address)
            picture = PLACE / f"{name}-{scheme}.png"
            shown.screenshot(path=picture)
            context.close()
            size = picture.stat().st_size
            print(f"{picture.relative_to(ROOT)}: {WIDTH} x {HEIGHT}, {size:,} bytes")
            if size > MAX_BYTES:
                raise SystemExit(f"{picture.name} is larger than {MAX_BYTES:,} bytes")


if __name__ == "__main__":
    sys.exit(main())
