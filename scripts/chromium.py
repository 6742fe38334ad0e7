"""Chromium, the browser of the tests and of the pictures: found, installed where that can be done, and started.

The environment variable URLSET_CHROMIUM names another program than the first one in the PATH.

Usage: python scripts/chromium.py   (installs it if it is missing; `make test` runs this)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium", "fonts-liberation")
"""Debian's. The fonts are what most pages are read in: without them text has other widths."""

MISSING = (
    "Chromium is missing: install it (Debian: apt-get install chromium fonts-liberation), "
    "or name the program in URLSET_CHROMIUM"
)
TRIES = 3
SECONDS_OF_A_TRY = 600

FLAGS = (
    "--no-first-run",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    # No name and no address leads anywhere; files need neither.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def program() -> str | None:
    """The path of the browser; None if there is none."""
    named = os.environ.get("URLSET_CHROMIUM")
    names = (named,) if named else PROGRAMS
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def running() -> Iterator[Browser]:
    """The browser, with a profile of its own that is gone afterwards; nothing is downloaded.

    Raises:
        FileNotFoundError: There is none.
    """
    from playwright.sync_api import sync_playwright

    path = program()
    if path is None:
        raise FileNotFoundError(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def main() -> int:
    """Installs the browser if it is missing; 0 when it is there."""
    if program() is not None:
        return 0
    if os.environ.get("URLSET_CHROMIUM") or shutil.which("apt-get") is None or os.geteuid() != 0:
        print(f"{MISSING}. Without it the tests in the browser fail.", file=sys.stderr)
        return 1
    print("Installing Chromium with apt-get, once …", flush=True)
    said = ""
    for _ in range(TRIES):
        said = _installed()
        if program() is not None:
            return 0
    print(f"{said}\n{MISSING}. apt-get could not, see above.", file=sys.stderr)
    return 1


def _installed() -> str:
    """Tries to install it; what the programs said in the end."""
    options = ["-qq", "-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=120"]
    said = ""
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *PACKAGES]):
        try:
            done = subprocess.run(
                ["apt-get", *options, *command],
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                timeout=SECONDS_OF_A_TRY,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"apt-get {command[0]} took longer than {SECONDS_OF_A_TRY} s"
        # An update that fails in part may still do, and says so.
        said = "\n".join([said, *done.stdout.splitlines()[-10:]]).strip()
    return said


if __name__ == "__main__":
    sys.exit(main())
