"""Checks for links whose fragment (`#…`) has no target: the page has no element with that `id`, and no `<a>` with that
`name`. Case matters, percent-encoding does not. If the page redirects, the target of the redirect is checked.

The anchors of a page are unknown if it was not read completely, if its scripts create its content or read the
fragment, or if its redirect replaces the fragment. Links to such anchors are only counted. Links within a page that
scripts handle (`onclick`, `role="button"`), `#top`, `#/…`, `#!…`, and text directives (`#:~:text=`) are not checked. If
three or more pages link to the same anchor on themselves and lack it, the link is in their template and is reported
once.

Scripts are not run. On a page with a script, two more kinds of links are only counted, since a script may add the
anchor or use the link as a button: fragments with `:` or `=`, such as `#tab=2`, and links in the template of three or
more pages whose anchor is on none of the pages that were read, such as `#menu`.

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
        CASE WHEN pages > 1 THEN 'lacks the anchor; ' || pages || ' pages link to it on themselves and lack it'
            WHEN links = 2 THEN 'lacks the anchor; 1 other page links to it'
            WHEN links > 2 THEN 'lacks the anchor; ' || links - 1 || ' other pages link to it'
            ELSE 'lacks the anchor' END
    """,
    message="Link to an anchor that does not exist",
    example="{linked_from} links to {value}, which {detail}",
    effect="browsers show the top of the page for {places:linked URL|linked URLs}",
    fix="Correct the fragment of the link, or add the id to the element that it should lead to.",
    sources=(
        "https://html.spec.whatwg.org/multipage/browsing-the-web.html#scrolling-to-a-fragment",
        "urlset",
    ),
    checks=("J01",),
)
