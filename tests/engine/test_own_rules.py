"""Users' own rules: what they find, what is said of wrong ones, and that hostile ones reach nothing but the tables."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from tests.cases import case_table

import urlset
import urlset.model
from urlset.engine.own_rules import _Checker, _NotAllowedError, own_rules
from urlset.errors import ConfigError, UsageError
from urlset.options import CustomRule
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import EntryRule, Rule, Severity

PARAMETERS = {
    **DEFAULT_LIMITS,
    "now": datetime(2026, 1, 1, tzinfo=UTC),
}
URLS = b"https://example.com/a\nhttps://example.com/b\nhttps://example.org/b\n"


def checked(**values: object) -> Rule:
    own = CustomRule(**{"code": "SHOP001", "message": "It is wrong", "origin": "urlset.toml, [[rule]] 1", **values})  # type: ignore[arg-type]
    (rule,) = own_rules([own], PARAMETERS)
    return rule


@pytest.fixture(scope="module")
def checker() -> Iterator[_Checker]:
    with _Checker(PARAMETERS) as checker:
        yield checker


@pytest.fixture
def one_checker(checker: _Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are compiled in one database, which takes most of the time to fill with empty tables."""
    monkeypatch.setattr("urlset.engine.own_rules._Checker", lambda _: contextlib.nullcontext(checker))


def findings(folder: Path, text: str, *targets: bytes) -> list[urlset.model.Finding]:
    config = folder / "urlset.toml"
    config.write_text(f'[[rule]]\ncode = "SHOP001"\nmessage = "It is wrong"\n{text}', "utf-8")
    return list(urlset.validate(targets or [URLS], config=config, select=["SHOP"], now=PARAMETERS["now"]).findings)  # type: ignore[arg-type]


def test_a_predicate(tmp_path: Path) -> None:
    text = "severity = 'error'\nwhere = \"host <> 'example.com' -- elsewhere\"\nfield = 'loc'\nfix = 'Move it.'"
    (finding,) = findings(tmp_path, text)
    assert (finding.rule.code, finding.rule.name, finding.severity) == ("SHOP001", "shop001", Severity.ERROR)
    assert finding.rule.fix == "Move it."
    (example,) = finding.examples
    assert (example.line, example.value) == (3, "https://example.org/b")
    assert example.message == "It is wrong: https://example.org/b"


def test_a_predicate_with_functions_limits_and_the_time_of_the_check() -> None:
    rule = checked(
        where="regexp_matches(loc, 'x$') AND loc_length > $max_url_length AND lastmod_at < $now - INTERVAL '1' YEAR "
        "AND len(list_filter(string_split(path, '/'), lambda part: part <> '')) > 3 AND NOT starts_with(loc, 'https:')"
    )
    assert isinstance(rule, EntryRule)


def test_a_predicate_on_another_table(tmp_path: Path) -> None:
    (finding,) = findings(tmp_path, "table = 'documents'\nwhere = 'entries > 2'\nexample = '{entries} of {kind}'")
    assert finding.examples[0].message == "3 of text"


def test_a_query_on_each_document(tmp_path: Path) -> None:
    text = "query = 'SELECT document_id, host AS value, count(*) AS n FROM urls GROUP BY ALL HAVING count(*) > 1'\n"
    found = findings(tmp_path, text + "example = '{n} on {value}'", URLS, b"https://example.net/\n")
    assert [example.message for finding in found for example in finding.examples] == ["2 on example.com"]


def test_a_query_across_documents(tmp_path: Path) -> None:
    text = """span = "run"
query = '''
WITH seen AS (SELECT loc, min(document_id) AS document_id FROM urls GROUP BY loc HAVING count(DISTINCT document_id) > 1)
SELECT document_id, loc AS url, loc AS value FROM seen
'''"""
    found = findings(tmp_path, text, b"https://example.com/x\n", b"https://example.com/x\n")
    assert [example.url for finding in found for example in finding.examples] == ["https://example.com/x"]


@pytest.mark.parametrize("query", ["SELECT * FROM urls", "SELECT a AS document_id, c AS value FROM urls AS u(a, b, c)"])
def test_a_query_across_documents_whose_columns_are_not_named(tmp_path: Path, query: str) -> None:
    found = findings(tmp_path, f"span = 'run'\nquery = '{query}'")
    assert [finding.count for finding in found] == [3]


def test_braces_in_a_message_stand_for_themselves(tmp_path: Path) -> None:
    config = tmp_path / "urlset.toml"
    config.write_text('[[rule]]\ncode = "SHOP001"\nmessage = "No {braces}"\nwhere = "true"\n')
    report = urlset.validate(URLS, config=config, select=["SHOP"])
    assert report.findings[0].examples[0].message == "No {braces}"


def test_a_rule_that_fails_on_a_value_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\[\[rule\]\] 1 \(SHOP001\): the rule fails on these documents: Conv"):
        findings(tmp_path, "where = 'CAST(host AS INTEGER) > 1'")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"code": "LOC900", "where": "true"}, "the prefix LOC is reserved for urlset (URLs)"),
        ({"code": "COV900", "where": "true"}, "the prefix COV is reserved for urlset"),
        ({"code": "shop1", "where": "true"}, "code must be two to eight uppercase letters and three digits"),
        ({"name": "No Shop", "where": "true"}, "name must be lowercase words separated by hyphens, not 'No Shop'"),
        ({"message": "x\x1b[2J", "where": "true"}, "message must be a single line without control characters"),
        ({"fix": "x\n::error::y", "where": "true"}, "fix must be a single line without control characters"),
        (
            {"sources": ("https://a\x07",), "where": "true"},
            "sources must not contain line breaks or control characters",
        ),
        ({"table": "url", "where": "true"}, "unknown table 'url'"),
        ({"where": "lco = 'x'"}, 'Referenced column "lco" not found'),
        ({"where": "loc = "}, "syntax error"),
        ({"where": "true", "field": "lco"}, "table urls has no column lco"),
        ({"where": "true", "example": "{lco}"}, "its example uses lco"),
        ({"where": "true", "example": "{"}, "its example is invalid"),
        ({"where": "loc_length > $max"}, "$max: unknown parameter"),
        ({"where": "loc_length > $1"}, "its SQL has a placeholder without a name"),
        ({"where": "count(*) > 1"}, "aggregate"),
        ({"query": "SELECT loc FROM urls"}, "its query must return the column document_id"),
        ({"query": "SELECT document_id FROM urls", "example": "{n}"}, "its example uses n"),
        ({"query": "SELECT document_id FROM urls", "field": "loc"}, "field is only for rules with where"),
        ({"query": "SELECT document_id FROM findings"}, "its SQL reads the unknown table 'findings'"),
    ],
)
def test_a_wrong_rule_is_named_with_its_reason(values: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError) as caught:
        checked(**values)
    assert str(caught.value).startswith(f"urlset.toml, [[rule]] 1 ({values.get('code', 'SHOP001')}): ")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("severity", "fatal", "severity: must be one of error, warning, info, hint, not 'fatal'"),
        ("span", "all", "span: must be one of document, run, not 'all'"),
    ],
)
def test_a_word_that_is_none_of_those_known(tmp_path: Path, name: str, value: str, reason: str) -> None:
    with pytest.raises(UsageError, match=f"^{reason}$"):
        checked(where="true", **{name: value})
    with pytest.raises(ConfigError, match=rf"urlset\.toml, \[\[rule\]\] 1: {reason}$"):
        findings(tmp_path, f"where = 'true'\n{name} = '{value}'")


def test_a_rule_from_no_file_is_named_by_its_code() -> None:
    with pytest.raises(ConfigError, match=r"^rule SHOP001: unknown table 'url'"):
        checked(origin="", table="url", where="true")


def test_a_code_is_taken_once() -> None:
    own = CustomRule(code="SHOP001", message="m", origin="here", where="true")
    with pytest.raises(ConfigError, match="another rule already has this code"):
        own_rules([own, own], PARAMETERS)


HOSTILE_PREDICATES = [
    "true) UNION SELECT 1 FROM urls WHERE (true",
    "true) GROUP BY (1",
    "true) OR (true) ORDER BY (1",
    "true) LIMIT (1",
    "true); DROP TABLE urls; SELECT (1",
    "true; DROP TABLE urls",
    "true) QUALIFY (true",
    "/* open",
    "'open",
    "getenv('HOME') <> ''",
    "system.main.getenv('HOME') <> ''",
    "\"getenv\"('HOME') <> ''",
    "current_setting('temp_directory') <> ''",
    "current_database() <> ''",
    "getvariable('x') IS NULL",
    "nextval('s') > 0",
    "write_log('x') IS NULL",
    "pg_sleep(1) IS NULL",
    "sleep_ms(1000) IS NULL",
    "error('x') IS NULL",
    "loc IN (SELECT content FROM read_text('/etc/passwd'))",
    "EXISTS (FROM read_csv('/etc/passwd'))",
    "EXISTS (SELECT 1 FROM '/etc/passwd')",
    "EXISTS (FROM glob('/*'))",
    "loc IN (SELECT name FROM duckdb_settings())",
    "random() > 0.5",
    "json_execute_serialized_sql('x') IS NULL",
    "main.lower(loc) = ''",
]

HOSTILE_QUERIES = [
    "SELECT 1 AS document_id; DROP TABLE urls",
    "SELECT 1 AS document_id; SELECT 2 AS document_id",
    "DROP TABLE urls",
    "CREATE TABLE x AS SELECT 1 AS document_id",
    "INSERT INTO urls (loc) VALUES ('x')",
    "UPDATE urls SET loc = 'x'",
    "DELETE FROM urls",
    "COPY urls TO '{file}'",
    "COPY (SELECT 1) TO '{file}' (FORMAT csv)",
    "EXPORT DATABASE '{file}'",
    "ATTACH '{file}' AS x",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA database_list",
    "CALL duckdb_settings()",
    "EXPLAIN ANALYZE SELECT 1",
    "PREPARE x AS SELECT 1",
    "CHECKPOINT",
    "BEGIN",
    "USE system",
    "SELECT 1 AS document_id FROM read_text('{file}')",
    "SELECT 1 AS document_id FROM read_csv('{file}')",
    "SELECT 1 AS document_id FROM read_blob('{file}')",
    "SELECT 1 AS document_id FROM parquet_scan('{file}')",
    "SELECT 1 AS document_id FROM sniff_csv('{file}')",
    "SELECT 1 AS document_id FROM glob('{file}')",
    "SELECT 1 AS document_id FROM '{file}'",
    'SELECT 1 AS document_id FROM "{file}"',
    "SELECT 1 AS document_id FROM 'https://example.com/x.parquet'",
    "SELECT 1 AS document_id FROM query('SELECT 1')",
    "SELECT 1 AS document_id FROM query_table('urls')",
    "SELECT 1 AS document_id FROM duckdb_settings()",
    "SELECT 1 AS document_id FROM pragma_database_list()",
    "SELECT 1 AS document_id FROM information_schema.tables",
    "SELECT 1 AS document_id FROM sqlite_master",
    "SELECT 1 AS document_id FROM main.urls",
    "SELECT getenv('HOME') AS value, document_id FROM urls",
    "WITH x AS (SELECT * FROM read_text('{file}')) SELECT 1 AS document_id FROM x",
    'WITH "{file}" AS (SELECT 1) SELECT 1 AS document_id FROM "{file}"',
    "SELECT 1 AS document_id FROM urls, LATERAL (SELECT * FROM read_text('{file}'))",
    "SELECT document_id FROM urls WHERE loc IN (SELECT content FROM read_text('{file}'))",
    "SELECT document_id FROM urls ORDER BY (SELECT content FROM read_text('{file}'))",
    "SELECT document_id FROM urls UNION ALL SELECT 1 FROM read_text('{file}')",
    "WITH RECURSIVE x AS (SELECT 1 AS document_id UNION ALL SELECT document_id FROM x) SELECT * FROM x",
    "SHOW TABLES",
    "DESCRIBE urls",
    "SUMMARIZE urls",
    "PIVOT urls ON host",
    "FROM (DESCRIBE urls)",
]


@pytest.mark.usefixtures("one_checker")
@case_table("where", HOSTILE_PREDICATES)
def test_a_hostile_predicate_is_refused(where: str) -> None:
    with pytest.raises(ConfigError, match=r"^urlset\.toml, \[\[rule\]\] 1 \(SHOP001\): "):
        checked(where=where)
    # It is refused for itself, and not because the database fails.
    checked(where="true")


@pytest.mark.usefixtures("one_checker")
@case_table("query", HOSTILE_QUERIES)
def test_a_hostile_query_is_refused(query: str, tmp_path: Path) -> None:
    file = tmp_path / "secret.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(ConfigError, match=r"^urlset\.toml, \[\[rule\]\] 1 \(SHOP001\): "):
        checked(query=query.replace("{file}", str(file)))
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]
    assert file.read_text() == "a,b\n1,2\n"
    # It is refused for itself, and not because the database fails.
    checked(query="SELECT document_id FROM urls")


def test_every_function_that_reads_or_writes_is_refused() -> None:
    """Whatever DuckDB offers under a name that speaks of files, settings or the machine."""
    found = duckdb.connect().execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() WHERE regexp_matches(function_name, "
        "'read|scan|sniff|glob|env|setting|write|query|duckdb_|pragma|secret|attach|load|parquet|which|file')"
    )
    names = [name for (name,) in found.fetchall() if name.isidentifier()]
    assert {"read_csv", "read_text", "glob", "current_setting", "duckdb_settings"} <= set(names)
    accepted = []
    with _Checker(PARAMETERS) as checker:
        for name in names:
            for column in (f"{name}(loc) AS value FROM urls", f"1 AS value FROM {name}('x')"):
                own = CustomRule(code="SHOP001", message="m", origin="here", query=f"SELECT 1 AS document_id, {column}")
                with contextlib.suppress(_NotAllowedError, duckdb.Error):
                    checker.check_rule(own)
                    accepted.append(name)
    # It takes a path apart and opens nothing.
    assert set(accepted) <= {"parse_filename"}
