"""Checks for links with a fragment (`#…`) that leads to nothing: the page has no element with that `id`, and no `<a>`
with that `name`. Case matters, and percent-encoding does not. If the page redirects, its target counts.

Pages that were not read completely, whose scripts make their content or read the fragment, or whose redirect replaces
it are unknown, and the links to their anchors are counted. Links that scripts handle (`onclick`, `role="button"`),
`#top`, `#/…`, `#!…`, and text directives (`#:~:text=`) are left out. If three pages or more link to the same anchor in
themselves, and lack it, they share a template, and are one finding.

## Why is this bad
The browser shows the top of the page, and visitors do not find what the link promises.

## Fails
```html
<a href="#prices">Prices</a>
<h2 id="our-prices">Prices</h2>
```

## Passes
```html
<a href="#prices">Prices</a>
<h2 id="prices">Prices</h2>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK014",
    name="anchor-missing",
    severity=Severity.WARNING,
    table="broken_anchors",
    field="url",
    where="true",
    detail="""
        CASE WHEN pages > 1 THEN 'lacks the anchor, as ' || pages || ' pages do that link to it in themselves'
            WHEN links > 1 THEN 'lacks the anchor; ' || links || ' pages link to it'
            ELSE 'lacks the anchor' END
    """,
    message="Link to an anchor that its page does not have",
    example="{linked_from} links to {value}, which {detail}",
    effect="browsers show the top of the page instead for {places:linked URL|linked URLs}",
    fix="Correct the fragment of the link, or add the id to the element that it should lead to.",
    sources=(
        "https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment",
        "urlset",
    ),
    since="0.2.0",
    checks=("J01",),
)
