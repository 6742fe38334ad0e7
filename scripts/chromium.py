"""Find, install, and start Chromium, the browser for the tests and the pictures.

The environment variable URLSET_CHROMIUM names the program to use instead of the first one in PATH.

Usage: python scripts/chromium.py   (installs it if it is missing; `make test` runs this)
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from debian import ensure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-liberation")
"""Debian packages. Most pages use fonts with the metrics of these; without them, text has other widths."""

MISSING = (
    "Chromium is missing: install it (Debian: apt-get install chromium fonts-liberation), "
    "or name the program in URLSET_CHROMIUM"
)
FLAGS = (
    "--no-first-run",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
)
NO_HOST = "--host-resolver-rules=MAP * ~NOTFOUND"
"""No host can be reached; files need none."""


def program() -> str | None:
    """Return the path of the browser; None if it is not installed."""
    named = os.environ.get("URLSET_CHROMIUM")
    names = (named,) if named else PROGRAMS
    return next(filter(None, map(shutil.which, names)), None)


def flags(*, loopback: bool) -> list[str]:
    """Return the arguments of the browser; see `running`."""
    return [*FLAGS, f"{NO_HOST}, EXCLUDE 127.0.0.1" if loopback else NO_HOST]


@contextmanager
def running(*, loopback: bool = False) -> Iterator[Browser]:
    """Start the browser with a temporary profile; nothing is downloaded.

    Args:
        loopback: Whether it can reach 127.0.0.1.

    Raises:
        FileNotFoundError: It is not installed.
    """
    from playwright.sync_api import sync_playwright

    path = program()
    if path is None:
        raise FileNotFoundError(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags(loopback=loopback))
        try:
            yield browser
        finally:
            browser.close()


def main() -> int:
    """Install the browser if it is missing; return 0 if it is installed."""
    missing = f"{MISSING}. Without it, the browser tests fail."
    return ensure("Chromium", PACKAGES, missing, lambda: program() is not None, named="URLSET_CHROMIUM" in os.environ)


if __name__ == "__main__":
    sys.exit(main())
