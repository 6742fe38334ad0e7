"""Builds the SQL of the engine: literals, parameters, and the statements for rules."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, structs

from urlset.engine.messages import Template
from urlset.errors import ExitCode, UrlsetError, UsageError
from urlset.rules.families import PARAMETER_NAME, PARAMETERS
from urlset.rules.queries import TRAIT_BITS, has_bit, trait_bits
from urlset.rules.rule import AnomalyRule, EntryRule, Rule, SetRule
from urlset.tables import CHILDREN, TABLES, URLS, Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Parameter: TypeAlias = int | float | tuple[str, ...] | datetime

SQL_TYPES: dict[str, str] = {
    "int32": "INTEGER",
    "int64": "BIGINT",
    "double": "DOUBLE",
    "bool": "BOOLEAN",
    "text": "VARCHAR",
    "text[]": "VARCHAR[]",
    "int64[]": "BIGINT[]",
    "timestamp": "TIMESTAMP",
}
"""DuckDB type for each type in `tables.py`."""

BREACH_COLUMNS: tuple[str, ...] = ("document_id", "ordinal", "line", "col", "url", "value")
"""Columns that the query of a set rule must return; additional columns are for its message."""

FIELD_PLACES: tuple[str, ...] = ("field_names", "field_lines", "field_cols")
"""Columns with the positions of the fields of a record, in tables that have them."""

ENTRY_TABLES: tuple[str, ...] = (URLS.name, CHILDREN.name)
"""Tables whose rows have traits."""

NO_NAME = "a^"
"""A pattern that matches nothing, for an empty list of alternatives."""

MASK_BITS = 60
"""Number of rules in one mask of the rules that a row breaks."""

# A `$` inside a string, quoted name, or comment is not a parameter; regular expressions often end in one.
_TOKEN = re.compile(
    r"""[eE]'(?:\\.|''|[^'\\])*' | '(?:''|[^'])*' | "(?:""|[^"])*" | --[^\n]* | /\*.*?\*/ | \$(?P<name>[A-Za-z_]\w*)""",
    re.VERBOSE | re.DOTALL,
)


def first_line(error: Exception) -> str:
    """Return the message of an error without the excerpt of the statement that follows."""
    return str(error).strip().split("\n", 1)[0]


class EngineError(UrlsetError):
    """A rule cannot be run because its SQL or its template is invalid: an error in the rule, not in the sitemap."""

    def __init__(self, code: str, reason: str, exit_code: ExitCode = ExitCode.FAULT) -> None:
        super().__init__(f"rule {code} cannot be run: {reason}")
        self.exit_code = exit_code
        self.code = code
        self.reason = reason


def literal(value: Parameter) -> str:
    """Return a number, a list of names, or an instant as SQL. An instant without a time zone is UTC.

    A list of names becomes a string with the alternatives of a regular expression, all of them literal.

    Raises:
        UsageError: The value has another type, or is not finite.
    """
    match value:
        case bool():
            pass
        case int():
            return str(value)
        case float() if math.isfinite(value):
            # A bare 0.9 would be a DECIMAL.
            return f"CAST({value!r} AS DOUBLE)"
        case datetime():
            at = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
            return f"TIMESTAMP '{at.isoformat(sep=' ', timespec='microseconds')}'"
        case tuple() if all(PARAMETER_NAME.fullmatch(name) for name in value):
            return text_literal("|".join(name.replace(".", "[.]") for name in value) or NO_NAME)
    raise UsageError(f"a parameter must be a finite number, a tuple of names, or a datetime, not {value!r}")


def check_parameters(parameters: Mapping[str, Parameter]) -> dict[str, str]:
    """Return the parameters as SQL literals, by name.

    Raises:
        UsageError: A name is not in `families.PARAMETERS`, or a value has the wrong type.
    """
    for name, value in parameters.items():
        if name not in PARAMETERS:
            raise UsageError(f"unknown parameter {name!r}; expected one of: {', '.join(sorted(PARAMETERS))}")
        if isinstance(value, datetime) != (name == "now"):
            raise UsageError(f"parameter {name!r} cannot be {value!r}")
    return {name: literal(value) for name, value in parameters.items()}


def bind(sql: str, literals: Mapping[str, str], code: str) -> str:
    """Return the SQL of rule `code` with each `$name` replaced by its literal, and nothing else changed.

    Raises:
        EngineError: A name is unknown.
    """
    if "$" not in sql:
        return sql

    def replace(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            return match[0]
        if name not in literals:
            problem = "the parameter has no value in this run" if name in PARAMETERS else "unknown parameter"
            raise EngineError(code, f"${name}: {problem}")
        return literals[name]

    return _TOKEN.sub(replace, sql)


def quote(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def identifier_list(names: Iterable[str]) -> str:
    """Return names as a list of SQL identifiers."""
    return ", ".join(map(quote, names))


def text_literal(text: str) -> str:
    """Return text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def section(url: str, start: str = "") -> str:
    """Return SQL for the section of a URL: the first folder of its path, such as `/blog/`; `/` if it is in none.

    Args:
        url: SQL for the URL.
        start: What all URLs start with. The first folder is the first one after the folders that it ends.
    """
    folders = re.fullmatch(r"[a-z]+://[^/?#]*(/(?:[^?#]*/)?)[^/]*", start)
    base = "/" if folders is None else folders[1]
    below = text_literal(re.escape(base))
    return f"concat({text_literal(base)}, regexp_extract({url}, concat('^[a-z]+://[^/?#]*', {below}, '([^/?#]*/)'), 1))"


def create_table(table: Table, columns: Sequence[Column], schema: str | None = None) -> str:
    """Return the statement that creates a table with some columns of `table`.

    Without a schema, it is a temporary one, unless it exists.
    """
    declarations = ", ".join(f"{quote(column.name)} {SQL_TYPES[column.type]}" for column in columns)
    what = (
        f"TEMP TABLE IF NOT EXISTS {quote(table.name)}"
        if schema is None
        else f"TABLE {quote(schema)}.{quote(table.name)}"
    )
    return f"CREATE {what} ({declarations})"


class RowRule(Struct, frozen=True):
    """A compiled rule on single rows of a table: an entry rule or an anomaly rule.

    Attributes:
        rule: The rule.
        table: The table.
        predicate: SQL, true of a row that breaks it.
        value: SQL for the value at fault; None without a value.
        detail: SQL for text that depends on the row; None if the text is always the same.
        field_of: SQL for the name of the column at fault; None if it is the same in each row.
        template: The message of an example.
        columns: The columns of the table that an example needs.
        place: The columns with line and column, the most precise first.
        causes: The code of each rule that causes violations, with SQL that is true of such rows.
        cause: The code of the rule that causes all violations of this part of a rule (`parts`); None if none does.
    """

    rule: EntryRule | AnomalyRule
    table: Table
    predicate: str
    value: str | None
    detail: str | None
    field_of: str | None
    template: Template
    columns: tuple[str, ...]
    place: tuple[tuple[str, str], ...]
    causes: tuple[tuple[str, str], ...] = ()
    cause: str | None = None

    def parts(self) -> Iterator[RowRule]:
        """Yield the rule for rows without a cause, then for those of each cause."""
        if not self.causes:
            yield self
            return
        for cause in (None, *(code for code, _ in self.causes)):
            yield structs.replace(self, cause=cause)

    @property
    def part_predicate(self) -> str:
        """SQL, true of a row of this part that breaks the rule."""
        if not self.causes:
            return self.predicate
        is_cause = f"IS NOT DISTINCT FROM {'NULL' if self.cause is None else text_literal(self.cause)}"
        return f"CASE WHEN {self.predicate} THEN {cause_sql(self.causes)} {is_cause} ELSE FALSE END"


class QueryRule(Struct, frozen=True):
    """A compiled set rule: its query, and the message of an example.

    Attributes:
        cause: SQL for the code of the rule that causes a row of the query; null if none does.
    """

    rule: SetRule
    query: str
    template: Template
    cause: str


def cause_sql(causes: Sequence[tuple[str, str]]) -> str:
    """Return SQL for the code of the first cause that applies to a row; null if none does."""
    cases = " ".join(f"WHEN (\n{where}\n) THEN {text_literal(code)}" for code, where in causes)
    return f"CASE {cases} END" if cases else "CAST(NULL AS VARCHAR)"


def compile_row_rule(rule: EntryRule | AnomalyRule, literals: Mapping[str, str]) -> RowRule:
    """Compile an entry rule or anomaly rule.

    Raises:
        EngineError: It names a table, column or parameter that does not exist.
    """
    table = _table_of(rule)
    predicate = _predicate(rule, literals)
    template = _template_of(rule)
    names = set(table.column_names)
    if rule.field is not None and rule.field not in names and isinstance(rule, EntryRule):
        raise EngineError(rule.code, f"table {table.name} has no column {rule.field}")
    detail = bind(rule.detail, literals, rule.code) if rule.detail is not None else None
    computed = {"value"} if detail is None else {"value", "detail"}
    if unknown := [name for name in template.names if name not in names | computed]:
        raise EngineError(rule.code, f"its example uses {unknown[0]}, which is not a column of table {table.name}")
    places = tuple(
        (line, col)
        for line, col in ((f"{rule.field}_line", f"{rule.field}_col"), ("line", "col"))
        if line in names and col in names
    )
    placing = [name for place in places for name in place]
    field_of = bind(rule.field_of, literals, rule.code) if isinstance(rule, EntryRule) and rule.field_of else None
    if field_of is not None or rule.field is not None:
        placing += FIELD_PLACES
    extra = (table.url_column, "field", "ordinal", "document_id", *placing, *table.ties)
    columns = dict.fromkeys(name for name in (*template.names, *extra) if name in names)
    value = _value_of(rule, table, literals)
    causes = _causes(rule, literals)
    return RowRule(rule, table, predicate, value, detail, field_of, template, tuple(columns), places, causes)


def compile_query_rule(rule: SetRule, literals: Mapping[str, str]) -> QueryRule:
    """Compile a set rule.

    Raises:
        EngineError: It names a table, column or parameter that does not exist.
    """
    _table_of(rule)
    query, cause = bind(rule.query, literals, rule.code), cause_sql(_causes(rule, literals))
    return QueryRule(rule, query, _template_of(rule), cause)


def _causes(rule: Rule, literals: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((cause.code, bind(cause.where, literals, rule.code)) for cause in rule.causes)


def _predicate(rule: EntryRule | AnomalyRule, literals: Mapping[str, str]) -> str:
    # Each condition on its own lines: the SQL of a rule may end in a comment.
    where = f"(\n{bind(rule.where, literals, rule.code)}\n)" if rule.where is not None else "TRUE"
    if isinstance(rule, AnomalyRule):
        kinds = ", ".join(map(text_literal, rule.kinds))
        return f"(kind IN ({kinds}) AND {where})"
    # CASE, since DuckDB would otherwise evaluate both for every row.
    traits = " AND ".join(map(has_bit, _row_traits(rule)))
    return f"CASE WHEN {traits} THEN {where} ELSE FALSE END" if traits else where


def _row_traits(rule: EntryRule) -> tuple[int, ...]:
    """Return bits of traits: a row that breaks the rule has at least one bit of each."""
    needed = [(need,) for need in rule.needs if need in TRAIT_BITS] if rule.table in ENTRY_TABLES else []
    try:
        return tuple(trait_bits(names) for names in (rule.traits, *needed) if names)
    except KeyError as unknown:
        raise EngineError(rule.code, f"unknown trait {unknown}") from None


def _table_of(rule: Rule) -> Table:
    if rule.table not in TABLES:
        raise EngineError(rule.code, f"unknown table {rule.table}")
    return TABLES[rule.table]


def _template_of(rule: Rule) -> Template:
    try:
        return Template.parse(rule.example)
    except ValueError as error:
        raise EngineError(rule.code, f"its example is invalid: {error}") from None


def _value_of(rule: EntryRule | AnomalyRule, table: Table, literals: Mapping[str, str]) -> str | None:
    if rule.value is not None:
        return bind(rule.value, literals, rule.code)
    return quote(rule.field) if rule.field is not None and rule.field in table.column_names else None


def count_statement(table: Table, rules: Sequence[RowRule], limit: int) -> str:
    """Return SQL that groups rows by the rules that they break: document_id, masks, number of violations, first keys.

    Args:
        table: The table of the rules.
        rules: The rules.
        limit: Maximum number of keys.
    """
    firsts = f"min({table.row_key}, {limit})" if limit else "max(NULL::BIGINT[])"
    masks = _masks(rules)
    groups = ", ".join(("document_id", *masks))
    columns = ", ".join(f"{sql} AS {name}" for name, sql in masks.items())
    return f"SELECT document_id, {columns}, {table.counted}, {firsts} FROM {quote(table.name)} GROUP BY {groups}"


def example_statement(table: Table, rules: Sequence[RowRule]) -> tuple[str, tuple[str, ...]]:
    """Return SQL for rows that break rules. Its parameters are two lists: of document_id and of keys.

    Returns:
        The statement, and the names of the table columns in its result. Each row has the masks and the key; for each
        rule, the value at fault, the detail, and the name of the column at fault (null if it does not break it); and
        the columns. The result may have more rows than the first ones of a rule.
    """
    key, name, masks = table.row_key, quote(table.name), _masks(rules)
    marked = ", ".join(f"{sql} AS {mask}" for mask, sql in masks.items())
    results = ", ".join(
        _where_broken(place, sql)
        for place, rule in enumerate(rules)
        for sql in (rule.value, rule.detail, rule.field_of)
    )
    columns = tuple(dict.fromkeys(name for rule in rules for name in ("document_id", *rule.columns)))
    return (
        f"SELECT {', '.join(masks)}, {key}, {results}, {', '.join(map(quote, columns))} FROM ("
        f"SELECT *, {marked} FROM {name} "
        f"WHERE (document_id, {key}) IN (SELECT unnest($1::INTEGER[]), unnest($2::BIGINT[]))) AS {name}",
        columns,
    )


def rule_places(masks: Iterable[object]) -> Iterator[int]:
    """Yield the places of the rules that a row of these masks breaks."""
    for number, mask in enumerate(masks):
        rest = mask if isinstance(mask, int) else 0
        while rest:
            yield number * MASK_BITS + (rest & -rest).bit_length() - 1
            rest &= rest - 1


def mask_count(rules: Sequence[RowRule]) -> int:
    """Return the number of masks in the statements of these rules."""
    return -(-len(rules) // MASK_BITS)


def _masks(rules: Sequence[RowRule]) -> dict[str, str]:
    """Return the masks of rows by name, as SQL: each has a bit for each rule that a row breaks, up to `MASK_BITS`."""
    # A bit for each rule, since counts with conditions of their own take DuckDB twice as long to plan.
    return {
        _mask(first): " | ".join(
            _bits(list(parts))
            for _, parts in groupby(enumerate(rules[first : first + MASK_BITS]), lambda place: place[1].rule.code)
        )
        for first in range(0, len(rules), MASK_BITS)
    }


def _bits(parts: Sequence[tuple[int, RowRule]]) -> str:
    """Return SQL for the bit of the part of a rule that a row breaks, whose condition is evaluated once for all parts.

    Args:
        parts: Parts of one rule, each with the place of its bit.
    """
    bits = {part.cause: 1 << place for place, part in parts}
    _, rule = parts[0]
    cases = " ".join(f"WHEN (\n{where}\n) THEN {bits.get(code, 0)}" for code, where in rule.causes)
    own = bits.get(None, 0)
    return f"CASE WHEN {rule.predicate} THEN {f'CASE {cases} ELSE {own} END' if cases else own} ELSE 0 END"


def _mask(place: int) -> str:
    return quote(f"broken {place // MASK_BITS}")


def _where_broken(place: int, sql: str | None) -> str:
    # Only there: the expression may fail on rows that it was not written for.
    return (
        f"CASE WHEN {_mask(place)} & {1 << place % MASK_BITS} <> 0 THEN (\n{sql}\n) END" if sql is not None else "NULL"
    )
