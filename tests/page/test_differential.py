"""Against Lexbor, which builds the tree of browsers in C, on markup that pages get wrong; and any bytes at all."""

from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from tests.tiers import examples

from urlset.web.html_page import read_page

PIECES = [
    "<!doctype html>",
    "<html lang=en>",
    "<html>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "</html>",
    "<div>",
    "</div>",
    "<p>",
    "</p>",
    "<b>",
    "</b>",
    "<a href=x>",
    "</a>",
    "text",
    " ",
    "<table>",
    "<tr>",
    "<td>",
    "</td>",
    "</table>",
    "<template>",
    "</template>",
    "<!-- c -->",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<select>",
    "<option>",
    "</select>",
    "<li>",
    "<ul>",
    "</ul>",
    "<h1>",
    "</h1>",
    "<img src=i>",
    "<br/>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<iframe>",
    "</iframe>",
    "<form>",
    "</form>",
    "<base href=/b>",
    "<link rel=canonical href=/1>",
    '<LINK REL="x Canonical" HREF="/2?a&amp;b">',
    "<link rel=canonical href='/3' / >",
    "<link rel=alternate hreflang=de href=/4>",
    "<link href=/5 hreflang=fr rel='alternate home'>",
    "<link rel=canonicals href=/6>",
    "<meta name=robots content=noindex>",
    "<META content='none' NAME='GoogleBot' />",
    "<meta name=robots>",
    "<meta name=description content=x>",
    "&lt;link rel=canonical href=/7&gt;",
    "<link rel=canonical href=/8",
    "\0",
    "<link rel",
]
# What is in a drawing or a formula is of another namespace, which Lexbor's selectors do not tell.
FOREIGN = [
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<mi>",
    "<annotation-xml encoding=text/html>",
    "<foreignObject>",
    "<![CDATA[",
    "]]>",
]


def _links(tree: LexborHTMLParser, where: str) -> tuple[list[str], list[tuple[str, str]], list[tuple[str, str]]]:
    canonicals, alternates, robots = [], [], []
    for node in tree.css(f"{where} link, {where} meta"):
        attributes = {name: value or "" for name, value in node.attributes.items()}
        rel = attributes.get("rel", "").lower().split()
        if node.tag == "link" and "href" in attributes:
            href = attributes["href"].strip()
            if "canonical" in rel:
                canonicals.append(href)
            if "alternate" in rel and attributes.get("hreflang"):
                alternates.append((attributes["hreflang"], href))
        if (
            node.tag == "meta"
            and "content" in attributes
            and attributes.get("name", "").lower() in ("robots", "googlebot")
        ):
            robots.append((attributes["name"].lower(), attributes["content"]))
    return canonicals, alternates, robots


@settings(max_examples=examples(400))
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_links_and_directives_are_those_of_the_tree_of_another_parser(pieces: list[str]) -> None:
    page = "".join(pieces)
    tree, facts = LexborHTMLParser(page), read_page(page.encode())
    assert (list(facts.canonicals), list(facts.alternates), list(facts.robots)) == _links(tree, "head")
    # What stands between the cells of a table is moved before the table; here it keeps the order of the page.
    body = (facts.body_canonicals, facts.body_alternates, facts.body_robots)
    assert [sorted(found) for found in body] == [sorted(found) for found in _links(tree, "body")]
    title = tree.css_first("title")
    if title is not None and facts.title is not None and "\0" not in page:
        assert facts.title == " ".join(title.text().split())


@settings(max_examples=examples(300))
@given(
    st.binary(max_size=400), st.sampled_from([None, "utf-8", "iso-2022-jp", "utf-16", "gb18030", "x-user-defined", ""])
)
def test_any_bytes_are_a_page(data: bytes, charset: str | None) -> None:
    assert read_page(data, charset=charset, images=True).complete


@settings(max_examples=examples(300))
@given(
    st.lists(st.one_of(st.sampled_from(PIECES + FOREIGN), st.text(max_size=5)), max_size=40), st.integers(min_value=0)
)
def test_a_page_may_end_anywhere(pieces: list[str], end: int) -> None:
    page = "".join(pieces).encode("utf-8", "surrogatepass")
    assert read_page(page[: end % (len(page) + 1)]).complete
