"""Checks for the source of a template instead of its result: front matter (`---` … `---`) before the document, `{{ …
}}`, `{% … %}` or `<% … %>` in a URL, in a date or between elements, or a PHP program (`<?php`, `<?=`). Titles,
captions, descriptions and the content of feeds may hold such markers: they may be about templates.

## Why is this bad
Engines look for pages at addresses like `{{ page.url }}`, or drop the file because it is not well-formed XML. Other
faults of the document mostly follow from this one, so they are not reported beside it: no other rule is applied to
entries that hold a marker, and where a marker stands outside of fields, findings of ENC010 and of the families XML,
STR, HNT, TXT and XSD are left out for that document. The report says how many; `--ignore STR025` shows them all.

## Fails
```xml
---
layout: null
---
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  {% for page in site.pages %}
  <url><loc>{{ page.url | absolute_url }}</loc></url>
  {% endfor %}
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/about</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="STR025",
    name="template-unrendered",
    severity=Severity.ERROR,
    kinds=("unrendered-template",),
    silences=("XML", "STR", "HNT", "TXT", "XSD", "ENC010"),
    message="Template code was not rendered",
    example="not rendered: {value}",
    fix="Publish what the generator makes of the template, not the template itself.",
    advice=(
        "Jekyll renders only files that begin with front matter, so nothing may stand before it; Hugo renders "
        "templates in `layouts`, not those in `static`; a web server has to know that PHP is to be run for this "
        "file. Do not list template files in an index."
    ),
    sources=("https://jekyllrb.com/docs/front-matter/", "https://www.sitemaps.org/protocol.html"),
    checks=("C15",),
)
