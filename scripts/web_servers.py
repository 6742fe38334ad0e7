"""Find and unpack the web servers that the tests of `check --clients` ask. Nothing is installed, and nothing started.

Packages of Debian are unpacked into a folder, without their services; those of npm are installed there.

Usage: python scripts/web_servers.py   (`make test-all` runs this)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv" / "share" / "web-servers"

DEBIAN = {"nginx": "nginx", "apache2": "apache2-bin", "caddy": "caddy"}
"""The Debian package of each program."""
NPM = {"http-server": "http-server@14.1.1", "serve": "serve@14.2.5"}
"""The package of each program that runs on Node."""


def program(name: str) -> Path | None:
    """Return the path of a server, or of Node; None if it is not there."""
    if name == "node":
        node = shutil.which(name)
        return None if node is None else Path(node)
    places = ("node_modules/.bin",) if name in NPM else ("usr/sbin", "usr/bin", "/usr/sbin", "/usr/bin")
    return next((path for place in places if (path := FOLDER / place / name).exists()), None)


def environment(name: str) -> dict[str, str]:
    """Return the environment in which a server finds its libraries."""
    if name not in DEBIAN:
        return {**os.environ}
    libraries = [str(path) for path in sorted(FOLDER.glob("usr/lib/*-linux-gnu*"))]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(libraries)}


def _unpack(packages: list[str]) -> None:
    archives = FOLDER / "archives"
    (archives / "partial").mkdir(parents=True, exist_ok=True)
    options = ["-qq", "-o", "Acquire::Retries=3", "-o", f"Dir::Cache::archives={archives}", "-o", "Debug::NoLocking=1"]
    # Only root can update the lists; those that are there may do.
    nothing = subprocess.DEVNULL
    subprocess.run(["apt-get", *options, "update"], check=False, stdout=nothing, stderr=nothing, timeout=600)
    install = ["install", "--download-only", "--yes", "--no-install-recommends", *packages]
    subprocess.run(["apt-get", *options, *install], check=True, stdout=nothing, timeout=600)
    for archive in sorted(archives.glob("*.deb")):
        subprocess.run(["dpkg-deb", "--extract", str(archive), str(FOLDER)], check=True)
    shutil.rmtree(archives)


def main() -> int:
    """Unpack the servers that are missing; return 0 if all are there."""
    debian = [package for name, package in DEBIAN.items() if program(name) is None]
    npm = [package for name, package in NPM.items() if program(name) is None]
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        if debian:
            _unpack(debian)
        if npm:
            options = ["--no-audit", "--no-fund", "--silent", "--ignore-scripts", "--prefix", str(FOLDER)]
            subprocess.run(["npm", "install", *options, *npm], check=True, timeout=600)
    except (OSError, subprocess.SubprocessError) as error:
        print(error, file=sys.stderr)
    missing = [name for name in (*DEBIAN, *NPM, "node") if program(name) is None]
    if missing:
        print(f"Missing: {', '.join(missing)}. Their tests fail.", file=sys.stderr)
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
