"""Install Debian packages that some tests need, if apt-get can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 3
SECONDS_OF_A_TRY = 600


def ensure(name: str, packages: tuple[str, ...], missing: str, is_there: Callable[[], bool], *, named: bool) -> int:
    """Install a program if it is missing; return 0 if it is installed.

    Args:
        name: The name of the program.
        packages: The packages.
        missing: What to say without it.
        is_there: Returns whether it is installed.
        named: Whether the user named a program, so that no other one is wanted.
    """
    if is_there():
        return 0
    if named or shutil.which("apt-get") is None or os.geteuid() != 0:
        print(missing, file=sys.stderr)
        return 1
    print(f"Installing {name} with apt-get, once …", flush=True)
    output = ""
    for _ in range(TRIES):
        output = _install(packages)
        if is_there():
            return 0
    print(f"{output}\n{missing}\napt-get failed, see above.", file=sys.stderr)
    return 1


def _install(packages: tuple[str, ...]) -> str:
    """Try to install packages; return the last output of the programs."""
    options = ["-qq", "-o", "Acquire::Retries=3", "-o", "DPkg::Lock::Timeout=120"]
    output = ""
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
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
