"""Find, install, and start Chromium, the browser for the tests and the pictures.

The environment variable URLSET_CHROMIUM names the program to use instead of the first one in PATH.

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
"""Debian packages. Most pages use fonts with the metrics of these; without them, text has other widths."""

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
    # No host can be reached; files need none.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def program() -> str | None:
    """Return the path of the browser; None if it is not installed."""
    named = os.environ.get("URLSET_CHROMIUM")
    names = (named,) if named else PROGRAMS
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def running() -> Iterator[Browser]:
    """Start the browser with a temporary profile; nothing is downloaded.

    Raises:
        FileNotFoundError: It is not installed.
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
    """Install the browser if it is missing; return 0 if it is installed."""
    if program() is not None:
        return 0
    if os.environ.get("URLSET_CHROMIUM") or shutil.which("apt-get") is None or os.geteuid() != 0:
        print(f"{MISSING}. Without it, the browser tests fail.", file=sys.stderr)
        return 1
    print("Installing Chromium with apt-get, once …", flush=True)
    output = ""
    for _ in range(TRIES):
        output = _install()
        if program() is not None:
            return 0
    print(f"{output}\n{MISSING}. apt-get failed, see above.", file=sys.stderr)
    return 1


def _install() -> str:
    """Try to install it; return the last output of the programs."""
    options = ["-qq", "-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=120"]
    output = ""
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
        # An update that fails in part may still be enough.
        output = "\n".join([output, *done.stdout.splitlines()[-10:]]).strip()
    return output


if __name__ == "__main__":
    sys.exit(main())
