"""Hashes of main text by version: whoever changes how it is read raises `TEXT_VERSION` in `core/src/page/mod.rs`."""

from tests.cases import case_table

from urlset import _core
from urlset.web.html_page import read_page

MAIN = "<!doctype html><title>T</title><nav>Home</nav><main>{}</main><footer>© 2026</footer>"
TEXTS = {
    "words": MAIN.format("<h1>Nails</h1><p>Made of iron, in 12 sizes.</p>"),
    "dates": MAIN.format("<p>Updated on <time>2026-02-03</time>, 5 minutes ago.</p> Version 1.2.3"),
    "languages": MAIN.format("<p>Schöne Grüße. 日本語のテキスト。 Привет, мир!</p>"),
    "code and lists": MAIN.format("<pre>a = b\n</pre><ul><li>one<li>two</ul><table><td>1<td>2</table>"),
    "controls": MAIN.format("<form><input value=x><button>Send</button><select><option>A</select></form>"),
    "hidden": MAIN.format("<p hidden>Not shown</p><script>var a</script><style>b{}</style><template>c</template>x"),
    "blank main": "<!doctype html><title>T</title><p>Press ? for help<main><p> </main>",
    "main beside the text": f"<main></main><p>{'word ' * 50}",
    "without main": "<body><header>Head</header><p>Text <b>bold</b>.</p><aside>More</aside></body>",
}
FIRST = {
    "words": (4_524_956_563_590_510_357, 7),
    "dates": (3_883_244_212_875_941_871, 8),
    "languages": (-8_535_317_455_817_554_388, 12),
    "code and lists": (-8_679_937_111_338_316_501, 6),
    "controls": (-983_907_766_971_400_141, 1),
    "hidden": (-1_153_015_917_265_175_953, 1),
    "without main": (-7_152_628_419_024_196_609, 2),
}
HASHES: dict[int, dict[str, tuple[int, int]]] = {
    1: FIRST,
    2: FIRST
    | {
        "blank main": (-1_205_034_819_632_174_695, 0),
        "main beside the text": (5_485_723_601_660_270_650, 50),
    },
}


@case_table("name, text", {name: (name, text) for name, text in TEXTS.items()})
def test_main_text(name: str, text: str) -> None:
    page = read_page(text.encode())
    assert (page.content_hash, page.words) == HASHES[_core.TEXT_VERSION][name]
