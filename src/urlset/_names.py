"""The public names of a package, imported on first use. Its `__init__.pyi` lists them, also for type checkers."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def from_stub(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose names `__init__.pyi` lists as `from home import X as X`."""
    homes: dict[str, str] = {}

    def read() -> dict[str, str]:
        if not homes:
            homes.update(_homes(package))
        return homes

    def get(name: str) -> object:
        if name == "__all__":
            return sorted(read())
        if name.startswith("_") and name != "__version__":
            # `from urlset import _core` asks for it, too, before it is imported.
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if f"{package}.{name}" in read().values():
            # A module with public names, such as `urlset.errors`, can be used without importing it separately.
            return import_module(f"{package}.{name}")
        if name not in read():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(read())


def _homes(package: str) -> dict[str, str]:
    import re
    from importlib.resources import files

    stub = files(package).joinpath("__init__.pyi").read_text(encoding="utf-8")
    imports = re.findall(r"^from (\S+) import (?:\(([^)]*)\)|(.+))$", stub, re.MULTILINE)
    return {name: home for home, *names in imports for name in re.findall(r"(\w+) as", "".join(names))}
