"""What strangers may write into a page's way: texts, files and stores that are full of them."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape

from msgspec import convert, structs

from urlset.errors import Unreadable
from urlset.model.audit import AgentAccess, Inventory, PageCounts, Share
from urlset.store.file import Store
from urlset.store.results import NO_RESULTS, Results, StoredAccess, StoredCheck, keep_results
from urlset.store.run import Run
from urlset.tables import TABLES
from urlset.web.agents import KNOWN_AGENTS

# Whatever comes alive calls alert, or has the class `alive`.
MARKUP = (
    "</script><script>alert(1)</script>",
    "</title></style></textarea></noscript></template><b class=alive>bold</b>",
    '"><img class=alive src=x onerror=alert(1)>',
    "'><svg class=alive onload=alert(1)>",
    "<!--<script>alert(1)//",
    "]]><b class=alive>",
    '" onmouseover=alert(1) autofocus onfocus=alert(1) x="',
    "javascript:alert(1)//https://www.example.com/",
    "data:text/html,<script>alert(1)</script>",
    "{{7*7}}${7*7}{%raw%}<%= 7*7 %>#{7*7}",
    "&lt;b class=alive&gt;&#60;b class=alive&#62;",
    "\\u003cb class=alive\\u003e\\x3c/script\\x3e",
    "\u2028\u2029alert(1)",
    "__proto__",
    "constructor",
)
UNSEEN = "\u202egpj.exe\u2066\u200b\ufeff\u061c\x1b[31m\x07\x7f\x9b"
LONG = "https://www.example.com/?q=" + "a" * 5_000
WORD = "W" * 300
TEXTS = (*MARKUP, UNSEEN, LONG, WORD, "\ufffe\uffff\U0001ffff", "\x00 and on", "", " ")


def write_files(folder: Path) -> None:
    """Sitemaps full of it, in files that are named so."""
    folder.mkdir()
    # XML holds no control characters; what a reader makes of those is a fault of its own.
    entries = "".join(
        f"<url><loc>{escape(start + text)}</loc><lastmod>{escape(text)}</lastmod>"
        f"<changefreq>{escape(text)}</changefreq><priority>{escape(text)}</priority></url>\n"
        for text in TEXTS
        for start in ("", "https://www.example.com/", "https://www.example.com/?")
    )
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>'
    names = [f"{number}{text[:100]}.xml" for number, text in enumerate(TEXTS) if "/" not in text and "\x00" not in text]
    for name in names:
        (folder / name).write_text(sitemap, "utf-8", "surrogatepass")
    below = folder / "<" / "script><script>alert(1)<"
    below.mkdir(parents=True)
    (below / "script>.xml").write_text(sitemap, "utf-8")
    # A name that is no text in any encoding.
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.xml")).write_text(sitemap, "utf-8")


# Words of closed vocabularies stay what they are: a store that has others was not written by urlset.
_KEPT = {
    "kind": "urlset", "found_by": "index", "compression": "gzip", "availability": "read", "severity": "error",
    "lastmod_precision": "day", "skipped": None, "error_kind": "refused", "agent": "GPTBot",
}  # fmt: skip
_NUMBERS = {"status": 404, "http_status": 404, "count": 12, "urls": 30, "blocked": 20, "entries": 30, "links": 3}
_CODES = ("LOC001", "MOD002", "PGE001", "HRL001", "ROB009", "SET001")
_TABLES = ("urls", "children", "alternates", "link_sets", "cuts", "pages", "access", "findings", "robots_files")


def write_store(path: Path) -> None:
    """A store in whose tables each text is one of these."""
    texts = [text for text in TEXTS if text]
    began = datetime(2026, 11, 1, tzinfo=UTC)
    with Store.create(path) as store:
        for number in range(2):
            run = Run.begin(store, texts[:4], {"select": texts}, began + timedelta(days=number))
            run.add_documents([_row("documents", number, text) for number, text in enumerate(texts)])
            for table in _TABLES:
                run.add_rows(table, [_row(table, place, text) for place, text in enumerate(texts)])
            numbers = {"documents": len(texts), "urls": 30, "pages": len(texts), "errors": 1, "warnings": 0, "infos": 0}
            keep_results(run, _results(texts))
            run.finish(numbers, began + timedelta(days=number, hours=1))


def _results(texts: list[str]) -> Results:
    """What an audit concluded, in a stranger's words wherever words are not ours."""
    agents = [AgentAccess(agent, 90, 40, tuple((text, 30, 20) for text in texts)) for agent in KNOWN_AGENTS[:3]]
    pages = PageCounts(30, 20, 20, 0, None, {"200": 20}, Share.of(15, 20, 30))
    inventory = Inventory(90, len(texts), tuple(texts), len(texts), tuple(texts))
    evidence = [
        {"effect": "fail", "rule": "LOC001", "count": 1, "message": text, "url": text, "line": 3} for text in texts
    ]
    step = {
        "status": "fail",
        "score": 0.0,
        "weight": 1.0,
        "id": "parse",
        "title": "Parse sitemap",
        "description": "",
        "evidence": evidence,
    }
    described = {"id": "sitemap", "version": "1.0.0", "suite": "2026.06.10"}
    checks = [
        {"origin": text, "score": 0, "status": "fail", "check": described, "steps": [step], "candidates": []}
        for text in texts[:4]
    ]
    return structs.replace(
        NO_RESULTS,
        pages=pages,
        agents=tuple(map(StoredAccess.of, agents)),
        inventory=inventory,
        checks=convert(checks, tuple[StoredCheck, ...]),
        unreadable=tuple(Unreadable(text, text) for text in texts),
    )


def _row(table: str, number: int, text: str) -> dict[str, object]:
    """A row of a table with this text in each column that has text."""
    row: dict[str, object] = {}
    for column in TABLES[table].columns:
        if column.name in _KEPT:
            row[column.name] = _KEPT[column.name]
        elif column.name == "code":
            row[column.name] = _CODES[number % len(_CODES)]
        elif column.type == "text":
            row[column.name] = text
        elif column.type == "text[]":
            row[column.name] = [text, text]
        elif column.type == "int64[]":
            row[column.name] = [301, 302]
        elif column.type == "bool":
            row[column.name] = True
        elif column.type == "timestamp":
            row[column.name] = datetime(2026, 10, 1, tzinfo=UTC)
        else:
            row[column.name] = _NUMBERS.get(column.name, number + 1)
    # A tree: what lists a document comes before it.
    row |= {name: value for name, value in _tree(table, number).items() if name in row}
    return row


def _tree(table: str, number: int) -> dict[str, object]:
    if table == "documents":
        return {"document_id": number, "parent_id": (number - 1) // 2 if number else None, "depth": number.bit_length()}
    return {"document_id": number, "example": 1}
