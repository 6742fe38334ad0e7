"""The build backend (PEP 517 and 660): maturin, and then the files that are generated from modules of the package.

    python scripts/backend.py [SOURCE]

writes those files into `src`, or into another folder that contains the package with its compiled core.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SCRIPTS = Path(__file__).resolve().parent
SOURCE = SCRIPTS.parent / "src"


def generate(source: Path) -> None:
    """Write the generated files of the package in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    for script in ("make_rules.py", "option_fields.py"):
        subprocess.run([sys.executable, str(SCRIPTS / script)], env=environment, check=True)


def complete(wheel: Path) -> None:
    """Add the generated files to a wheel, and remove the modules of the rules, which it then has as data."""
    tool = [sys.executable, "-m", "wheel"]
    # All members get this time, so that a build can be repeated to the byte.
    environment = {"SOURCE_DATE_EPOCH": "315532800", **os.environ}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*tool, "unpack", "--dest", folder, str(wheel)], check=True, stdout=subprocess.DEVNULL)
        (unpacked,) = Path(folder).iterdir()
        generate(unpacked)
        for module in (unpacked / "urlset" / "rules").glob("*/[a-z][a-z][a-z][0-9]*.py"):
            module.unlink()
        command = [*tool, "pack", "--dest-dir", str(wheel.parent), str(unpacked)]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def build_wheel(
    wheel_directory: str, config_settings: Mapping[str, object] | None = None, metadata_directory: str | None = None
) -> str:
    """Build a wheel, and return its name."""
    import maturin

    name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    complete(Path(wheel_directory) / name)
    return name


def build_editable(
    wheel_directory: str, config_settings: Mapping[str, object] | None = None, metadata_directory: str | None = None
) -> str:
    """Compile the core into the checkout, generate files there, and return the name of the wheel that refers to it."""
    import maturin

    name: str = maturin.build_editable(wheel_directory, config_settings, metadata_directory)
    generate(SOURCE)
    return name


def __getattr__(name: str) -> object:
    """Return the other hooks, which are maturin's."""
    import maturin

    return getattr(maturin, name)


if __name__ == "__main__":
    generate(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else SOURCE)
