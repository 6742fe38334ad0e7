"""Checks for pages whose canonical URL redirects to the page itself, for example because the generator writes URLs
without a final slash, and the host adds it.

## Why is this bad
The page names a URL that sends search engines back to the page. They usually index the page anyway, but they have to
decide for themselves which of the two URLs to show, and each visit to the canonical takes an extra request.

## Fails
```text
<!-- https://example.com/docs/ -->
<link rel="canonical" href="https://example.com/docs">

GET /docs
HTTP/1.1 301 Moved Permanently
Location: /docs/
```

## Passes
```text
<!-- https://example.com/docs/ -->
<link rel="canonical" href="https://example.com/docs/">
```
"""

from urlset.rules.queries import SAME_BUT_SPELLING
from urlset.rules.rule import Cause, Consequence, EntryRule, Severity

RULE = EntryRule(
    code="PGE036",
    name="canonical-redirects-back",
    severity=Severity.WARNING,
    leads_to=Consequence.SIGNALS,
    table="pages",
    field="canonical",
    where="status BETWEEN 200 AND 299 AND canonical_redirects",
    causes=(Cause("SIT005", SAME_BUT_SPELLING.format(one="canonical", other="final_url")),),
    message="Canonical URL redirects to the page itself",
    example="{final_url} has the canonical URL {value}, which redirects to it",
    effect="search engines have to choose between two URLs for {places:page|pages}, and need extra requests",
    fix="Configure the generator to write URLs as the host serves them, in canonical links and in the sitemap.",
    advice="Generators have a setting for this: `trailingSlash` in Docusaurus, Astro, and Gatsby, `uglyURLs` in Hugo, "
    "`permalink` in Jekyll. With the spelling that the host serves, links, canonical links, and the sitemap agree.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        "urlset",
    ),
    checks=("J07", "J08"),
)
