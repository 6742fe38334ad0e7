"""What a reader sees of a source file: pairs of versions that are the same for a reader, and pairs that are not."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.cases import case_table

from urlset.build.lastmod.visible_text import beginning_of, differing_words, has_text, text_of
from urlset.build.lastmod.word_change import change_of

SAME = {
    "front matter": (
        ".md",
        "---\ntitle: Bread\ndate: 2024-01-01\n---\nText",
        "---\ntitle: 'Bread'\ntags: [a]\n---\n\nText\n",
    ),
    "front matter in TOML": (
        ".md",
        '+++\ntitle = "Bread"\nweight = 1\n+++\nText',
        "+++\nweight = 2\ntitle = 'Bread'\n+++\nText",
    ),
    "wrapped lines": (".md", "one two three four", "one two\nthree\nfour\n"),
    "emphasis": (".md", "a *b* __c__ ~~d~~ `e`", "a **b** _c_ d e"),
    "headings": (".md", "Title\n=====\n\n## Part ##\n", "# Title\n\n### Part {#part}\n"),
    "lists": (".md", "* one\n* two\n\n1. a\n1. b", "- one\n- two\n\n1. a\n2. b\n"),
    "targets of links": (
        ".md",
        "[text](/a.3f2a.css) and [more][ref]\n\n[ref]: /b",
        "[text](/a.99ab.css 'T') and [more](/c)",
    ),
    "images": (".md", "![a cat](cat.1a2b.png) text", "![the cat](cat.3c4d.png) text"),
    "comments": (".md", "text <!-- TODO -->", "text\n\n<!--\nlicence 2025\n-->\n"),
    "comments of MDX": (".mdx", "text {/* TODO */}", "text"),
    "exports in Markdown": (".md", "export const a = 1\n\nText", "Text"),
    "imports of MDX": (
        ".mdx",
        "import A from './a'\nimport {\n  B,\n} from './b'\n\nText",
        "import A from '@site/a'\n\nText",
    ),
    "a renamed component": (
        ".mdx",
        '<Card icon="x" title="Bread">\n\nText\n\n</Card>',
        '<Tile title="Bread" size={2}>\nText\n</Tile>',
    ),
    "a renamed shortcode": (".md", '{{< figure src="a.1.png" >}}\ntext', '{{< image src="b.2.png" >}}\ntext'),
    "tables": (".md", "| a | b |\n|---|---|\n| 1 | 2 |", "a|b\n:--|--:\n1|2"),
    "fences": (".md", "```js\nlet a\n```", "~~~ts\nlet a\n~~~"),
    "lines of code that stand out": (".md", "```js {1,3} [a.js]\na\n```", '```js {2} title="a.js"\na\n```'),
    "a quoted fence": (".md", "> ```\n> pip install\n> ```", ">     pip install"),
    "typographic quotes": (".md", "“it’s” – so…", '"it\'s" -- so...'),
    "entities": (".md", "a &amp; b", "a & b"),
    "kinds of admonitions": (".md", "> [!note]\n> text", "> [!NOTE]\n> text"),
    "titles of admonitions": (".md", ":::note Mind\n\ntext\n:::", ":::tip[Mind]\ntext\n:::"),
    "line ends of Windows": (".md", "a\nb\n", "a\r\nb\r\n"),
    "wrapped Chinese": (".md", "面包\n蛋糕", "面包蛋糕"),
    "attributes and order in HTML": (
        ".html",
        "<main><p class=a id=b>Text</p></main>",
        "<main><p id=b class=c>Text</p></main>",
    ),
    "navigation in HTML": (".html", "<nav>one</nav><main>Text</main>", "<nav>one two</nav><main>Text</main>"),
    "assets of HTML": (
        ".html",
        "<script src=a.1.js></script><main>T</main>",
        "<script src=a.2.js></script><main>T</main>",
    ),
    "front matter in HTML": (".html", "---\nlayout: a\n---\n<main>T</main>", "---\nlayout: b\n---\n<main>T</main>"),
    "reStructuredText": (
        ".rst",
        "Title\n=====\n\nSee :ref:`the guide <guide>` and ``x``.\n\n.. code-block:: python\n\n   a = 1\n\n"
        ".. licence 2024\n   All.\n",
        ".. _top:\n\nTitle\n-----\n\nSee :doc:`the guide <other>`\nand ``x``.\n\n"
        ".. code:: py\n   :linenos:\n\n   a = 1\n",
    ),
    "code of a page": (
        ".tsx",
        'import a from "./a";\n<h1>We bake</h1>',
        "import a from './a'\nconst x = 1\n<h1>We bake</h1>",
    ),
}

OTHER = {
    "a word": (".md", "we bake bread", "we bake cake"),
    "the title": (".md", "---\ntitle: Bread\n---\nText", "---\ntitle: Cake\n---\nText"),
    "code": (".md", "```\na = 1\n```", "```\na = 2\n```"),
    "the title of code": (".md", '```js title="a.js"\na\n```', '```js title="b.js"\na\n```'),
    "the title of code in VitePress": (".md", "```js [a.js]\na\n```", "```js [b.js]\na\n```"),
    "text of a link": (".md", "[bread](/a)", "[cake](/a)"),
    "a joined word": (".md", "while`check`", "while `check`"),
    "a line that only looks like a definition": (".md", "two\n[types]: A and B", "two\n[types]: A and C"),
    "the title of a component": (".mdx", '<Card title="Bread" />', '<Card title="Cake" />'),
    "a caption": (".md", '{{< figure src="a.png" caption="Bread" >}}', '{{< figure src="a.png" caption="Cake" >}}'),
    "a version in a shortcode": (".md", "{{< new-in 0.1.0 >}}", "{{< new-in 0.2.0 >}}"),
    "text that a mark of a comment is in": (".md", "use `<!--` here", "use `<!--` there"),
    "punctuation": (".md", "bread, cake", "bread; cake"),
    "main text of HTML": (".html", "<main>Bread</main>", "<main>Cake</main>"),
    "text of reStructuredText": (".rst", "See :ref:`guide`.", "See :ref:`manual`."),
    "a note": (".rst", ".. note:: Bread", ".. note:: Cake"),
    "a binary file": (".pdf", "\0a", "\0b"),
}


@case_table("ending, before, after", SAME)
def test_same_for_a_reader(ending: str, before: str, after: str) -> None:
    one, other = (text_of(text.encode(), ending) for text in (before, after))
    assert one.digest == other.digest, (one.words, other.words)


@case_table("ending, before, after", OTHER)
def test_other_for_a_reader(ending: str, before: str, after: str) -> None:
    one, other = (text_of(text.encode(), ending) for text in (before, after))
    assert one.digest != other.digest, one.words


PIECES = (
    "\n\n", "\n", "word", "two words ", "面包", "<a", "<br>", '<b title="x', '">', ">", "<!--", "-->", "{/*", "*/}",
    "```", "\n```\n", "~~~", "`", "``", "![", "](x)", "[", "]", "]: x", "{{<", ">}}", '{{% note "a b" %}}', "{%",
    "%}", "{#id}", "{", "}", "<script>", "</script>", "\nimport a from 'x'\n", "\nexport const a = 1\n", "\n# ",
    "\n- ", "\n> ", "\n|---|\n", "\n===\n", "_", "**", "\\", "&amp;", "&", "\n:::note x\n", '\n!!! note "T"\n',
    "> [!NOTE]\n", "'", "\n---\n", "    ", "\t", " \n \n", "\r\n",
)  # fmt: skip


def texts(most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(PIECES), max_size=most).map("".join)


@given(st.sampled_from(["", "---\ntitle: T\n---\n"]), texts(12), texts(4), texts(4), texts(12))
@example("", "a\n\n```\n\nb", "```", "x", "```\n\n<b>c\n\n")
@example("", "\n```\n\n```\n```<script>\n\n", "x", "y", "\n\n</script>")
@example("", "{{<two words > a\n\n", "x", "y", "\n\n>}}")
@example("", "{{<<!--%}}\n\n", "x", "y", "\n\nz")
@example("", "![{{%](x)\n\n", "x", "y", "%}}")
def test_paragraphs_that_are_the_same_do_not_decide(front: str, begin: str, old: str, new: str, end: str) -> None:
    """Without them, two versions differ exactly if the whole texts do, also if a fence or a tag is not closed."""
    before, after = (f"{front}{begin}{middle}{end}".encode() for middle in (old, new))
    for ending in (".md", ".mdx", ".adoc"):
        one, other = text_of(before, ending), text_of(after, ending)
        words = differing_words(before, after, ending)
        if words is not None:
            assert (words[0] == words[1]) == (one.digest == other.digest)
            assert words[0] in one.words
            assert words[1] in other.words
        assert one.words.startswith(beginning_of(before, ending))


@case_table(
    "text, expected",
    [
        ("---\ntitle: Shop\n---\n", False),
        ("<script setup>\nimport Shop from './Shop.vue'\n</script>\n\n<Shop />\n", False),
        ("import Shop from './Shop'\n\n<Shop\n  client:load\n/>\n\n<!-- all of it -->\n", False),
        ("<Shop />\n\nText", True),
        ("<Shop title='Text' />", True),
        (f"<Shop />\n\n{'<Shop />' * 100}\n\nText", True),
    ],
)
def test_a_title_is_no_text_of_a_page(text: str, expected: bool) -> None:
    assert has_text(text, ".mdx") is expected


@case_table(
    "old, new, shown",
    [
        ("a b c", "a b c d", 'added "d"'),
        ("a b c", "b c", 'removed "a"'),
        ("a b c", "a x c", '"b" -> "x"'),
        ("a bc d", "a bd d", '"bc" -> "bd"'),
        ("a a", "a", 'removed "a"'),
        ("", "a", 'added "a"'),
    ],
)
def test_change_is_shown(old: str, new: str, shown: str) -> None:
    assert change_of(old, new).shown == shown


def test_hostile_texts_take_linear_time() -> None:
    """Each of these would take minutes if it was searched from every character to its end."""
    for piece in (
        "<a ",
        '<a "',
        "`",
        "[",
        "![",
        "{{<",
        "<!--",
        "{/*",
        "\nimport ",
        "\n> ",
        "~~~\n",
        "](",
        "|",
        "_",
        ":::a[",
    ):
        for ending in (".mdx", ".rst", ".html"):
            text = piece.encode() * (30_000 // len(piece))
            text_of(text, ending)
            differing_words(text + b"\n\na\n\n" + text, text + b"\n\nb\n\n" + text, ending)


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (".rst", ".. _" + "`a`" * 30),
        (".rst", ":a" * 20_000),
        (".rst", f"`{' ' * 30_000}`"),
        (".md", f"!!! {' ' * 3000}x"),
        (".md", f"a{'_' * 40_000}a"),
        (".md", '{{< x "' + '\\"' * 20_000 + " >}}"),
        (".md", f"<{'a' * 30_000}"),
        (".md", f"{{{' ' * 40_000}x"),
        (".ts", f"`{'a ' * 20_000}"),
        (".ts", f">{'a ' * 20_000}"),
        (".ts", f"'{'a ' * 20_000}"),
    ],
)
def test_each_expression_takes_linear_time(ending: str, text: str) -> None:
    """A text on which an expression took seconds to hours."""
    text_of(text.encode(), ending)


def test_only_complete_strings_of_programs_are_texts() -> None:
    program = """<p>We bake</p>; b("two words"); c('of bread'); d(`in\nlines`); e("odd one"""
    assert text_of(program.encode(), ".tsx").words == "We bake two words of bread in lines"
