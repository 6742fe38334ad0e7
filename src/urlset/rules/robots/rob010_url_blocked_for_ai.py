"""Checks for listed URLs that robots.txt blocks for an AI crawler: one that collects pages to train models, to answer
questions, or on behalf of a user. Only the crawlers selected with `--agents` are checked.

## Why is this bad
Blocking may be intended. It matters if the site should also be cited in AI answers: OAI-SearchBot and PerplexityBot
find pages for answers, while GPTBot and Google-Extended are for training.

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

from urlset.rules.crawlers import IS_AI, blocked_urls
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="ROB010",
    name="url-blocked-for-ai",
    severity=Severity.INFO,
    table="blocked_urls",
    field="loc",
    query=blocked_urls(IS_AI),
    message="robots.txt blocks an AI crawler from the URL",
    example="blocked for {value} by line {robots_line} of robots.txt: {pattern}",
    fix="Keep the rule if you want to block this crawler. Otherwise, add a group that allows the crawler.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
        "https://platform.openai.com/docs/bots",
    ),
    checks=("J09",),
)
