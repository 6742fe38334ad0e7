"""`urlset --version --verbose`: the versions of all parts, for bug reports."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, version

NOT_INSTALLED = "not installed"

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)[^;]*(?:;\s*(?P<marker>.*))?")
_EXTRA = re.compile(r"""(?:\band\s+)?\bextra\s*==\s*["'](?P<name>[^"']+)["']""")


def lines() -> Iterator[str]:
    """Return a line for each part: its name, and its version."""
    rows = list(_rows())
    width = max(len(name) for name, _ in rows) + 2
    return (f"{name:{width}}{what}" for name, what in rows)


def _rows() -> Iterator[tuple[str, str]]:
    own = distribution("urlset")
    yield "urlset", own.version
    yield "Python", f"{platform.python_version()} ({platform.python_implementation()})"
    yield "platform", f"{platform.platform()} ({platform.machine()})"
    yield "core", _core(own.read_text("WHEEL") or "")
    yield "DuckDB", _duckdb()
    yield "libxml2", _libxml2()
    for requirement in own.requires or ():
        if (match := _REQUIREMENT.match(requirement)) is not None:
            name, marker = match["name"], match["marker"] or ""
            extra = _EXTRA.search(marker)
            label = f"{name} [{extra['name']}]" if extra is not None else name
            yield label, _installed_version(name, _EXTRA.sub("", marker).strip(" ()"))


def _core(wheel: str) -> str:
    """Return the version of the core, and the platform tag of the wheel that it came with."""
    try:
        from urlset._core import __version__
    except ImportError as error:
        return f"cannot be loaded: {error}"
    tags = re.findall(r"^Tag: (\S+)$", wheel, re.MULTILINE)
    return f"{__version__} ({', '.join(tags)})" if tags else __version__


def _duckdb() -> str:
    try:
        from urlset.database.connections import engine_version

        return engine_version()
    except ImportError as error:
        return f"cannot be loaded: {error}"


def _libxml2() -> str:
    from urlset.errors import MissingExtraError

    try:
        from urlset.schema.load import libxml2_version
    except MissingExtraError:
        return NOT_INSTALLED
    return libxml2_version()


def _installed_version(name: str, marker: str) -> str:
    """Return the installed version of a package, or that it is not installed, and where it is required."""
    try:
        return version(name)
    except PackageNotFoundError:
        return f"{NOT_INSTALLED} (required if {marker})" if marker else NOT_INSTALLED
