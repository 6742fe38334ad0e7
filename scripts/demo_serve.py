"""Open the workbench over three rounds of `urlset monitor` on the example site, which changes before the last one.

`make demo-serve` runs it. The site is served on the loopback network, so that an audit that is started in the browser
works, too. It ends with Ctrl-C.

Usage: python scripts/demo_serve.py [--port PORT] [--no-browser]
"""

from __future__ import annotations

import argparse
import runpy
import subprocess
import sys
import tempfile
import webbrowser
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
URLSET = (sys.executable, "-m", "urlset")
# Every URL of the site leads to this machine, so no host is public.
CONFIGURATION = 'ignore = ["LOC024"]\npreview = true\n\n[network]\nretries = 0\n'
MONITOR = """\
store = "urlset.duckdb"

[[site]]
url = "{site}"
check = ["audit"]

[site.options]
crawl = true
preview = true
retries = 0
ignore = ["LOC024"]
"""
SITE_PORT = 8000
"""Where the example site is served; a fixed port, so that pictures show the same URLs."""


@contextmanager
def workbench(port: int = 8080, site_port: int = SITE_PORT) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """Serve the example site, check it three times, and serve the store.

    Args:
        port: The port of the workbench; 0 for any.
        site_port: The port of the site; 0 for any.

    Yields:
        The addresses of the workbench and of the site, and the process of the workbench.
    """
    example = runpy.run_path(str(ROOT / "examples" / "audit" / "serve.py"))
    with tempfile.TemporaryDirectory(prefix="urlset-") as folder, example["serving"](site_port) as site:
        Path(folder, "urlset.toml").write_text(CONFIGURATION, "utf-8")
        Path(folder, "monitor.toml").write_text(MONITOR.format(site=site), "utf-8")
        monitor = [*URLSET, "monitor", "monitor.toml", "--force"]
        for number in range(3):
            if number == 2:
                example["change"]()
            done = subprocess.run(monitor, cwd=folder, check=False, stdout=subprocess.DEVNULL)
            # The last round opens alarms.
            assert done.returncode == (1 if number == 2 else 0), done.returncode
        serve = [*URLSET, "serve", "--config", "urlset.toml", "--allow-private", "--port", str(port)]
        with subprocess.Popen(serve, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                yield server.stdout.readline().strip(), site, server
            finally:
                server.terminate()


def main() -> int:
    """Open the workbench, and wait until it is stopped."""
    parser = argparse.ArgumentParser(description="Open the workbench over three runs of the example site.")
    parser.add_argument("--port", type=int, default=8080, help="port of the workbench; 0 for any")
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
    options = parser.parse_args()
    with workbench(options.port) as (address, site, server):
        if not address:
            return server.wait()
        print(
            f"The workbench: {address}\nThe example site, to audit it again: {site}\nStop it with Ctrl-C.", flush=True
        )
        if not options.no_browser:
            webbrowser.open(address)
        with suppress(KeyboardInterrupt):
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
