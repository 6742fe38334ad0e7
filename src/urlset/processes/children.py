"""How urlset starts Python: its modules come from where Python is installed, never from the current directory.

`python -m` searches the current directory first, which can be an untrusted repository.
"""

from __future__ import annotations

import os
import sys

SAFE_PATH = {"PYTHONSAFEPATH": "1"}
"""The environment variable that leaves the current directory out, also for processes that a child starts.

Not the flag `-I`, which would also leave out packages that are installed for the user.
https://docs.python.org/3/using/cmdline.html#envvar-PYTHONSAFEPATH"""


def module_command(name: str) -> list[str]:
    """Return the command that runs a module of urlset, for `child_environment`."""
    return [sys.executable, "-m", name]


def child_environment() -> dict[str, str]:
    """Return the environment of a child process."""
    return {**os.environ, **SAFE_PATH}


def leave_out_current_directory() -> None:
    """Import no further modules from the current directory in this process, if `python -m` added it."""
    try:
        current = os.getcwd()  # noqa: PTH109 - as in sys.path
    except FileNotFoundError:
        return  # It was deleted, and with it what could be imported from it.
    if sys.flags.safe_path or not sys.path or sys.path[0] not in ("", current):
        return
    # The directory with urlset itself stays.
    package = sys.modules[__name__.partition(".")[0]].__path__[0]
    if os.path.realpath(sys.path[0]) != os.path.realpath(os.path.dirname(package)):  # noqa: PTH120
        del sys.path[0]
