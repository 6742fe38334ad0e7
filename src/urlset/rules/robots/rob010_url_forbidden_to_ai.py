"""Checks for a listed URL that robots.txt forbids a crawler of AI to fetch: one that gathers pages to train models or
to answer questions from. Only the crawlers that the run asks about count.

## Why is this bad
That may well be meant. It is worth knowing when the same site wants to be cited in answers: OAI-SearchBot and
PerplexityBot find pages for that, GPTBot and Google-Extended are about training.

## Fails
```text
User-agent: GPTBot
User-agent: OAI-SearchBot
Disallow: /
```

## Passes
```text
User-agent: GPTBot
Disallow: /

User-agent: OAI-SearchBot
Allow: /
```
"""

from urlset.rules.crawlers import IS_AI, forbidden_urls
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="ROB010",
    name="url-forbidden-to-ai",
    severity=Severity.INFO,
    table="forbidden",
    field="loc",
    query=forbidden_urls(IS_AI),
    message="robots.txt forbids the URL to a crawler of AI",
    example="closed to {value} by line {robots_line} of robots.txt ({pattern})",
    fix="Nothing, if it is meant; otherwise give the crawler a group of its own.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
        "https://platform.openai.com/docs/bots",
    ),
    checks=("J09",),
)
