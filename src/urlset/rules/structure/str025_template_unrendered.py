"""Checks for unrendered template source: front matter (`---` … `---`) before the document; `{{ … }}`, `{% … %}`, or `<%
… %>` in a URL, in a date, or between elements; or PHP code (`<?php`, `<?=`). Titles, captions, descriptions, and the
content of feeds may contain such markers, because they may be about templates.

## Why is this bad
Search engines request URLs such as `{{ page.url }}`, or drop the file because it is not well-formed XML. Most other
problems in the document are consequences of this one, so urlset does not report them: no other rule applies to entries
with a marker, and if a marker is outside a field, findings of ENC010 and of the families XML, STR, HNT, and TXT
are omitted for the document. The report shows how many; `--ignore STR025` shows them all.

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

from urlset.rules.rule import AnomalyRule, Cause, Consequence, Severity

RULE = AnomalyRule(
    code="STR025",
    name="template-unrendered",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    kinds=("unrendered-template",),
    silences=("XML", "STR", "HNT", "TXT", "ENC010"),
    message="Template was not rendered",
    causes=(Cause("SIT002", "TRUE"),),
    example="template code: {value}",
    fix="Publish the generator's output, not the template.",
    advice=(
        "Jekyll renders only files that start with front matter, so nothing may precede it. Hugo renders templates in "
        "`layouts`, not in `static`. For PHP, the web server must be configured to run PHP for this file. Do not "
        "list template files in a sitemap index."
    ),
    sources=("https://jekyllrb.com/docs/front-matter/", "https://www.sitemaps.org/protocol.html"),
    checks=("C15",),
)
