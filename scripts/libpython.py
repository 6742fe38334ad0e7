"""Prints the folder of a libpython that a program can be linked to; nothing when this Python has none.

The Makefile asks before it runs the Rust tests.
"""

import sysconfig
from pathlib import Path

# LIBDIR is where it is installed, LIBPL where distributions keep the static one.
folders = [sysconfig.get_config_var(name) for name in ("LIBDIR", "LIBPL")]
name = f"libpython{sysconfig.get_config_var('LDVERSION')}"
for folder in filter(None, folders):
    if any((Path(folder) / f"{name}{suffix}").exists() for suffix in (".so", ".dylib")):
        print(folder)
        break
