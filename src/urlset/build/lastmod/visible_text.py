"""The words that a reader sees in a source file, so that two versions of it can be compared.

No generator is run: markup is removed line by line, the same way in every version. Two versions have the same words if
they differ in whitespace, wrapping, the marks of formatting, targets of links, images, comments, imports, attributes of
tags, names of components and shortcodes, or in front matter other than the title. Code is compared as words, too.
"""

from __future__ import annotations

import html
import re
from hashlib import blake2b
from typing import NamedTuple

from urlset.build.lastmod import restructured_text
from urlset.build.lastmod.word_change import SHOWN, common_length
from urlset.build.sources.front_matter import FrontMatterError, parse, split
from urlset.web.html_page import read_page

VERSION = 5
"""Changes whenever the words of a text other than HTML may change: dates found with other words are found again."""

MARKDOWN = frozenset({".md", ".markdown", ".mdx", ".mdown", ".mkd", ".qmd", ".rmd", ".adoc", ".asciidoc", ".org"})
RESTRUCTURED_TEXT = frozenset({".rst", ".rest"})
CODE = "code"
"""In place of an extension: a file that a page shows as it is."""

HTML = frozenset({".html", ".htm", ".xhtml"})
SCRIPTS = frozenset({".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".vue", ".svelte"})
"""Files whose text is in markup and strings of a program."""

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""A longer file is not read: each of its versions counts as another text."""

_BEGINNING = 400
"""Minimum length of the paragraphs whose words are shown of a text that is new, in characters."""

_TITLE = re.compile(r"""^(?:title)[ \t]*[:=][ \t]*(.*)$""", re.IGNORECASE | re.MULTILINE)
_SHOWN = frozenset({"title", "caption", "label", "summary", "heading", "text", "description", "placeholder"})
"""Attributes of components and shortcodes whose values a reader sees."""

# None of these searches beyond the next beginning of what it looks for, so that they take linear time. Those that begin
# with a character, and look behind after it, are several times as fast as if they looked behind at each character.
_FENCE = re.compile(
    r"^[ \t>]*(?:[-*+] +|\d+[.)] +)?(`{3,9}|~{3,9})([^\n]*)\n(.*?)(^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.M | re.S
)
_FENCE_LABEL = re.compile(r"[ \t]\[([^\[\]]+)\]")
"""The title of code in VitePress: https://vitepress.dev/guide/markdown#code-groups"""

_QUOTE = re.compile(r"^[ \t]*>+", re.MULTILINE)
_CODE = re.compile(r"(`(?<!``)`{0,2})(?!`)([^`\n]*(?:\n(?![ \t]*\n)[^`\n]*)*)\1(?!`)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|\{/\*(?:[^{]|\{(?!/\*))*?\*/\}", re.DOTALL)
_INVISIBLE = re.compile(r"<(script|style)\b[^<>]*>(?:[^<]|<(?!/?\1))*</\1[^<>]*>", re.IGNORECASE)
_SHORTCODE = re.compile(r"\{\{[<%]((?:[^{]|\{(?!\{))*?)[>%]\}\}|\{%((?:[^{]|\{(?![{%]))*?)%\}")
_PARAMETER = re.compile(
    r"""(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.?)*+)(?:"|\Z)|'([^']*)'|`([^`]*)`|\{["'`]([^{}]*)["'`]\}|([^\s"'`=<>{}]+))"""
)
_TAG = re.compile(r"""</?([A-Za-z][\w.:-]*+)((?:[^<>"'{}]|"[^"]*"|'[^']*'|\{[^{}]*\})*+)>""")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]+|[^<>\s@]+@[^<>\s@]+)>")
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])")
_TARGET = re.compile(r"\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])")
_DEFINITION = re.compile(r"\n[ \t]{0,3}\[[^\[\]^\n][^\[\]\n]*\]:[ \t]*\S+(?:[ \t]+[\"'(][^\n]*)?[ \t]*(?=\n)")
_ATTRIBUTES = re.compile(r"(?<![ \t])[ \t]*+\{[:#.][^{}\n]*\}")
_IMPORT = re.compile(
    r"""\n(?:import[ \t](?:[^\n]|\n(?!\n|import)){0,2000}?["'][^"'\n]+["'];?"""
    r"""|export[ \t]+(?:const|let|default|function|async|\{|\*)(?:[^\n]|\n(?!\n))*)"""
)
_LINE_MARK = re.compile(
    r"\n(?:>|\#{1,6}(?=[ \t])|={1,5}(?=[ \t])|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|!!!|\?\?\?\+?|:{3,}|[ \t]+)*"
    r"(?:\[[ xX]\](?=[ \t]))?"
)
_RULE = re.compile(r"\n[-=*_|:+~ \t]+(?=\n)")
_ALERT = re.compile(r"\n[ \t>]*\[!(\w+)\](?=[-+]?[ \t]*\n)")
"""The type of an admonition of GitHub: `> [!NOTE]`."""
_CONTAINER = re.compile(
    r"\n[ \t]*(?::{3,}[ \t]*\w+(?:\[|[ \t]+(?=[^\s{]))|(?:!!!|\?\?\?\+?)(?:[ \t]++[\w-]++)++[ \t]++(?=\"))"
)
"""The type of an admonition whose title replaces it: `:::note[Title]`, `:::note Title`, and `!!! note "Title"`."""
_CLOSING = re.compile(r"[ \t]\#+[ \t]*(?=\n)")
_UNDERSCORE = re.compile(r"_(?<!\w_)_*+|_(?<!__)_*+(?!\w)")
_ADOC = re.compile(r"\n(?:://[^\n]*|:[\w!-]+:[^\n]*|//[^\n]*|\[[\w,=%.#\" -]+\](?=\n))")
# Strings need a space; those in quotes may have one line end.
_CODE_TEXT = re.compile(
    r">(?=\s*+[^\s<>{}])([^<>{}]++)<|`(?=[^`\s]*+\s)([^`]*+)`"
    r"""|"(?=[^"\s]*+\s)([^"\n]*+(?:\n[^"\n]*+)?+)"|'(?=[^'\s]*+\s)([^'\n]*+(?:\n[^'\n]*+)?+)'"""
)
_BETWEEN_IDEOGRAPHS = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])")
_INLINE = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark",
    "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
_MARKS = ("*", "`", "\\", "~", "[", "]", "\0")
_TYPOGRAPHY = {
    "\u00ad": "", "\u200b": "", "\ufeff": "",
    "“": '"', "”": '"', "‘": "'", "’": "'", "–": "--", "—": "---", "…": "...",
}  # fmt: skip
"""Characters that a generator writes for others, or that cannot be seen."""
_HOLE = re.compile("\x00(\\d+)\x00")
_ENDED = re.compile(
    r"""<!--(?:[^-<\n]|-(?!->))*-->|\{\{[<%][^{<\n]*?[>%]\}\}|\{%[^{<\n]*?%\}"""
    r"""|(?<!\{)</?(?!script\b|style\b)[A-Za-z][\w.:-]*+(?:[^<>"'{}\n]|"[^"<{\n]*"|'[^'<{\n]*'|\{[^<{}\n]*\})*+>"""
    r"|!\[[^\[\]<{\n]*\]",
    re.IGNORECASE,
)
"""Comments, shortcodes, tags, and images that end in the line in which they begin."""
_BEGUN = re.compile(r"<!--|</?[A-Za-z]|\{\{[<%]|\{%|\{/\*|!\[")
"""The beginning of what can go on after a blank line, besides fences."""


class Text(NamedTuple):
    """The text of one version of a file.

    Attributes:
        digest: Equal for texts in which a reader sees the same.
        words: The words, separated by spaces; of HTML, without the distinction of main text and navigation.
    """

    digest: bytes
    words: str


def text_of(content: bytes, ending: str) -> Text:
    r"""Return the text of a file.

    Args:
        ending: The extension of its name, in lowercase, which says in which language it is written, or `CODE`.

    Example:
        >>> text_of(b"---\ntitle: Bread\n---\n# We *bake*\n[bread](/bread.html)\n", ".md").words
        'Bread We bake bread'
    """
    if _is_binary(content):
        return Text(_digest(content), "")
    if ending in HTML:
        _, body = _without_front_matter(content.decode("utf-8", "replace"))
        has_templates = content.startswith((b"---", b"+++")) or b"{%" in content or b"{{" in content
        page = read_page(_without_templates(body).encode() if has_templates else content)
        return Text(page.content_hash.to_bytes(8, "big", signed=True), _split(_of_html(body)))
    words = _words(_written(content), ending)
    return Text(_digest(words.encode("utf-8", "surrogatepass")), words)


def differing_words(old: bytes, new: bytes, ending: str) -> tuple[str, str] | None:
    r"""Return the words of two versions of a file without the paragraphs at both ends that are the same.

    Returns:
        Their words, which are equal if a reader sees the same; None if whole texts have to be compared.

    Example:
        >>> differing_words(b"We bake.\n\nBread.\n\nDaily.\n", b"We bake.\n\nCake.\n\nDaily.\n", ".md")
        ('Bread.', 'Cake.')
    """
    if not _is_markdown(ending) or _is_binary(old) or _is_binary(new):
        return None
    (title, first), (other_title, second) = (_without_front_matter(_written(content)) for content in (old, new))
    if title != other_title:
        return None
    if first == second:
        return "", ""
    start = _closed_length(first, first.rfind("\n\n", 0, common_length(first, second)))
    first, second = first[start:], second[start:]
    same = common_length(first[::-1], second[::-1])
    end = first.find("\n\n", len(first) - same)
    if end >= 0:
        after = len(first) - end
        shorter = first[:-after], second[:-after]
        if all(_closed_length(text, len(text)) == len(text) for text in shorter):
            first, second = shorter
    return _split(_of_markdown(first, ending)), _split(_of_markdown(second, ending))


def beginning_of(content: bytes, ending: str) -> str:
    """Return the words of a text, or of its first paragraphs if these are enough to show."""
    if _is_markdown(ending) and not _is_binary(content):
        title, body = _without_front_matter(_written(content))
        end = _closed_length(body, body.find("\n\n", _BEGINNING))
        words = _split(f"{title} {_of_markdown(body[:end], ending)}")
        if words.count(" ") > SHOWN:
            return words
    return text_of(content, ending).words


def has_text(text: str, ending: str) -> bool:
    r"""Return whether a reader sees words of a file besides its title; True if it is not in Markdown.

    Example:
        >>> has_text("---\ntitle: Shop\n---\n<script>\nimport Shop from 'shop'\n</script>\n\n<Shop />\n", ".md")
        False
    """
    if not _is_markdown(ending):
        return True
    body = _without_front_matter(text)[1]
    end = _closed_length(body, body.find("\n\n", _BEGINNING))
    return bool(_split(_of_markdown(body[:end], ending)) or _split(_of_markdown(body[end:], ending)))


def _closed_length(text: str, end: int) -> int:
    """Return the length of the beginning of a text that reads the same whatever follows it.

    Args:
        end: The place of a blank line, or the end of the text; negative if there is none.
    """
    before = text[: max(end, 0)]
    if "```" in before or "~~~" in before:
        outside = 0
        for fence in _FENCE.finditer(f"{before}\n"):
            if not fence[4]:
                before = before[: max(before.rfind("\n\n", outside, fence.start()), 0)]
                break
            outside = fence.end()
    if "<" not in before and "{" not in before and "![" not in before:
        return len(before)
    shown = _CODE.sub("\0", _FENCE.sub("\0", before))
    return 0 if _BEGUN.search(_ENDED.sub("\0", shown)) else len(before)


def _is_markdown(ending: str) -> bool:
    return ending in MARKDOWN or ending in ("", ".txt")


def _is_binary(content: bytes) -> bool:
    return b"\0" in content[:8000]


def _written(content: bytes) -> str:
    return content.decode("utf-8", "replace").replace("\r\n", "\n")


def _words(written: str, ending: str) -> str:
    if ending == CODE:
        return _split(written)
    if ending in RESTRUCTURED_TEXT:
        return _split(_without_marks(restructured_text.words(written)))
    if ending in SCRIPTS:
        return _split(" ".join(" ".join(found) for found in _CODE_TEXT.findall(written)))
    title, body = _without_front_matter(written)
    if _is_markdown(ending):
        return _split(f"{title} {_of_markdown(body, ending)}")
    return _split(f"{title} {_of_html(body)}")


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


def _without_front_matter(text: str) -> tuple[str, str]:
    """Return the title in the front matter of a text, and what follows it."""
    parts = split(text)
    return (_title(parts.front, text) if parts.mark else ""), parts.body


def _title(front: str, text: str) -> str:
    found = _TITLE.search(front)
    if found is None:
        return ""
    value = found[1].strip()
    if value[:1] in ("'", '"') and value[-1:] == value[:1] and len(value) > 1 and value[0] not in value[1:-1]:
        return value[1:-1]
    if value and value[0] not in "\"'|>&*!{[" and " #" not in value:
        return value
    try:
        title = parse(text).get("title", "")
    except FrontMatterError:
        return value
    return title if isinstance(title, str) else str(title)


def _of_markdown(text: str, ending: str) -> str:
    """Return the words of Markdown with the extensions that generators add. Indentation has no meaning."""
    kept: list[str] = []

    def keep(code: str) -> str:
        kept.append(code)
        return f"\0{len(kept) - 1}\0"

    text = text.replace("\0", "")
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(lambda found: f"\n{keep(_code_of(found))}\n", text)
    if "`" in text:
        text = _CODE.sub(lambda found: keep(found[2]), text)
    text = f"\n{text}\n"
    if "<" in text or "{" in text:
        text = _without_tags(_without_templates(text))
    if "{:" in text or "{#" in text or "{." in text:
        text = _ATTRIBUTES.sub("", text)
    if "\nimport" in text or "\nexport" in text:
        text = _IMPORT.sub("\n", text)
    if ending in (".adoc", ".asciidoc"):
        text = _ADOC.sub("\n", text)
    if "[!" in text:
        text = _ALERT.sub(lambda found: f"\n{found[1].lower()} ", text)
    if ":::" in text or "\n!!!" in text or "???" in text:
        text = _CONTAINER.sub("\n", text)
    if "](" in text or "][" in text:
        text = _TARGET.sub("]", _IMAGE.sub("", text))
    if "]:" in text:
        text = _DEFINITION.sub("", text)
    text = _RULE.sub("\n", _LINE_MARK.sub("\n", text))
    if "#" in text:
        text = _CLOSING.sub("", text)
    if "_" in text:
        text = _UNDERSCORE.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    if kept:
        text = _HOLE.sub(lambda found: kept[int(found[1])], text)
    return _without_marks(text)


def _code_of(fence: re.Match[str]) -> str:
    """Return the title and the code in a fence, without the marks of a quote around it."""
    title = _shown(fence[2]) if "=" in fence[2] else " ".join(_FENCE_LABEL.findall(fence[2]))
    code = _QUOTE.sub("", fence[3]) if fence[0].lstrip().startswith(">") else fence[3]
    return f"{title}\n{code}" if title else code


def _without_templates(text: str) -> str:
    """Remove comments, and tags of templates but for what they show."""
    if "<!--" in text or "{/*" in text:
        text = _COMMENT.sub("", text)
    if "{{<" in text or "{{%" in text or "{%" in text:
        text = _SHORTCODE.sub(_shown_of_shortcode, text)
    return text


def _shown_of_shortcode(found: re.Match[str]) -> str:
    return f" {_shown(found[1] or found[2] or '', positional=found[1] is not None)} "


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    text = _AUTOLINK.sub(r"\1", _INVISIBLE.sub("", text))

    def shown(found: re.Match[str]) -> str:
        name, attributes = found[1], found[2]
        if name in _INLINE:
            return ""
        return f" {_shown(f'{name} {attributes}')} " if "=" in attributes else " "

    return _TAG.sub(shown, text)


def _shown(tag: str, *, positional: bool = False) -> str:
    """Return what a reader sees of the parameters of a tag, which follow its name.

    Args:
        positional: Whether parameters without a name count, unless they are the path of a file.
    """
    words = []
    for number, (name, *values) in enumerate(_PARAMETER.findall(tag)):
        value = "".join(values)
        if name:
            if name.lower() in _SHOWN:
                words.append(value)
        elif number and positional and "/" not in value and not re.search(r"\.[a-z][a-z0-9]{1,4}$", value):
            words.append(value)
    return " ".join(words)


def _of_html(text: str) -> str:
    return _without_marks(html.unescape(_without_tags(_without_templates(text))))


def _without_marks(text: str) -> str:
    """Remove the characters of markup, wherever they are: replacing each is faster than translating all."""
    for mark in _MARKS:
        text = text.replace(mark, "")
    text = text.replace("|", " ")
    if not text.isascii():
        for mark, plain in _TYPOGRAPHY.items():
            text = text.replace(mark, plain)
    return text


def _split(text: str) -> str:
    words = " ".join(text.split())
    return words if words.isascii() else _BETWEEN_IDEOGRAPHS.sub("", words)
