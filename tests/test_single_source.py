"""What urlset knows once is written once: each fact and each small tool has one home, and nothing beside it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "urlset"

HOMES: dict[str, tuple[str, set[str]]] = {
    "the words for an error of the system": (r"strerror", {"errors.py", "fetch/diagnosis.py"}),
    "the units of sizes": (r'\} [kKMGT]i?B\b|"[kKM]i?B"|/ ?1024', {"text/sizes.py"}),
    "the kinds of documents that are sitemaps": (r'"sitemapindex", "text", "rss"', {"tables.py"}),
    "the values of changefreq": (r"""\bhourly["']?, ["']?daily\b""", {"tables.py"}),
    "the default ports": (r"(?<!:)\b443\b", {"net/origin.py"}),
    "undoing gzip": (r"decompressobj\(|x1f.?x8b", {"files/gunzip.py", "fetch/encoding.py"}),
    "work in threads, results in order": (
        r"ThreadPoolExecutor\(",
        {"processes/threads.py", "stages/scheduler.py", "serve/snapshots.py"},
    ),
    "temporary files that have a name": (
        r"(?<!Spooled)Temporary(File|Directory)\((?!\))|mk[sd]temp\(|\"\.partial|gettempdir",
        {"files/scratch.py", "fetch/cache.py"},
    ),
    "what fetches: once for each kind of trust of a run, and in each task on Spark": (
        r"\bFetcher\(",
        {"stages/session.py", "cluster/tasks.py"},
    ),
    "names of hosts in ASCII": (r"\bidna\b|_core\.(ascii|url)_host", {"net/origin.py", "net/urlparts.py"}),
}
"""By what it is: a pattern of its code, and the files that may hold it."""


@cache
def code_of(path: Path) -> str:
    """A file without its docstrings, which may well name what they are about."""
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            for number in range(node.body[0].lineno - 1, node.body[0].end_lineno or 0):
                lines[number] = ""
    return "\n".join(lines)


@pytest.mark.parametrize("what", HOMES)
def test_has_one_home(what: str) -> None:
    pattern, homes = HOMES[what]
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        # To parse all files would take seconds.
        if re.search(pattern, path.read_text(encoding="utf-8")) and re.search(pattern, code_of(path))
    }
    assert found == homes
