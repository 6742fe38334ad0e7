"""Translates SQL from DuckDB to Spark, and corrects everything in which sqlglot's translation gives another result.

The rules are written in DuckDB's SQL. Spark runs with ANSI mode, in UTC, and with timestamps without a time zone
(`SETTINGS`), so that it raises an error where DuckDB does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.spark import Spark
from sqlglot.errors import SqlglotError
from sqlglot.parsers.duckdb import DuckDBParser

from urlset.engine.rule_sql import first_line
from urlset.engine.spark.regular_expressions import PatternError, first_only, java_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SETTINGS: Mapping[str, str] = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.caseSensitive": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
}
"""Settings of the session that runs translated SQL."""


class TranslationError(Exception):
    """SQL has no equivalent on Spark; the message says why."""


class _Parser(DuckDBParser):
    # sqlglot parses both `len` and `length` as the length of text. In the SQL of rules, `len` is for lists.
    FUNCTIONS: ClassVar = {**DuckDBParser.FUNCTIONS, "LEN": exp.ArraySize.from_arg_list}


@lru_cache(maxsize=4096)
def to_spark(sql: str) -> str:
    """Return a query in Spark's dialect.

    Raises:
        TranslationError: The SQL is invalid, or has no equivalent.
    """
    try:
        tree = parse(sql)
        for select in list(tree.find_all(exp.Select)):
            _zip_unnested(select)
        # The innermost first, since a correction contains what it corrects.
        for node in reversed(list(tree.walk())):
            if (correct := _CORRECTIONS.get(type(node))) is not None:
                node.replace(correct(node.copy()))
        # A call in DuckDB, and an operator in Spark, which needs parentheses as an operand.
        for match in list(tree.find_all(exp.RegexpLike)):
            above = match.parent
            if isinstance(above, exp.Binary | exp.Is) and not isinstance(above, exp.Connector):
                match.replace(exp.Paren(this=match.copy()))
        return str(tree.sql(Spark))
    except (SqlglotError, PatternError, ValueError) as error:
        raise TranslationError(first_line(error)) from error


def parse(sql: str) -> exp.Expr:
    """Return the syntax tree of a query in DuckDB's dialect.

    Raises:
        TranslationError: The SQL is invalid.
    """
    source = DuckDB()
    try:
        [tree] = _Parser(dialect=source).parse(source.tokenize(sql), sql)
    except (SqlglotError, ValueError) as error:
        raise TranslationError(first_line(error)) from error
    if tree is None:
        raise TranslationError("the SQL is empty")
    return tree


def _zip_unnested(select: exp.Select) -> None:
    """Replace lists that are unnested in parallel by one generator: Spark allows only one."""
    lists = [explode for item in select.expressions for explode in item.find_all(exp.Explode)]
    if not lists:
        return
    zipped = exp.func("ARRAYS_ZIP", *(explode.this.copy() for explode in lists))
    lateral = exp.Lateral(
        this=exp.Anonymous(this="POSEXPLODE", expressions=[zipped]),
        view=True,
        alias=exp.TableAlias(
            this=exp.to_identifier("unnested"), columns=[exp.to_identifier("place"), exp.to_identifier("items")]
        ),
    )
    select.append("laterals", lateral)
    for explode in lists:
        place = exp.Add(this=exp.column("place", "unnested"), expression=exp.Literal.number(1))
        explode.replace(exp.Anonymous(this="TRY_ELEMENT_AT", expressions=[explode.this.copy(), place]))
    # Without the columns of the generator, `*` would have two more.
    for star in [item for item in select.expressions if isinstance(item, exp.Star)]:
        star.set("except_", [exp.to_identifier("place"), exp.to_identifier("items")])


def _cte(node: exp.Expr) -> exp.Expr:
    node.set("materialized", None)
    return node


def _by_extreme(node: exp.Expr) -> exp.Expr:
    """DuckDB ignores rows in which the returned value is null."""
    return exp.Filter(this=node, expression=exp.Where(this=node.this.copy().is_(exp.null()).not_()))


def _constant(node: exp.Expr | None, what: str) -> str:
    """Return the text of an expression of literals, such as `'a' || 'b'`."""
    match node:
        case exp.Literal(is_string=True):
            return str(node.this)
        case exp.Paren():
            return _constant(node.this, what)
        case exp.DPipe():
            return _constant(node.left, what) + _constant(node.right, what)
        case exp.Concat():
            return "".join(_constant(part, what) for part in node.expressions)
        case _:
            raise TranslationError(f"{what} must be a constant to be translated for Spark")


def _pattern(node: exp.Expr, flags: exp.Expr | None) -> str:
    return java_pattern(
        _constant(node, "a regular expression"), "" if flags is None else _constant(flags, "an option of a pattern")
    )


def _pattern_or_case(node: exp.Expr, flags: exp.Expr | None) -> exp.Expr:
    """Return the pattern, or a CASE between patterns, as an expression."""
    if not isinstance(node, exp.Case):
        return exp.Literal.string(_pattern(node, flags))
    copy = node.copy()
    for branch in copy.args["ifs"]:
        branch.set("true", exp.Literal.string(_pattern(branch.args["true"], flags)))
    if (default := copy.args.get("default")) is not None:
        copy.set("default", exp.Literal.string(_pattern(default, flags)))
    return copy


def _matches(node: exp.Expr) -> exp.Expr:
    return exp.RegexpLike(this=node.this, expression=_pattern_or_case(node.expression, node.args.get("flag")))


def _extract(node: exp.Expr) -> exp.Expr:
    pattern = _pattern_or_case(node.expression, node.args.get("parameters"))
    group = node.args.get("group") or exp.Literal.number(0)
    return exp.Anonymous(this="REGEXP_EXTRACT", expressions=[node.this, pattern, group])


def _replace(node: exp.Expr) -> exp.Expr:
    """DuckDB replaces the first match only, unless `g` is given; Spark replaces all."""
    flags = node.args.get("modifiers")
    pattern = _pattern(node.expression, flags)
    replacement = _constant(node.args["replacement"], "the replacement of a regular expression")
    if "\\" in replacement:
        raise TranslationError("references to groups in a replacement are not supported on Spark")
    replacement = replacement.replace("$", "\\$")
    if flags is None or "g" not in flags.name:
        pattern, rest = first_only(pattern)
        replacement += f"${rest}"
    return exp.Anonymous(
        this="REGEXP_REPLACE",
        expressions=[node.this, exp.Literal.string(pattern), exp.Literal.string(replacement)],
    )


def _date_diff(node: exp.Expr) -> exp.Expr:
    """DuckDB counts the midnights between two instants, Spark the whole days."""
    if (unit := node.args.get("unit")) is not None and unit.name.upper() not in ("DAY", "DAYS"):
        raise TranslationError(f"date_diff in {unit.name.lower()} is not supported on Spark")
    dates = [exp.cast(operand, "date") for operand in (node.this, node.expression)]
    return exp.Anonymous(this="DATEDIFF", expressions=dates)


def _divide(node: exp.Expr) -> exp.Expr:
    """DuckDB divides as DOUBLE; Spark divides decimal literals as DECIMAL."""
    return exp.Div(this=exp.cast(node.this, "double"), expression=node.expression)


def _item(node: exp.Expr) -> exp.Expr:
    """DuckDB returns null for an item that a list does not have; Spark fails."""
    [place] = node.expressions
    if not isinstance(place, exp.Literal):
        raise TranslationError("an index that is not a constant is not supported on Spark")
    return exp.Anonymous(this="TRY_ELEMENT_AT", expressions=[node.this, exp.Literal.number(int(place.name) + 1)])


def _join_texts(node: exp.Expr) -> exp.Expr:
    """Spark only joins lists of text."""
    texts = exp.cast(node.this, exp.DataType.build("array<string>", dialect="spark"))
    return exp.Anonymous(this="ARRAY_JOIN", expressions=[texts, node.expression])


_CORRECTIONS: Mapping[type[exp.Expr], Callable[[exp.Expr], exp.Expr]] = {
    exp.CTE: _cte,
    exp.ArgMin: _by_extreme,
    exp.ArgMax: _by_extreme,
    exp.RegexpLike: _matches,
    exp.RegexpExtract: _extract,
    exp.RegexpReplace: _replace,
    exp.DateDiff: _date_diff,
    exp.Div: _divide,
    exp.Bracket: _item,
    exp.ArrayToString: _join_texts,
}
