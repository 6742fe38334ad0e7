"""Checks for `Crawl-delay` lines in robots.txt without effect: the value is not a number of seconds, or the line is
before the first `User-agent` line.

Bing obeys Crawl-delay. One of its managers said that, unlike other lines, the one of the group for all crawlers applies
to bingbot even if another group names it, as reported; its documentation does not say so. Google has never supported
Crawl-delay, and Yandex has ignored it since 2018-02-22.

## Why is this bad
Crawlers that obey Crawl-delay ignore the line, and request pages as fast as without it.

## Fails
```text
User-agent: *
Crawl-delay: 10s
```

## Passes
```text
User-agent: *
Crawl-delay: 10
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB015",
    name="crawl-delay-invalid",
    severity=Severity.WARNING,
    table="robots_extensions",
    field="value",
    where="key = 'Crawl-delay' AND problem IS NOT NULL",
    message="Crawl-delay line in robots.txt has no effect",
    example="{detail}",
    detail="""
        CASE problem
            WHEN 'empty' THEN 'it has no value'
            WHEN 'delay-invalid' THEN value || ' is not a number of seconds'
            ELSE value || ' is before the first User-agent line'
        END
    """,
    effect="no crawler obeys {places:line|lines}",
    fix="Write the seconds as a plain number, below a User-agent line.",
    sources=(
        "https://www.bing.com/webmasters/help/how-to-create-a-robots-txt-file-cb7c31ec",
        "https://thrivesearch.com/robots-txt-tip-from-bing-include-all-relevant-directives-if-you-have-a-bingbot-section/",
        "https://www.yandex.com/support/webmaster/en/robot-workings/crawl-delay.html",
    ),
    checks=("J09",),
)
