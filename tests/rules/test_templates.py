"""The words of rules name the limits of the run: a message must not name another number than was compared with."""

from __future__ import annotations

import pytest

from urlset.rules import registry
from urlset.rules.families import DEFAULT_LIMITS
from urlset.rules.rule import Rule, SetRule
from urlset.rules.templates import fill_limits

TEMPLATES = registry.rule_templates()


def words(rule: Rule) -> tuple[str, ...]:
    detail = None if isinstance(rule, SetRule) else rule.detail
    return rule.message, rule.example, rule.fix, rule.advice, detail or ""


def limits_in_sql(rule: Rule) -> set[str]:
    sql = rule.query if isinstance(rule, SetRule) else f"{rule.where} {rule.detail}"
    return {name for name in DEFAULT_LIMITS if f"${name}" in sql}


@pytest.mark.parametrize("rule", [rule for rule in TEMPLATES if limits_in_sql(rule)], ids=lambda rule: rule.code)
def test_a_limit_of_the_sql_is_a_name_in_the_words(rule: Rule) -> None:
    for name in limits_in_sql(rule):
        usual = DEFAULT_LIMITS[name]
        if isinstance(usual, int):
            assert not any(f"{usual:,} " in text or f"{usual // 1024**2} MB" in text for text in words(rule))


def test_which_rules_name_limits() -> None:
    codes = {rule.code for rule in TEMPLATES if fill_limits(rule, DEFAULT_LIMITS) != rule}
    assert codes == {
        "IDX001", "IDX006", "IDX019", "IMG002", "LIM001", "LIM002", "LIM003", "LIM004", "LOC003", "LOC006",
        "NWS002", "PGE027", "LNK009", "LOG002", "LOG006",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "limit", "value", "message"),
    [
        ("LOC003", "max_url_length", 2_048, "URL is longer than 2,048 characters"),
        ("LOC003", "max_url_length", 1_024, "URL is longer than 1,024 characters"),
        ("LIM002", "max_bytes", 52_428_800, "Sitemap is larger than 50 MiB uncompressed"),
        ("LIM002", "max_bytes", 10_485_760, "Sitemap is larger than 10 MiB uncompressed"),
        ("LIM002", "max_bytes", 1_000, "Sitemap is larger than 1,000 bytes uncompressed"),
        ("LIM004", "max_bytes", 52_428_800, "Sitemap is close to the limit of 50 MiB"),
        ("LIM004", "max_bytes", 1_000, "Sitemap is close to the limit of 1,000 bytes"),
    ],
)
def test_message(code: str, limit: str, value: int, message: str) -> None:
    [rule] = [rule for rule in TEMPLATES if rule.code == code]
    assert fill_limits(rule, {**DEFAULT_LIMITS, limit: value}).message == message


@pytest.mark.parametrize(
    ("limit", "number"), [(1_000, "1,001st"), (1, "2nd"), (2, "3rd"), (10, "11th"), (111, "112th"), (122, "123rd")]
)
def test_the_first_past_a_limit(limit: int, number: str) -> None:
    [rule] = [rule for rule in TEMPLATES if rule.code == "IMG002"]
    example = fill_limits(rule, {**DEFAULT_LIMITS, "max_images_per_url": limit}).example
    assert example == f"{number} image of the entry: {{value}}"
