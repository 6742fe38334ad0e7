"""SQL and connections to databases stay in the packages that own them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cases import case_table

import urlset

SOURCE = Path(urlset.__file__).parent

OWNERS = ("store", "engine", "rules", "database", "web/indexability.py")
"""What may hold SQL: runs kept, rules run, rules themselves, what is indexable, and opening DuckDB."""

OF_CAPABILITIES = frozenset(
    {
        *(f"access_logs/{name}.py" for name in ("log_overview", "log_tables", "shares", "visits")),
        *(f"comparison/{name}.py" for name in ("compare", "compare_pages", "redirect_map", "robots_changes")),
        *(f"comparison/{name}.py" for name in ("run_database", "run_tables", "state_changes")),
        *(f"comparison/{name}.py" for name in ("unchecked", "url_changes", "url_differences")),
        *(f"coverage/{name}.py" for name in ("clock", "index_states", "inspections", "join", "site_impressions")),
        *(f"links/{name}.py" for name in ("broken_anchors", "crawl_selection", "external_links", "link_graph")),
        *(f"monitor/{name}.py" for name in ("search_evidence", "store")),
    }
)
"""The files of capabilities that hold their SQL on tables of a store."""

EXCEPTIONS = {
    "build/sources/date_check.py": "asks the rules on dates about those that a build would publish",
    "build/stable_ledger.py": "passes the rows of the ledger, which is a Parquet file, to the writer and back",
    "build/sources/postgres.py": "asks the user's own database for entries",
    "build/sources/sql_query.py": "asks the user's own database for entries",
    "build/sources/tabular.py": "turns the rows of the user's own tables into entries",
    "clients/http2.py": "its connections are those of HTTP",
    "clients/send.py": "its connections are those of HTTP",
    "fetch/connection.py": "its connections are those of HTTP",
}
"""Files elsewhere that hold some, each with its reason: none of them asks for anything that urlset keeps."""

STATEMENT = re.compile(
    r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|DROP|ALTER|ATTACH|DETACH|COPY|PRAGMA|TRUNCATE|WITH|FROM|SET|"
    r"CHECKPOINT|EXPLAIN|DESCRIBE|LOAD|INSTALL|USE) [\w({\"*'$]"
)
"""How a statement begins. Keywords are in capitals wherever urlset writes SQL, and never in its English."""

FRAGMENT = re.compile(
    r"\b(SELECT .* FROM|WHERE|GROUP BY|ORDER BY|FILTER \(|UNION ALL|IS (NOT )?NULL|PARTITION BY|QUALIFY|JOIN|BETWEEN|"
    r"COALESCE|EXCEPT|LIMIT)\b|(\w|\)) (AND|OR) \w+ (=|<>|<|>|IN|NOT)",
    re.DOTALL,
)
"""What conditions and clauses have in them."""

EXAMPLE = re.compile(r'"SELECT [^"{}]*"')
"""SQL in quotation marks within a text: what a user may write."""

CONNECTION = frozenset({"connection", "_connection", "execute", "executemany", "writing", "cursor"})
"""What is asked of a connection to a database, or of what holds one."""


def found(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and text of each piece of SQL, and of each use of a connection."""
    nodes = list(ast.walk(tree))
    documentation = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    statements = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.Constant(value=str(text)) if id(node) not in documentation | statements:
                if STATEMENT.match(text) or FRAGMENT.search(EXAMPLE.sub("", text)):
                    yield node.lineno, text
            case ast.Attribute(attr=name) if name in CONNECTION:
                yield node.lineno, f".{name}"


def modules() -> list[str]:
    """The modules that may hold none."""
    names = (path.relative_to(SOURCE).as_posix() for path in sorted(SOURCE.rglob("*.py")))
    named = OF_CAPABILITIES | EXCEPTIONS.keys()
    return [name for name in names if not {name, name.partition("/")[0]} & {*OWNERS, *named}]


@case_table("name", modules())
def test_no_sql_outside_of_its_owners(name: str) -> None:
    assert list(found(ast.parse((SOURCE / name).read_text("utf-8")))) == []


@pytest.mark.parametrize("name", [*sorted(OF_CAPABILITIES), *EXCEPTIONS])
def test_an_exception_is_one(name: str) -> None:
    assert list(found(ast.parse((SOURCE / name).read_text("utf-8")))), "it needs no exception any more"


@pytest.mark.parametrize(
    "planted",
    [
        'rows = store.connection.execute("x")',
        "with run.writing() as one: pass",
        'sql = f"SELECT count(*) FROM {name}"',
        "sql = 'count(*) FILTER (skipped IS NULL)'",
        "sql = '''\n    WITH x AS (SELECT 1) SELECT * FROM x'''",
        "GOOD = 'status BETWEEN 200 AND 299'",
        "where = f\"({where}) AND lastmod_problem <> 'no-timezone'\"",
        'sql = "DELETE FROM runs"',
        'sql = f"UPDATE {name} SET a = 1"',
    ],
)
def test_what_is_sought_is_found(planted: str) -> None:
    assert list(found(ast.parse(planted)))
