"""SQL in Spark's dialect, without Spark: what sqlglot alone would translate to something else."""

from __future__ import annotations

import pytest

from urlset.engine.spark.dialect import TranslationError, to_spark
from urlset.engine.spark.regular_expressions import PatternError, first_only, java_pattern

PATTERNS = [
    ("^a$", r"(?d)^a\z"),
    (r"a\$", r"(?d)a\$"),
    ("[$]", "(?d)[$]"),
    ("(?i)a", "(?d)(?iu)a"),
    ("(?is)a", "(?d)(?ius)a"),
    ("[[]", r"(?d)[\[]"),
    ("[]]", r"(?d)[\]]"),
    ("[^]a]$", r"(?d)[^\]a]\z"),
    ("[a&&b]", r"(?d)[a\&\&b]"),
    (r"[\]$]$", r"(?d)[\]$]\z"),
]


@pytest.mark.parametrize(("pattern", "java"), PATTERNS)
def test_pattern(pattern: str, java: str) -> None:
    assert java_pattern(pattern) == java


def test_options_of_a_pattern_become_part_of_it() -> None:
    assert java_pattern("a.b", "gi") == "(?d)(?iu)a.b"
    with pytest.raises(PatternError, match="the option 'x'"):
        java_pattern("a", "x")


@pytest.mark.parametrize(
    ("pattern", "group"), [("a", 1), ("(a)(?:b)", 2), (r"\(a", 1), ("[(]a(b)", 2), ("([ab]?c)", 2)]
)
def test_a_replacement_keeps_the_rest(pattern: str, group: int) -> None:
    assert first_only(pattern) == (rf"(?:{pattern})((?s:.*))\z", group)


EXPRESSIONS = [
    ("len(a)", "SIZE(a)"),
    ("length(a)", "LENGTH(a)"),
    ("a[1]", "TRY_ELEMENT_AT(a, 1)"),
    ("regexp_matches(a, 'b$')", "a RLIKE '(?d)b\\\\z'"),
    ("regexp_matches(a, 'c') <> regexp_matches(b, 'c')", "(a RLIKE '(?d)c') <> (b RLIKE '(?d)c')"),
    (
        "regexp_matches(a, 'c') IS NULL AND NOT regexp_matches(b, 'c')",
        "(a RLIKE '(?d)c') IS NULL AND NOT b RLIKE '(?d)c'",
    ),
    ("regexp_extract(a, 'b' || 'c', 1)", "REGEXP_EXTRACT(a, '(?d)bc', 1)"),
    ("regexp_extract(a, 'b')", "REGEXP_EXTRACT(a, '(?d)b', 0)"),
    ("regexp_replace(a, 'b', 'c$', 'g')", "REGEXP_REPLACE(a, '(?d)b', 'c\\\\$')"),
    ("regexp_replace(a, 'b', 'c')", "REGEXP_REPLACE(a, '(?:(?d)b)((?s:.*))\\\\z', 'c$1')"),
    (
        "regexp_replace(regexp_extract(a, 'b'), 'c', '', 'g')",
        "REGEXP_REPLACE(REGEXP_EXTRACT(a, '(?d)b', 0), '(?d)c', '')",
    ),
    ("arg_min(a, b)", "MIN_BY(a, b) FILTER(WHERE NOT a IS NULL)"),
    ("array_to_string(a, ',')", "ARRAY_JOIN(CAST(a AS ARRAY<STRING>), ',')"),
    ("date_diff('day', a, b)", "DATEDIFF(CAST(b AS DATE), CAST(a AS DATE))"),
    ("1.0 / a", "CAST(1.0 AS DOUBLE) / a"),
    ("TIMESTAMP '2026-01-01 00:00:00'", "CAST('2026-01-01 00:00:00' AS TIMESTAMP_NTZ)"),
]


@pytest.mark.parametrize(("duckdb", "spark"), EXPRESSIONS)
def test_expression(duckdb: str, spark: str) -> None:
    assert to_spark(f"SELECT ({duckdb})") == f"SELECT ({spark})"


def test_lists_that_are_unnested_in_parallel() -> None:
    assert to_spark("SELECT *, unnest(a) AS x, lower(unnest(b)) AS y FROM t") == (
        "SELECT * EXCEPT (place, items), TRY_ELEMENT_AT(a, unnested.place + 1) AS x, "
        "LOWER(TRY_ELEMENT_AT(b, unnested.place + 1)) AS y FROM t "
        "LATERAL VIEW POSEXPLODE(ARRAYS_ZIP(a, b)) unnested AS place, items"
    )


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT regexp_matches(a, b)", "a regular expression must be a constant"),
        ("SELECT regexp_replace(a, '(b)', '\\1')", "references to groups"),
        ("SELECT date_diff('hour', a, b)", "date_diff in hour"),
        ("SELECT a[b]", "an index that is not a constant"),
        ("SELECT (", "Required keyword"),
    ],
)
def test_what_has_no_equivalent_is_an_error(sql: str, reason: str) -> None:
    with pytest.raises(TranslationError, match=reason):
        to_spark(sql)
