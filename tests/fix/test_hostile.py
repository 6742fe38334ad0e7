"""Documents that are made to do harm."""

from __future__ import annotations

import gzip
import json

import pytest
from lxml import etree

import urlset
from urlset.model.fix import FixOutcome
from urlset.repair.render import render
from urlset.report.json_outputs import FIX

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
ENTRY = b"<url><loc>https://example.com/</loc></url>"


def refused(content: bytes, **options: int) -> str:
    (document,) = urlset.fix(content, **options).documents  # type: ignore[arg-type]
    assert document.outcome is FixOutcome.NOT_REPAIRED
    assert document.content == content
    return document.reason or ""


def test_a_bomb_is_let_be() -> None:
    bomb = gzip.compress(HEAD + ENTRY + b" " * 2_000_000 + b"</urlset>")
    assert "exceeds the limit on its uncompressed size" in refused(bomb, max_document_bytes=100_000)
    assert "exceeds the limit on its uncompressed size" in refused(
        gzip.compress(b"https://example.com/\n" * 100_000), max_document_bytes=100_000
    )


def test_a_gzip_stream_that_is_cut_off_keeps_its_whole_entries() -> None:
    entries = b"".join(b"<url><loc>https://example.com/%d</loc></url>" % number for number in range(2_000))
    packed = gzip.compress(HEAD + entries + b"</urlset>")
    (document,) = urlset.fix(packed[: len(packed) // 2]).documents
    assert document.content is not None
    assert gzip.decompress(document.content).endswith(b"</urlset>\n")
    assert 0 < document.entries < 2_000
    assert document.cut_off
    assert not document.is_whole


@pytest.mark.parametrize(
    "body",
    [
        ENTRY + b"<!--" + b"-" * 5_000_000,
        ENTRY + b"<url a='" + b"b" * 5_000_000 + b"'/>",
        ENTRY + b"<url><loc>https://example.com/" + b"b" * 5_000_000 + b"</loc></url>",
    ],
    ids=["comment", "attribute", "text"],
)
def test_a_token_beyond_the_bound_is_no_document_of_ours(body: bytes) -> None:
    assert "exceeds the length limit" in refused(HEAD + body + b"</urlset>")


def test_elements_nested_beyond_the_bound() -> None:
    assert "nested" in refused(HEAD + ENTRY + b"<url>" + b"<a>" * 110_000 + b"</urlset>")


def test_an_entry_beyond_the_bound() -> None:
    image = b"<a xmlns='urn:x'>" + b"x" * 1_000_000 + b"</a>"
    assert "an entry that exceeds the size limit" in refused(HEAD + ENTRY + b"<url>" + image * 20 + b"</url></urlset>")


def test_a_million_faults_are_counted_and_not_kept() -> None:
    entries = b"<url><loc>/a</loc></url>" * 50_000
    (document,) = urlset.fix(HEAD + ENTRY + entries + b"</urlset>").documents
    assert (document.omitted, len(document.omissions)) == (50_000, 10_000)


def test_entities_are_not_expanded() -> None:
    layers = b"".join(b'<!ENTITY e%d "%s">' % (number, b"&e%d;" % (number - 1) * 10) for number in range(1, 10))
    content = HEAD.replace(b"\n<urlset", b"<!DOCTYPE urlset [<!ENTITY e0 'x'>" + layers + b"]><urlset")
    (document,) = urlset.fix(content + ENTRY + b"<url><loc>https://example.com/&e9;</loc></url></urlset>").documents
    assert document.entries == 1
    assert [omission.kind for omission in document.omissions] == ["declared-entity"]


NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
GOOD = "<url><loc>https://example.com/good</loc></url>"


@pytest.mark.parametrize(
    ("body", "left_out"),
    [
        (f'<urlset {NAMESPACE}>{GOOD}<url a="&x;"><loc>https://example.com/1</loc></url></urlset>', "example.com/1"),
        (f'<urlset {NAMESPACE}>{GOOD}<url><loc a="&x;">https://example.com/1</loc></url></urlset>', "example.com/1"),
        (f'<urlset {NAMESPACE} a="&x;">{GOOD}</urlset>', 'a="&x;"'),
        (f'<urlset {NAMESPACE} xmlns:q="&x;">{GOOD}<q:a/></urlset>', 'xmlns:q="&x;"'),
        (f'<q:urlset xmlns:q="&x;">{GOOD}</q:urlset>', 'xmlns:q="&x;"'),
        (f'<urlset {NAMESPACE}>{GOOD}<f:a xmlns:f="urn:f">&x;</f:a></urlset>', "<f:a"),
        (f'<urlset {NAMESPACE}>{GOOD}<f:a xmlns:f="urn:f" b="&x;"/></urlset>', "<f:a"),
        (
            f'<urlset {NAMESPACE}>{GOOD}<url><loc>https://example.com/1</loc><a b="&x;"/></url></urlset>',
            "example.com/1",
        ),
        (f"<urlset {NAMESPACE}>{GOOD}<url><loc>https://example.com/1</loc><a>&x;</a></url></urlset>", "example.com/1"),
        (f"<urlset {NAMESPACE}>{GOOD}<url><loc>https://example.com/&x;</loc></url></urlset>", "example.com/&x;"),
        (
            f'<urlset {NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">{GOOD}<url><loc>https://example.com/1</loc>'
            '<xhtml:link rel="alternate" hreflang="en" href="https://example.com/&x;"/></url></urlset>',
            "example.com/1",
        ),
        (
            f'<urlset {NAMESPACE} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">{GOOD}'
            '<url><loc>https://example.com/1</loc><image:image a="&x;"><image:loc>https://example.com/i</image:loc>'
            "</image:image></url></urlset>",
            "example.com/1",
        ),
    ],
)
@pytest.mark.parametrize("doctype", ["<!DOCTYPE urlset [{}]>", "<!DOCTYPE urlset SYSTEM 'a.dtd' [{}]>"])
def test_what_refers_to_a_declared_entity_goes_with_the_doctype(body: str, left_out: str, doctype: str) -> None:
    content = doctype.format('<!ENTITY x "y">') + body
    (document,) = urlset.fix(content.encode()).documents
    assert (document.outcome, document.entries) == (FixOutcome.REPAIRED, 1)
    assert document.content is not None
    root = etree.fromstring(document.content)
    assert [element.text for element in root.iter("{*}loc")] == ["https://example.com/good"]
    first = document.omissions[0]
    assert first.kind == "declared-entity"
    assert left_out in first.text


def test_attributes_of_one_name_and_namespace_are_written_once() -> None:
    content = (
        HEAD + b'<url xmlns:a="urn:x" xmlns:b="urn:x" a:c="1" b:c="2"><loc>https://example.com/</loc></url></urlset>'
    )
    (document,) = urlset.fix(content).documents
    assert document.content is not None
    assert b'a:c="1"><loc>' in document.content
    etree.fromstring(document.content)


@pytest.mark.parametrize(
    ("entry", "kept", "left_out"),
    [
        ("<loc>https://example.com/1</loc><loc>2</loc>", ["https://example.com/1"], ["2"]),
        ("<loc>1</loc><loc>https://example.com/2</loc><loc>ftp://3</loc>", ["https://example.com/2"], ["1", "ftp://3"]),
        ("<loc>1</loc><loc>2</loc>", [], ["1", "2"]),
        ("<loc>https://example.com/2</loc>https://example.com/1", ["https://example.com/2"], ["https://example.com/1"]),
        (f"<loc>/{'a' * 2_000}</loc>", [], [f"/{'a' * 2_000}"]),
    ],
)
def test_every_url_that_goes_is_named(entry: str, kept: list[str], left_out: list[str]) -> None:
    content = HEAD + ENTRY + f"<url>{entry}</url></urlset>".encode()
    report = urlset.fix(content, dry_run=True)
    (document,) = report.documents
    assert [omission.text for omission in document.omissions] == left_out
    written = json.loads("".join(FIX.json(report)))
    assert [omission["text"] for omission in written["documents"][0]["omissions"]] == left_out
    shown = "\n".join(render(report))
    assert all(f": {url}: " in shown for url in left_out)
    (document,) = urlset.fix(content).documents
    assert [entry.loc for entry in urlset.read(document.content or b"")] == ["https://example.com/", *kept]


def test_a_url_of_an_entry_that_is_cut_off_is_kept_or_named() -> None:
    cut = b"<url><lastmod>2024-01-05</lastmod><loc>https://example.com/cut</loc>"
    (document,) = urlset.fix(HEAD + ENTRY + cut).documents
    assert [entry.loc for entry in urlset.read(document.content or b"")] == [
        "https://example.com/",
        "https://example.com/cut",
    ]
    (document,) = urlset.fix(HEAD + ENTRY + cut[:-3]).documents
    assert [one.kind for one in document.omissions] == ["cut-off"]
    assert "https://example.com/cut" in document.omissions[0].text


LITERAL = "<url><loc>https://example.com/</loc></url>"
TEMPLATES = {
    "front matter": f"---\nlayout: null\n---\n<urlset>{LITERAL}</urlset>",
    "Jekyll": LITERAL + "{% for p in posts %}<url><loc>{{ p.url }}</loc></url>{% endfor %}",
    "Hugo": LITERAL + "{{ range .Pages }}<url><loc>{{ .Permalink }}</loc></url>{{ end }}",
    "Hugo, first": "{{- $pages := .Pages -}}\n<urlset>" + LITERAL + "</urlset>",
    "PHP": f"<?php $a = 1; ?>\n<urlset>{LITERAL}<?php foreach ($a as $b): ?></urlset>",
    "PHP in a URL": f"{LITERAL}<url><loc><?= $url ?></loc></url>",
    "ERB": LITERAL + "<% @pages.each do |p| %><url><loc><%= p.url %></loc></url><% end %>",
    "JavaScript": LITERAL + "<url><loc>https://example.com/${page.slug}</loc></url>",
    "Smarty": LITERAL + "<url><loc>https://example.com/{$slug}</loc></url>",
    "a date": LITERAL + "<url><loc>https://example.com/a</loc><lastmod>{{ date }}</lastmod></url>",
    "text": "https://example.com/\n{% for p in posts %}\nhttps://example.com/{{ p.url }}\n{% endfor %}\n",
    "text with front matter": "---\npermalink: /sitemap.txt\n---\nhttps://example.com/\n",
    "text of ERB": "<% pages.each do |p| %>\nhttps://example.com/\n<% end %>\n",
}


def test_a_template_is_refused(subtests: pytest.Subtests) -> None:
    for name, template in TEMPLATES.items():
        with subtests.test(name):
            document = f"{HEAD.decode()}{template}</urlset>" if template.startswith("<url>") else template
            assert "a template that was not rendered" in refused(document.encode())


def test_entries_of_another_root_get_the_prefix_of_the_first() -> None:
    root = HEAD.replace(b"urlset xmlns", b"x:urlset xmlns:x")
    (document,) = urlset.fix(
        root + b"</x:urlset>\n" + HEAD + b"\n" + ENTRY + b"\n" + ENTRY.replace(b"/<", b"/a<") + b"</urlset>"
    ).documents
    assert document.outcome is FixOutcome.REPAIRED
    assert document.content is not None
    tree = etree.fromstring(document.content)
    assert [one.tag.rpartition("}")[2] for one in tree] == ["url", "url"]
    assert {one.prefix for one in tree} == {"x"}
