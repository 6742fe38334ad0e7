"""The DuckDB engine, against hand-made tables: exact counts, examples in document order, every scope and span."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from urlset import _core
from urlset.engine.duckdb import Engine
from urlset.engine.memory_database import ROWS_FOR_THREADS
from urlset.engine.rule_sql import EngineError, compile_row_rule, count_statement
from urlset.errors import ExitCode, UsageError
from urlset.model.finding import Finding
from urlset.rules.rule import AnomalyRule, Cause, EntryRule, Rule, RuleScope, SetRule, Severity
from urlset.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path

Chunk = Callable[..., dict[str, object]]
MakeRule = Callable[..., Rule]
Find = Callable[..., list[Finding]]


def url(ordinal: int, document_id: int = 0, **facts: Any) -> dict[str, Any]:
    row = {
        "document_id": document_id,
        "ordinal": ordinal,
        "line": ordinal + 2,
        "col": 3,
        "byte_offset": ordinal * 100,
        "loc": f"https://example.com/{document_id}/{ordinal}",
        "loc_line": ordinal + 2,
        "loc_col": 13,
    }
    return row | facts


def anomaly(kind: str, byte_offset: int, document_id: int = 0, **facts: Any) -> dict[str, Any]:
    row = {"document_id": document_id, "kind": kind, "byte_offset": byte_offset, "evidence": f"at {byte_offset}"}
    return row | {"line": byte_offset, "col": 1, "count": 1} | facts


class TestEntryRules:
    def test_counts_are_exact_beyond_the_examples(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [url(n) for n in range(1_000)]
        [finding] = find(rule(where="ordinal % 2 = 1", field="loc"), chunk=chunk(urls=rows, batch=64), max_examples=3)
        assert finding.count == 500
        assert [example.ordinal for example in finding.examples] == [1, 3, 5]

    def test_a_condition_is_evaluated_once_for_all_causes(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        causes = (Cause(code="LOC001", where="ordinal = 1"), Cause(code="LOC002", where="ordinal < 3"))
        odd = rule(where="ordinal >= 1 AND loc <> ''", field="loc", causes=causes)
        assert isinstance(odd, EntryRule)
        parts = [*compile_row_rule(odd, {}).parts()]
        assert count_statement(TABLES["urls"], parts, 3).count("loc <> ''") == 1
        [finding] = find(odd, chunk=chunk(urls=[url(n) for n in range(5)]))
        assert (finding.count, finding.causes) == (4, {"LOC001": 1, "LOC002": 1})

    def test_an_example_says_where_and_what(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        odd = rule(where="priority = 'x'", field="priority", example="{value} at {ordinal:,} of {loc}")
        rows = [url(0), url(1234, priority="x", priority_line=7, priority_col=21)]
        [finding] = find(odd, chunk=chunk(urls=rows))
        [example] = finding.examples
        assert (example.line, example.column, example.field, example.value) == (7, 21, "priority", "x")
        assert example.url == "https://example.com/0/1234"
        assert example.message == "x at 1,234 of https://example.com/0/1234"

    def test_an_example_masks_user_names_and_passwords(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        row = url(0, loc="https://bob:hunter2@example.com/a@b")
        credentials = rule(where="true", field="loc", example="{value} and {loc}")
        [finding] = find(credentials, chunk=chunk(urls=[row]))
        [example] = finding.examples
        assert example.url == example.value == "https://***@example.com/a@b"
        assert example.message == "https://***@example.com/a@b and https://***@example.com/a@b"

    def test_an_absent_field_points_to_the_entry(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        [finding] = find(
            rule(where="lastmod IS NULL", field="lastmod", example="is {value}"), chunk=chunk(urls=[url(5)])
        )
        [example] = finding.examples
        assert (example.line, example.column, example.value, example.message) == (7, 3, None, "is –")

    def test_findings_are_one_a_document_and_rule(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [url(n, document_id=d) for d in (3, 1) for n in range(5)]
        rules = [rule("TST002", where="ordinal >= 3"), rule("TST001", where="ordinal = document_id")]
        findings = find(*rules, chunk=chunk(urls=rows))
        assert [(f.document_id, f.rule.code, f.count) for f in findings] == [
            (1, "TST001", 1),
            (1, "TST002", 2),
            (3, "TST001", 1),
            (3, "TST002", 2),
        ]
        assert all(example.url and f"/{f.document_id}/" in example.url for f in findings for example in f.examples)

    def test_errors_come_before_warnings(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        severities = [Severity.HINT, Severity.WARNING, Severity.ERROR, Severity.INFO]
        rules = [rule(f"TST00{n}", severity=severity, where="true") for n, severity in enumerate(severities)]
        assert [f.severity for f in find(*rules, chunk=chunk(urls=[url(0)]))] == list(Severity)

    def test_a_null_predicate_is_no_breach(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        assert find(rule(where="priority_value > 1"), chunk=chunk(urls=[url(0)])) == []

    def test_value_is_only_worked_out_where_the_rule_is_broken(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        breaks = rule("TST001", where="priority = '7'", value="CAST(priority AS INTEGER) * 2", example="{value}")
        other = rule("TST002", where="ordinal = 0")
        findings = find(breaks, other, chunk=chunk(urls=[url(0, priority="none"), url(1, priority="7")]))
        assert [f.examples[0].message for f in findings] == ["14", "wrong"]

    def test_detail_says_what_depends_on_the_row(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        odd = rule(
            where="priority <> '1'",
            field="priority",
            detail="CASE priority WHEN '' THEN 'nothing' ELSE $max_bytes || ' bytes' END",
            example="{value}: {detail}",
        )
        rows = [url(n, priority=priority) for n, priority in enumerate(["", "1", "2"])]
        [finding] = find(odd, chunk=chunk(urls=rows), parameters={"max_bytes": 5})
        assert [example.message for example in finding.examples] == [": nothing", "2: 5 bytes"]

    def test_rows_with_a_position_take_the_url_of_their_entry(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        images = [
            {"document_id": 0, "ordinal": n, "position": p, "line": 10 * n + p, "col": 5, "loc": "/relative"}
            for n in (2, 0)
            for p in (1, 0)
        ]
        [finding] = find(
            rule(table="images", where="loc LIKE '/%'", field="loc"),
            chunk=chunk(urls=[url(n) for n in range(3)], images=images),
            max_examples=3,
        )
        assert finding.count == 4
        assert [(e.ordinal, e.line, e.url) for e in finding.examples] == [
            (0, 0, "https://example.com/0/0"),
            (0, 1, "https://example.com/0/0"),
            (2, 20, "https://example.com/0/2"),
        ]

    def test_no_examples_when_none_are_wanted(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        [finding] = find(rule(where="true"), chunk=chunk(urls=[url(0)]), max_examples=0)
        assert (finding.count, finding.examples) == (1, ())

    def test_more_rules_than_one_mask_has_bits(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [url(n) for n in range(140)]
        rules = [rule(f"TST{n:03}", where=f"ordinal IN ({n}, {n + 1})", value="ordinal") for n in range(0, 140, 2)]
        findings = find(*rules, chunk=chunk(urls=rows), max_examples=1)
        assert {f.rule.code: (f.count, f.examples[0].value) for f in findings} == {
            f"TST{n:03}": (2, str(n)) for n in range(0, 140, 2)
        }

    def test_a_row_may_break_some_rules_of_each_mask(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rules = [rule(f"TST{n:03}", where=f"ordinal % {n + 1} = 0", value="ordinal") for n in range(64)]
        findings = find(*rules, chunk=chunk(urls=[url(n) for n in range(1, 65)]), max_examples=2)
        assert {f.rule.code: (f.count, [e.value for e in f.examples]) for f in findings} == {
            f"TST{n:03}": (64 // (n + 1), [str(k * (n + 1)) for k in (1, 2) if k * (n + 1) <= 64]) for n in range(64)
        }

    def test_a_rule_may_end_in_a_comment(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        [finding] = find(rule(where="true -- always", value="loc -- the URL"), chunk=chunk(urls=[url(0)]))
        assert finding.examples[0].value == "https://example.com/0/0"

    def test_document_rules_see_every_document_once(self, rule: MakeRule) -> None:
        large = rule(table="documents", where="bytes > $max_bytes", field="bytes", example="{value:,} bytes")
        with Engine([large], {"max_bytes": 10}) as engine:
            assert engine.check({}, [{"document_id": 0, "bytes": 11}]) == []
            [finding] = engine.finish([{"document_id": 0, "bytes": 1_100}, {"document_id": 1, "bytes": 10}])
        [example] = finding.examples
        assert (finding.document_id, example.message, example.value) == (0, "1,100 bytes", "1100")
        assert (example.line, example.column, example.url) == (None, None, None)


class TestOddValues:
    @pytest.mark.parametrize(
        "value", ["{value}", "{", "}}", "%s", "'; DROP TABLE urls; --", "\x1b[31m", "", "ü \u202e"]
    )
    def test_a_value_is_never_read_as_a_template(self, value: str, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        [finding] = find(
            rule(where="true", field="changefreq", example="<{value}>"), chunk=chunk(urls=[url(0, changefreq=value)])
        )
        assert finding.examples[0].message == f"<{value}>"
        assert finding.examples[0].value == value

    def test_long_values_are_shortened_in_the_message_alone(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        long = "x" * 5_000
        [finding] = find(rule(where="true", field="loc", example="{loc}"), chunk=chunk(urls=[url(0, loc=long)]))
        assert finding.examples[0].message == "x" * 199 + "…"
        assert finding.examples[0].value == long

    def test_a_number_format_on_text_shows_the_text(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        [finding] = find(
            rule(where="true", example="{changefreq:,} {priority:,}"), chunk=chunk(urls=[url(0, changefreq="often")])
        )
        assert finding.examples[0].message == "often –"

    def test_lists_and_instants_are_shown_plainly(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        row = url(0, repeats=["loc=a", None], lastmod_at=datetime(2026, 1, 2, 3, 4, 5), priority_value=0.5)  # noqa: DTZ001
        [finding] = find(
            rule(where="true", value="repeats", example="{value} {lastmod_at} {priority_value}"),
            chunk=chunk(urls=[row]),
        )
        assert finding.examples[0].message == "loc=a, – 2026-01-02T03:04:05Z 0.5"
        assert finding.examples[0].value == "loc=a, –"

    def test_a_file_name_that_is_no_text_is_kept_readable(self, rule: MakeRule, find: Find) -> None:
        [finding] = find(
            rule(table="documents", where="true", field="url"),
            chunk={},
            documents=[{"document_id": 0, "url": "a\udcff"}],
        )
        assert finding.examples[0].value == r"a\udcff"


class TestAnomalyRules:
    def test_counts_add_up_what_each_row_stands_for(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [anomaly("bare-ampersand", n) for n in (30, 10, 20)] + [anomaly("bare-ampersand", 40, count=5_000)]
        bare = rule(kind=AnomalyRule, kinds=("bare-ampersand", "html-entity"), example="saw {evidence}")
        [finding] = find(bare, chunk=chunk(anomalies=[*rows, anomaly("doctype", 0)]), max_examples=2)
        assert finding.count == 5_003
        assert [(e.line, e.value, e.message) for e in finding.examples] == [
            (10, "at 10", "saw at 10"),
            (20, "at 20", "saw at 20"),
        ]

    def test_where_narrows_the_kinds(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [anomaly("field-empty", 1, field="lastmod"), anomaly("field-empty", 2, field="priority")]
        [finding] = find(
            rule(kind=AnomalyRule, kinds=("field-empty",), where="field = 'priority' OR field = 'x'"),
            chunk=chunk(anomalies=rows),
        )
        assert (finding.count, finding.examples[0].field) == (1, "priority")

    def test_the_entry_gives_the_url(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [
            anomaly("tag-case", 1, ordinal=1),
            anomaly("tag-case", 2, document_id=1, ordinal=0),
            anomaly("tag-case", 3),
        ]
        child = {"document_id": 1, "ordinal": 0, "loc": "https://example.com/child.xml"}
        findings = find(
            rule(kind=AnomalyRule, kinds=("tag-case",)),
            chunk=chunk(anomalies=rows, urls=[url(0), url(1)], children=[child]),
        )
        assert [[e.url for e in f.examples] for f in findings] == [
            ["https://example.com/0/1", None],
            ["https://example.com/child.xml"],
        ]

    def test_several_at_one_place_stay_apart(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [anomaly(kind, 5, evidence=f"{kind} {n}") for n in range(3) for kind in ("truncated", "no-root")]
        kinds = [rule(f"TST00{n}", kind=AnomalyRule, kinds=(kind,)) for n, kind in enumerate(("truncated", "no-root"))]
        first, second = find(*kinds, chunk=chunk(anomalies=rows), max_examples=2)
        assert [e.value for e in first.examples] == ["truncated 0", "truncated 1"]
        assert [e.value for e in second.examples] == ["no-root 0", "no-root 1"]


DUPLICATES = """
SELECT document_id, ordinal, line, col, loc AS url, loc AS value, first
FROM (
    SELECT *, min(ordinal) OVER (PARTITION BY {by}) AS first,
        row_number() OVER (PARTITION BY {by} ORDER BY {order}) AS nth
    FROM urls
)
WHERE nth > 1
"""


class TestSetRules:
    def test_a_query_is_counted_and_exemplified(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        twice = rule(
            kind=SetRule,
            query=DUPLICATES.format(by="document_id, loc", order="ordinal"),
            field="loc",
            example="also entry {first}",
        )
        rows = [url(n, document_id=d, loc=f"https://example.com/{n % 4}") for d in (0, 1) for n in range(12)]
        findings = find(twice, chunk=chunk(urls=rows), max_examples=2)
        assert [(f.document_id, f.count, [e.ordinal for e in f.examples]) for f in findings] == [
            (0, 8, [4, 5]),
            (1, 8, [4, 5]),
        ]
        example = findings[0].examples[0]
        assert (example.line, example.column, example.url) == (6, 3, "https://example.com/0")
        assert (example.field, example.message) == ("loc", "also entry 0")

    def test_documents_and_missing_tables_can_be_asked(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        query = """
            SELECT d.document_id, NULL AS ordinal, NULL AS line, NULL AS col, NULL AS url, d.kind AS value,
                   (SELECT count(*) FROM images) AS images
            FROM documents AS d WHERE d.document_id IN (SELECT document_id FROM urls)
        """
        [finding] = find(
            rule(kind=SetRule, query=query, example="{value}, {images} images"),
            chunk=chunk(urls=[url(0, document_id=7)]),
            documents=[{"document_id": 7, "kind": "urlset"}],
        )
        assert (finding.document_id, finding.examples[0].message) == (7, "urlset, 0 images")

    def test_a_rule_runs_only_where_its_table_has_rows(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        query = "SELECT document_id, 0 AS ordinal, 1 AS line, 1 AS col, '' AS url, '' AS value FROM documents"
        rules = [rule(f"TST00{n}", kind=SetRule, table=t, query=query) for n, t in enumerate(("videos", "documents"))]
        documents = [{"document_id": 0}]
        assert [f.rule.code for f in find(*rules, chunk=chunk(urls=[url(0)]), documents=documents)] == ["TST001"]
        assert len(find(*rules, chunk=chunk(videos=[]), documents=documents)) == 2

    def test_a_chunk_does_not_see_the_one_before(self, chunk: Chunk, rule: MakeRule) -> None:
        lonely = rule(
            kind=SetRule,
            query="SELECT document_id, 0 AS ordinal, 1 AS line, 1 AS col, '' AS url, '' AS value FROM documents",
        )
        with Engine([lonely], {}) as engine:
            for document_id in (0, 1):
                [finding] = engine.check(chunk(urls=[]), [{"document_id": document_id}])
                assert finding.document_id == document_id

    def test_run_rules_see_all_documents_at_once(self, chunk: Chunk, rule: MakeRule) -> None:
        across = rule(
            kind=SetRule,
            scope=RuleScope.RUN,
            query=DUPLICATES.format(by="loc", order="document_id, ordinal")
            + " AND document_id IN (SELECT document_id FROM documents)",
        )
        documents = [{"document_id": d} for d in range(3)]
        with Engine([across], {}) as engine:
            for document in documents:
                same = [url(n, loc=f"https://example.com/{n}", **document) for n in range(100)]
                assert engine.check(chunk(urls=same), [document]) == []
            findings = engine.finish(documents)
        assert [(f.document_id, f.count, f.examples[0].ordinal) for f in findings] == [(1, 100, 0), (2, 100, 0)]

    def test_run_rules_work_when_no_chunk_came(self, rule: MakeRule) -> None:
        query = DUPLICATES.format(by="loc", order="ordinal")
        with Engine([rule(kind=SetRule, scope=RuleScope.RUN, query=query)], {}) as engine:
            assert engine.finish([]) == []

    def test_a_run_rule_gets_only_what_it_needs(self, chunk: Chunk, rule: MakeRule) -> None:
        query = "SELECT document_id, ordinal, line, col, NULL AS url, line AS value FROM urls"
        with Engine([rule(kind=SetRule, scope=RuleScope.RUN, query=query)], {}) as engine:
            engine.check(chunk(urls=[url(0)]), [])
            kept = engine._connection.execute("DESCRIBE run.urls").fetchall()
            assert [name for name, *_ in kept] == ["document_id", "ordinal", "line", "col"]
            assert engine.finish([])[0].count == 1

    def test_examples_do_not_depend_on_the_threads(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        query = "SELECT document_id, ordinal, 1 AS line, 1 AS col, loc AS url, loc AS value FROM urls"
        rows = [url(0, loc=f"https://example.com/{n:04}") for n in range(5_000)]
        [finding] = find(rule(kind=SetRule, query=query), chunk=chunk(urls=rows, batch=100), max_examples=3)
        assert [e.value for e in finding.examples] == [f"https://example.com/{n:04}" for n in range(3)]


class TestParameters:
    def test_they_stand_in_where_value_and_query(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rules = [
            rule("TST001", where="ordinal >= $max_entries", value="$max_entries + 1", example="{value}"),
            rule(
                "TST002",
                kind=SetRule,
                query="SELECT document_id, ordinal, line, col, loc AS url, $near_limit AS value FROM urls LIMIT 1",
                example="{value}",
            ),
        ]
        parameters = {"max_entries": 2, "near_limit": 0.9}
        findings = find(*rules, chunk=chunk(urls=[url(n) for n in range(3)]), parameters=parameters)
        assert [(f.count, f.examples[0].message) for f in findings] == [(1, "3"), (1, "0.9")]

    @pytest.mark.parametrize(
        "now",
        [
            datetime(2026, 1, 1, 12, 0),  # noqa: DTZ001
            datetime(2026, 1, 1, 12, 0, tzinfo=UTC),
            datetime(2026, 1, 1, 14, 0, tzinfo=timezone(timedelta(hours=2))),
        ],
    )
    def test_now_is_an_instant(self, now: datetime, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        rows = [url(n, lastmod_at=datetime(2026, 1, 1, 12, 0, n)) for n in range(3)]  # noqa: DTZ001
        [finding] = find(rule(where="lastmod_at > $now"), chunk=chunk(urls=rows), parameters={"now": now})
        assert [e.ordinal for e in finding.examples] == [1, 2]

    @pytest.mark.parametrize(
        "parameters",
        [
            {"limit": 1},
            {"max_bytes": "1; DROP TABLE x"},
            {"max_bytes": True},
            {"max_bytes": datetime(2026, 1, 1, tzinfo=UTC)},
            {"near_limit": float("nan")},
            {"now": 5},
            {"secret_parameters": ("a'b",)},
        ],
    )
    def test_wrong_ones_are_refused(self, parameters: Any) -> None:
        with pytest.raises(UsageError):
            Engine([], parameters)

    def test_a_missing_value_names_the_rule(self, rule: MakeRule) -> None:
        with pytest.raises(EngineError, match=r"rule TST001 .*\$now: the parameter has no value in this run"):
            Engine([rule(where="lastmod_at > $now")], {})

    def test_a_regular_expression_keeps_its_dollar(self, chunk: Chunk, rule: MakeRule, find: Find) -> None:
        [finding] = find(
            rule(where="regexp_matches(loc, '^x$now|a''$max_bytes$') OR loc = '$now' /* $now */ -- $now"),
            chunk=chunk(urls=[url(0, loc="$now"), url(1, loc="x")]),
        )
        assert finding.count == 1


class TestFailures:
    @pytest.mark.parametrize(
        ("facts", "reason"),
        [
            ({"where": "no_such_column > 1"}, "no_such_column"),
            ({"where": "CAST(loc AS INTEGER) > 1"}, "Could not convert"),
            ({"where": "true", "value": "CAST(loc AS INTEGER)"}, "Could not convert"),
            ({"kind": SetRule, "query": "SELECT 1 AS document_id"}, "does not return the column ordinal"),
            ({"kind": SetRule, "query": "SELECT document_id FROM WHERE"}, "syntax error"),
            (
                {
                    "kind": SetRule,
                    "query": "SELECT NULL AS document_id, 0 ordinal, 0 line, 0 col, '' url, '' \"value\"",
                },
                "without document_id",
            ),
            ({"kind": SetRule, "query": "SELECT * FROM read_csv('/etc/hosts')"}, "disabled by configuration"),
        ],
    )
    def test_bad_sql_names_its_rule(
        self, facts: dict[str, Any], reason: str, chunk: Chunk, rule: MakeRule, find: Find
    ) -> None:
        good = [rule("TST001", where="true"), rule("TST003", where="ordinal = 0")]
        with pytest.raises(EngineError, match=f"rule TST002 cannot be run: .*{reason}") as caught:
            find(good[0], rule("TST002", **facts), good[1], chunk=chunk(urls=[url(0)]))
        assert caught.value.exit_code is ExitCode.FAULT

    @pytest.mark.parametrize(
        ("facts", "reason"),
        [
            ({"where": "true", "example": "{nothing}"}, "uses nothing"),
            ({"where": "true", "example": "{loc.upper}"}, "not a plain name"),
            ({"where": "true", "example": "{loc"}, "example is invalid"),
            ({"where": "true", "field": "nothing"}, "no column nothing"),
            ({"where": "true", "table": "nothing"}, "unknown table nothing"),
            ({"kind": SetRule, "query": "", "table": "nothing"}, "unknown table nothing"),
            ({"kind": SetRule, "scope": RuleScope.RUN, "query": "SELECT FROM WHERE"}, "syntax error"),
            ({"kind": SetRule, "scope": RuleScope.RUN, "query": "DROP TABLE urls"}, "Only SELECT"),
        ],
    )
    def test_a_rule_that_cannot_work_is_found_at_once(self, facts: dict[str, Any], reason: str, rule: MakeRule) -> None:
        with pytest.raises(EngineError, match=f"rule TST001 cannot be run: .*{reason}"):
            Engine([rule(**facts)], {})

    def test_an_unknown_table_in_a_chunk_is_refused(self) -> None:
        with Engine([], {}) as engine, pytest.raises(UsageError, match="'pages'"):
            engine.check({"pages": object()}, [])

    def test_the_engine_goes_on_after_a_failure(self, chunk: Chunk, rule: MakeRule) -> None:
        with Engine([rule(where="CAST(loc AS INTEGER) > 1")], {}) as engine:
            with pytest.raises(EngineError):
                engine.check(chunk(urls=[url(0)]), [])
            assert engine.check(chunk(urls=[url(0, loc="2")]), [])[0].count == 1


class TestResources:
    @pytest.mark.usefixtures("own_database")
    def test_past_the_memory_limit_tables_go_to_disk_and_queries_get_more(
        self, chunk: Chunk, rule: MakeRule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        query = DUPLICATES.format(by="loc", order="document_id")
        across = rule(kind=SetRule, scope=RuleScope.RUN, query=query)
        spilled = 0
        # With one thread, the memory is that of two.
        monkeypatch.setattr("urlset.engine.duckdb.MEMORY_PER_THREAD", 20)
        with Engine([across], {}, threads=1) as engine:
            one = chunk(urls=[url(n, loc=f"https://example.com/{n}/" + "x" * 200) for n in range(10_000)], batch=10_000)
            for _ in range(18):
                engine.check(one, [])
                spilled = max(spilled, sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file()))
            [finding] = engine.finish([])
        assert finding.count == 17 * 10_000
        assert spilled > 1_000_000
        assert list(tmp_path.iterdir()) == []

    def test_nothing_is_left_or_printed(self) -> None:
        script = (
            "from urlset.engine.duckdb import Engine\n"
            "import sys\n"
            "with Engine([], {}) as engine: engine.finish([{'document_id': 0}])\n"
            "assert 'pyarrow' not in sys.modules and 'pandas' not in sys.modules\n"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.long("slow cases")
@pytest.mark.usefixtures("own_database")
def test_several_threads_are_for_many_rows(monkeypatch: pytest.MonkeyPatch, chunk: Chunk, rule: MakeRule) -> None:
    monkeypatch.setattr("urlset.engine.duckdb.default_threads", lambda: 3)
    columns = [(column.name, column.type) for column in TABLES["urls"].columns]
    few = {"urls": _core.Table.from_rows(columns, [url(0)])}
    many = {"urls": _core.Table.from_rows(columns, [url(0)] * ROWS_FOR_THREADS)}

    def threads(engine: Engine) -> object:
        return engine._statements.rows("SELECT current_setting('threads')")[0][0]

    with Engine([rule(where="TRUE")], {}) as engine:
        engine.check(few, [])
        assert threads(engine) == 1
        engine.check(many, [])
        assert threads(engine) == 3
    with Engine([rule(where="TRUE")], {}) as engine:
        engine.load(chunk(urls=[url(0)]))
        assert threads(engine) == 3
    with Engine([rule(where="TRUE")], {}, threads=2) as engine:
        assert threads(engine) == 2
