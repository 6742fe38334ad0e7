"""Every rule is held to its page, its sources, the tables, the reader's vocabulary and the other engine's SQL."""

from __future__ import annotations

import ast
import dataclasses
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import duckdb
import pytest
import sqlglot
from msgspec import structs
from sqlglot.errors import ErrorLevel
from tests.cases import case_table

import make_rules
import urlset
from urlset import _core
from urlset.engine.columns_read import columns_read
from urlset.engine.rule_sql import BREACH_COLUMNS, ENTRY_TABLES, bind, check_parameters, create_table
from urlset.errors import UsageError
from urlset.options import RequiredField, ValidateOptions
from urlset.rules import explanation, registry, templates
from urlset.rules.derived import DERIVED, DERIVED_OF_RUN
from urlset.rules.families import DEFAULT_LIMITS, FAMILIES, Family
from urlset.rules.queries import TRAIT_BITS, has_trait
from urlset.rules.rule import AnomalyRule, CheckEffect, Consequence, EntryRule, Lifecycle, Rule, SetRule
from urlset.rules.wording import DATE_PROBLEMS, URL_PROBLEMS
from urlset.tables import CHUNK_TABLES, RUN_TABLES, TABLES

RULES = registry.all_rules()
CASES = Path(__file__).parent / "cases"
PARAMETERS = check_parameters({**DEFAULT_LIMITS, "now": datetime(2026, 1, 1, tzinfo=UTC)})

each_rule = case_table("rule", RULES, ids=lambda rule: rule.code)
each_module = case_table("module", make_rules.rule_modules, ids=lambda module: module.RULE.code)


def codes(prefix: str) -> set[str]:
    return {rule.code for rule in RULES if rule.code.startswith(prefix)}


def sections(module: ModuleType) -> dict[str, str]:
    """The sections of a rule's docstring, by their headings, in order."""
    parts = re.split(r"^## (.+)$", module.__doc__ or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


def blocks(section: str) -> list[str]:
    return re.findall(r"```\w+\n(.*?)\n```", section, flags=re.DOTALL)


def expressions(rule: Rule) -> list[str]:
    """The SQL of a rule as whole statements."""
    parts = () if isinstance(rule, SetRule) else (rule.where, rule.value, rule.detail)
    statements = [f"SELECT ({part}\n) FROM {rule.table}" for part in parts if part is not None]
    statements += [rule.query] if isinstance(rule, SetRule) else []
    return [bind(sql, PARAMETERS, rule.code) for sql in statements]


def database(rule: Rule) -> duckdb.DuckDBPyConnection:
    """Empty tables, as much of them as the engine keeps for the rule."""
    connection = duckdb.connect()
    needs = columns_read(rule.query, connection) if isinstance(rule, SetRule) else {}
    for name in RUN_TABLES:
        connection.execute(create_table(TABLES[name], TABLES[name].columns, "main"))
    for name in (*CHUNK_TABLES, *DERIVED, *DERIVED_OF_RUN, "documents"):
        table = TABLES[name]
        columns = table.columns
        if rule.spans_run:
            columns = tuple(table.column(column) for column in needs.get(name, ()))
        if columns:
            connection.execute(create_table(table, columns, "main"))
    if rule.spans_run:
        connection.execute("CREATE TABLE required_urls (url VARCHAR, url_hash BIGINT)")
    return connection


# The page.


@each_module
def test_file_and_family(module: ModuleType) -> None:
    code = module.RULE.code
    folder, file = module.__name__.rsplit(".", 2)[1:]
    assert re.fullmatch(r"[A-Z]{3}[0-9]{3}", code)
    assert re.fullmatch(rf"{code.lower()}_[a-z0-9_]+", file)
    assert [family.folder for family in FAMILIES if family.prefix == module.RULE.family] == [folder]


@each_module
def test_page(module: ModuleType) -> None:
    rule: Rule = module.RULE
    found = explanation.sections(rule)
    assert list(found) == ["What it does", "Why is this bad", "Fails", "Passes", "How to fix", "Sources"]
    assert all(found.values())
    assert found["What it does"].startswith("Checks for ")
    assert " ".join(found["How to fix"].split()) == f"{rule.fix} {rule.advice}".strip()
    assert [line.removeprefix("- ") for line in found["Sources"].splitlines()] == list(rule.sources)
    assert blocks(found["Fails"])
    assert blocks(found["Fails"])[0].strip()
    assert blocks(found["Passes"])
    assert blocks(found["Passes"])[0].strip()
    assert found["Fails"] != found["Passes"]


@each_module
def test_the_docstring_does_not_repeat_what_the_rule_states(module: ModuleType) -> None:
    """Title, severity, standing, fix and sources are fields of the rule: the page takes them from there."""
    rule: Rule = module.RULE
    assert list(sections(module)) == ["Why is this bad", "Fails", "Passes"]
    prose = " ".join(re.sub(r"```.*?```", "", module.__doc__ or "", flags=re.DOTALL).split())
    stated = [f"{rule.code}:", rule.name, rule.fix, "--profile", "--preview", "--require", "Severity:"]
    stated += [source for source in rule.sources if source != "urlset"]
    assert not [fact for fact in stated if re.search(rf"(?<![\w-]){re.escape(fact)}(?![\w-])", prose)]


@each_rule
def test_sources(rule: Rule) -> None:
    assert rule.sources
    assert all(source == "urlset" or source.startswith("https://") for source in rule.sources)
    assert len(set(rule.sources)) == len(rule.sources)


@each_rule
def test_words(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert not rule.message.endswith(".")
    assert rule.fix.endswith(".")
    assert rule.advice == "" or rule.advice.endswith(".")
    assert rule.advice == rule.advice.strip()
    assert rule.fix not in rule.advice
    for written in (rule.fix, rule.advice):
        assert not re.search(r"[<>&]", re.sub(r"`[^`]*`", "", written)), "Markdown would take it for markup"
    assert not rule.example.endswith(".")
    assert all(re.fullmatch(r"[A-K][0-9]{2}", check) for check in rule.checks)
    assert rule.checks, "no check of the catalogue is named"


CONSTANT = {
    "ENC005", "FET021", "XML012",
}  # fmt: skip
"""Rules that look at one thing of a whole document, which the example names without a value."""


@each_rule
def test_an_example_names_the_thing_and_not_what_it_might_be(rule: Rule) -> None:
    assert rule.code in CONSTANT or rule.example_names, "the example of each place is the same"
    assert " or " not in rule.example


@each_rule
def test_its_effect_says_who_does_what_for_how_many(rule: Rule) -> None:
    if rule.consequence is Consequence.SIGNALS or rule.effect:
        of_site = rule.family == "SIT"
        assert of_site or re.search(r"\{places:[^{}|]+\|[^{}|]+\}", rule.effect), "no number of places"
        assert not rule.effect.endswith(".")
        assert rule.effect[:1].islower() or re.match(r"Google|AI|[{]", rule.effect)


@each_rule
def test_its_causes_are_rules(rule: Rule) -> None:
    codes = [cause.code for cause in rule.causes]
    if isinstance(rule, EntryRule):
        # Spark judges the causes of a row in a function that cannot query tables.
        assert not any(re.search(r"\bselect\b", cause.where, re.IGNORECASE) for cause in rule.causes)
    assert set(codes) <= {other.code for other in registry.all_rules()} - {rule.code}
    assert len(codes) == len(set(codes))


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in RULES}) == len(RULES)
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert [rule.code for rule in RULES] == [module.RULE.code for module in make_rules.rule_modules()]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.prefix)
def test_a_limit_is_in_the_family_of_rules_that_use_it(family: Family) -> None:
    used = " ".join(str(structs.asdict(rule)) for rule in registry.rule_templates() if rule.family == family.prefix)
    assert [limit.name for limit in family.limits if f"${limit.name}" not in used] == []


def test_every_family_has_rules() -> None:
    assert {rule.family for rule in RULES} == {family.prefix for family in FAMILIES}


def test_no_rule_is_left_in_a_folder_that_is_not_searched() -> None:
    folder = Path(registry.__file__).parent
    files = {path.stem for path in folder.glob("*/*.py") if path.stem != "__init__"}
    assert files == {module.__name__.rsplit(".", 1)[1] for module in make_rules.rule_modules()}


@each_rule
def test_cases_of_each_sort(rule: Rule) -> None:
    cases = tomllib.loads((CASES / f"{rule.code}.toml").read_text("utf-8"))
    assert cases.keys() == {"fails", "passes", "near"}
    assert all(cases[sort] for sort in cases)


def test_no_case_without_rule() -> None:
    assert {path.stem for path in CASES.iterdir()} == {rule.code for rule in RULES}


def test_no_code_of_a_rule_is_a_special_case_elsewhere() -> None:
    """What the pipeline, the engine or a report has to know of a rule is a field of the rule."""
    package = Path(urlset.__file__).parent
    elsewhere = [path for path in package.rglob("*.py") if "rules" not in path.relative_to(package).parts[:-1]]
    assert len(elsewhere) > 100
    known = codes("")
    named = {
        (path.name, node.value)
        for path in elsewhere
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in known
    }
    assert not named


# The SQL.


@each_rule
def test_what_breaks_it(rule: Rule) -> None:
    if isinstance(rule, EntryRule):
        assert rule.where is not None or rule.traits
        assert rule.where is not None or not rule.needs, "a trait without a predicate is what the rule looks for"
        assert not rule.traits or rule.table in ENTRY_TABLES
        assert set(rule.traits) <= _core.vocabularies()["traits"].keys()
    elif isinstance(rule, AnomalyRule):
        assert rule.kinds
        assert rule.table == "anomalies"
    else:
        assert rule.query
    assert rule.table in TABLES


@each_rule
def test_options_that_it_requires(rule: Rule) -> None:
    fields = {field.name for field in dataclasses.fields(ValidateOptions)}
    assert set(rule.requires) <= fields
    assert rule.required_field is None or rule.required_field in list(RequiredField)


@each_rule
def test_its_page_says_what_runs_it(rule: Rule) -> None:
    assert ("--preview" in rule.standing) == (rule.lifecycle is Lifecycle.PREVIEW)
    assert ("--profile" in rule.standing) == (rule.profile is not None)
    assert ("--require" in rule.standing) == (rule.required_field is not None)
    assert ("urlset coverage" in rule.standing) == rule.needs_coverage
    assert ("urlset logs" in rule.standing) == rule.needs_logs
    assert ("urlset deploy-check" in rule.standing) == rule.needs_deployment
    assert "urlset audit" in rule.standing or not rule.needs_pages or rule.needs_coverage or rule.needs_logs


@pytest.mark.sampled(60)
@case_table("rule", [rule for rule in RULES if isinstance(rule, SetRule)], ids=lambda rule: rule.code)
def test_the_tables_that_it_names_are_those_that_its_query_reads(rule: SetRule) -> None:
    with duckdb.connect() as connection:
        read = {rule.table, *columns_read(rule.query, connection)}
        behind = [columns_read(query, connection) for name, query in DERIVED_OF_RUN.items() if name in rule.tables]
        assert (rule.tables & TABLES.keys()).union(*behind) == read


@case_table("path, text", lambda: make_rules.texts().items(), ids=lambda case: case[0].name)
def test_what_a_run_loads_is_what_the_modules_say(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "run `make build`"


def test_a_rule_that_is_loaded_equals_the_one_that_is_written() -> None:
    assert registry.rule_templates() == make_rules.rules_of(tuple(make_rules.rule_modules()))


@pytest.mark.sampled(60)
@each_rule
def test_sql_runs_on_the_tables(rule: Rule) -> None:
    with database(rule) as connection:
        for statement in expressions(rule):
            connection.execute(statement)


@each_rule
def test_entry_rules_do_not_join(rule: Rule) -> None:
    if isinstance(rule, EntryRule) and rule.where is not None:
        assert not list(sqlglot.parse_one(rule.where.replace("$", ":"), read="duckdb").find_all(sqlglot.exp.Select))


@each_rule
def test_findings_do_not_depend_on_the_order_of_rows(rule: Rule) -> None:
    query = rule.query if isinstance(rule, SetRule) else ""
    assert not re.search(r"\b(any_value|arbitrary|first|last)\(", query), "say which value: min, min_by"


@pytest.mark.sampled(60)
@each_rule
def test_example_names_exist(rule: Rule) -> None:
    names = set(rule.example_names)
    if not isinstance(rule, SetRule):
        assert ("detail" in names) == (rule.detail is not None)
        columns = {"value", "detail", *TABLES[rule.table].column_names}
        assert rule.field is None or rule.field in columns
        assert "value" not in names or rule.value is not None or rule.field is not None
    else:
        with database(rule) as connection:
            described = connection.execute(f"DESCRIBE {bind(rule.query, PARAMETERS, rule.code)}").fetchall()
        columns = {name for name, *_ in described}
        assert columns >= set(BREACH_COLUMNS)
    assert names <= columns


@pytest.mark.sampled(60)
@each_rule
def test_sql_can_be_said_in_sparks_dialect(rule: Rule) -> None:
    for statement in expressions(rule):
        parsed = sqlglot.parse_one(statement, read="duckdb", error_level=ErrorLevel.RAISE)
        said = parsed.sql(dialect="spark", unsupported_level=ErrorLevel.RAISE)
        # What sqlglot does not know it hands on unchanged: it must at least be able to read it back.
        again = sqlglot.parse_one(said, read="spark", error_level=ErrorLevel.RAISE)
        unknown = {function.name.lower() for function in again.find_all(sqlglot.exp.Anonymous)}
        assert not unknown, said


# The reader's vocabulary.


def test_every_malformation_belongs_to_exactly_one_rule() -> None:
    kinds = _core.vocabularies()["anomaly_kinds"]
    evidence = [kind for rule in RULES if isinstance(rule, AnomalyRule) for kind in rule.kinds]
    assert len(evidence) == len(set(evidence)), "a kind belongs to two rules"
    assert {kind for kind, (_, breaks_xml) in kinds.items() if breaks_xml} <= set(evidence)
    assert set(evidence) == set(kinds)


def test_every_problem_has_words() -> None:
    assert URL_PROBLEMS.keys() == _core.vocabularies()["url_problems"].keys()
    assert DATE_PROBLEMS.keys() == _core.vocabularies()["date_problems"].keys()


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("column", "vocabulary", "table"),
    [
        ("loc_problem", "url_problems", "urls"),
        ("lastmod_problem", "date_problems", "urls"),
        ("loc_problem", "url_problems", "children"),
        ("lastmod_problem", "date_problems", "children"),
        ("hreflang_problem", "hreflang_problems", "alternates"),
        ("href_problem", "url_problems", "alternates"),
    ],
)
def test_every_problem_is_reported_once(column: str, vocabulary: str, table: str) -> None:
    """A row with one problem breaks one rule; that of an empty field is the reader's to note."""
    name, kind = ("http", "urlset") if table != "alternates" else (None, "urlset")
    for problem in _core.vocabularies()[vocabulary]:
        connection = duckdb.connect()
        for each in ("documents", table):
            connection.execute(create_table(TABLES[each], TABLES[each].columns, "main"))
        connection.execute(f"INSERT INTO documents (document_id, kind) VALUES (0, '{kind}')")
        scheme = {"relative": None, "empty": None, "unset-variable": None, "not-http": "ftp"}.get(problem, name)
        row = {"document_id": 0, "ordinal": 0, "line": 1, "col": 1, column: problem}
        row |= (
            {"hreflang": "a", "href": "b", "rel": "alternate"}
            if table == "alternates"
            else {"loc": "a", "scheme": scheme}
        )
        if table != "alternates":
            row["traits"] = _core.vocabularies()["traits"][column.replace("_", "-")][1]
        places = ", ".join("?" for _ in row)
        connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))
        asked = [rule for rule in RULES if rule.table == table and rule.required_field is None]
        hit = [rule.code for rule in asked if breaks(connection, rule, table)]
        expected = 0 if problem == "empty" and table != "alternates" else 1
        assert len(hit) == expected, (problem, hit)


def breaks(connection: duckdb.DuckDBPyConnection, rule: Rule, table: str) -> bool:
    if isinstance(rule, EntryRule):
        # On other tables, the needs are traits of documents.
        needs = TRAIT_BITS.keys() & rule.needs if table == "urls" else ()
        traits = [has_trait(some) for some in (rule.traits, needs) if some]
        conditions = [rule.where or "TRUE", *traits]
        statement = f"SELECT count(*) FROM {table} WHERE {' AND '.join(f'({each})' for each in conditions)}"
    elif isinstance(rule, SetRule) and rule.code in {"LOC001", "TXT001"}:
        statement = f"SELECT count(*) FROM ({rule.query})"
    else:
        return False
    counted = connection.execute(bind(statement, PARAMETERS, rule.code)).fetchone()
    return counted is not None and counted[0] > 0


# The scored check: fail only for what its specification names.


def test_what_fails_the_scored_check() -> None:
    assert {rule.name for rule in RULES if rule.check_effect is CheckEffect.FAIL} == {
        "not-a-sitemap",
        "unknown-root",
        "loc-missing",
        "url-relative",
        "url-variable-unset",
        "url-not-http",
        "line-not-url",
        "child-not-absolute",
        "too-many-urls",
        "too-many-children",
        "too-large",
        "missing-root",
        "empty-sitemap",
        "empty-feed",
        # Not valid XML.
        "malformed-markup",
        "unescaped-ampersand",
        "undefined-entity",
        "forbidden-character",
        "content-before-declaration",
        "document-cut-off",
        "unbalanced-tags",
        "content-outside-root",
        "undeclared-prefix",
        "encoding-unknown",
    }


# The registry.


def test_rule_and_page() -> None:
    assert registry.rule("LOC003") is registry.rule(" loc003 ")
    page = explanation.page(registry.rule("LOC003"), "Severity: error.")
    assert page.startswith("# LOC003: url-too-long\n\nSeverity: error.\n\n## What it does\nChecks for URLs ")
    assert page.endswith(".xsd\n")
    assert explanation.page(registry.rule("LOC003")).startswith("# LOC003: url-too-long\n\n## What it does\n")


def test_the_page_names_the_limits_of_the_run() -> None:
    [template] = [rule for rule in registry.rule_templates() if rule.code == "LIM001"]
    page = explanation.page(templates.fill_limits(template, {"max_entries": 1_234}))
    assert "## How to fix\nSplit the sitemap into files of at most 1,234 URLs" in page


def test_a_rule_of_the_users_own_has_no_sections() -> None:
    assert explanation.sections(structs.replace(registry.rule("LOC003"), code="OWN001")) == {}


@pytest.mark.parametrize(
    ("code", "near"), [("LOC999", "LOC"), ("LOC03", "LOC003"), ("url-too-lng", "LOC003"), ("LOI", "LOC")]
)
def test_near_codes_are_named(code: str, near: str) -> None:
    with pytest.raises(UsageError, match=near):
        registry.rule(code)


def test_nothing_near() -> None:
    with pytest.raises(UsageError, match="the families are FET, ROB, ENC"):
        registry.rule("????????")


@pytest.mark.parametrize(
    ("select", "ignore", "chosen"),
    [
        ([], [], {rule.code for rule in RULES}),
        (["TXT"], [], codes("TXT")),
        (["txt", "DUP001"], [], codes("TXT") | {"DUP001"}),
        (["HNT"], ["HNT001"], codes("HNT") - {"HNT001"}),
        (["HNT001"], ["HNT"], {"HNT001"}),
        (["HNT001"], ["HNT001"], set()),
        (["HNT"], ["H"], codes("HNT")),
        ([], [family.prefix for family in FAMILIES if family.prefix != "TXT"], codes("TXT")),
        (["TXT001"], ["LOC"], {"TXT001"}),
    ],
)
def test_select(select: list[str], ignore: list[str], chosen: set[str]) -> None:
    assert {rule.code for rule in registry.select(RULES, select, ignore)} == chosen


def test_select_keeps_the_order() -> None:
    assert [rule.code for rule in registry.select(RULES, ["HNT00", "ENC001"])][:3] == ["ENC001", "HNT001", "HNT002"]


@pytest.mark.parametrize(("select", "ignore"), [(["LOK"], []), ([], ["LOC03"]), ([""], []), (["LOC"], ["XLM"])])
def test_unknown_prefixes(select: list[str], ignore: list[str]) -> None:
    with pytest.raises(UsageError, match=r"did you mean|the families are"):
        registry.select(RULES, select, ignore)


@each_module
def test_a_rule_in_preview_says_why(module: ModuleType) -> None:
    assert module.RULE.lifecycle is Lifecycle.STABLE or "In preview because" in (module.__doc__ or "")


def test_rules_in_preview_run_only_when_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # As if LOC008 (a fragment in the URL) were in preview.
    rules = [structs.replace(rule, lifecycle=Lifecycle.PREVIEW) if rule.code == "LOC008" else rule for rule in RULES]
    monkeypatch.setattr("urlset.stages.ruleset.rule_templates", lambda: tuple(rules))
    [loc008] = [rule for rule in rules if rule.code == "LOC008"]
    assert "In preview" in loc008.standing
    assert "In preview" not in registry.rule("LOC001").standing
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    document = f'<urlset xmlns="{namespace}"><url><loc>https://example.com/a#b</loc></url></urlset>'.encode()
    now = datetime(2026, 1, 1, tzinfo=UTC)

    def codes(**options: object) -> set[str]:
        return {finding.rule.code for finding in urlset.validate(document, now=now, **options).findings}  # type: ignore[arg-type]

    assert "LOC008" not in codes()
    assert "LOC008" not in codes(select=["LOC"])
    assert "LOC008" in codes(preview=True)
    assert codes(select=["loc008"]) == {"LOC008"}
    config = tmp_path / "urlset.toml"
    config.write_text("preview = true\n")
    assert "LOC008" in codes(config=config)
    assert "LOC008" not in codes(config=config, preview=False)
