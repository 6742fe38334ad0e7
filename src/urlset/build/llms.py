"""Write llms.txt from the listed pages of directories of HTML, without changing what a person wrote in it.

The form is that of the llms.txt proposal (<https://llmstxt.org/>, version 2 of 2026-08-10). What is generated is
between two lines of comments; the rest of an existing file stays byte for byte.
"""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from urlset.build.robots_lines import ending_of
from urlset.errors import InputError, reason_of
from urlset.files.bounded import MAX_PAGE_BYTES, read_file
from urlset.files.repository_links import LEADS_OUT, leads_out
from urlset.net.urlparts import split_url
from urlset.text.sizes import quantity
from urlset.web.html_page import PageFacts, charset_of, read_page_files, read_text
from urlset.web.llms_txt import MAX_LINKS, MAX_LLMS_BYTES, is_html, parse_llms
from urlset.web.markdown_twin import conventional

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from urlset.options.building import LlmsSpec

NAME, FULL_NAME = "llms.txt", "llms-full.txt"

MAX_DESCRIPTION = 300
"""Maximum number of characters of a description. Our choice: search engines show half as many."""

MIN_SHARING = 3
"""Number of pages from which a title that most pages share is that of the site. Our choice."""

MAX_FULL_BYTES = 10 * 1024 * 1024
"""Maximum size of an llms-full.txt. Our choice: ten times what an llms.txt may have."""

_BEGIN = re.compile(rb"<!-- urlset: generated lines begin, digest ([0-9a-f]{16}) -->[ \t]*\r?\n")
_END = b"<!-- urlset: generated lines end -->"
_FULL = b"<!-- urlset: this file is generated -->\n"


class ListedPage(Struct, frozen=True):
    """A page that a sitemap lists.

    Attributes:
        url: Its URL.
        path: Its file.
        twin: The URL of its Markdown twin; None without one.
        twin_path: The file of the twin.
        title: Its first heading, else its title, else the last part of its path; of the home page, its title first. One
            that most pages share is that of the site, and is not used for other pages.
        description: Its description; empty without one, or if several pages have it.
    """

    url: str
    path: str
    twin: str | None
    twin_path: Path | None
    title: str
    description: str


class Written(Struct, frozen=True):
    """The content of an llms.txt, and what was left out.

    Attributes:
        pages: Number of pages in it.
        notes: What was left out, as sentences.
    """

    content: bytes
    pages: int
    notes: tuple[str, ...] = ()


def listed_pages(files: Mapping[str, str], base: str, folder: Path, note: Callable[[str], None]) -> list[ListedPage]:
    """Return the pages of a directory that is published at a URL, by their URLs.

    Args:
        files: The file of each listed page, by URL.
        note: Takes a sentence on each twin that cannot be read.

    Raises:
        InputError: A twin is behind a link that leads out of the repository.
    """
    urls = sorted(files)
    pages = read_page_files([(files[url], None, None) for url in urls], MAX_PAGE_BYTES)
    of_site = _shared_titles(pages)
    listed = [_page(url, files[url], page, base, folder, of_site, note) for url, page in zip(urls, pages, strict=True)]
    # A description that several pages share is that of the site.
    counts = Counter(page.description for page in listed)
    is_own = [counts[page.description] == 1 or page.url == base for page in listed]
    site = next((page.title for page in listed if page.url == base), "")
    names = {site, *_SEPARATOR.split(site), *(end for _, end in _ends(site))}
    shorter = [page.title if page.url == base else _without_site(page.title, names) for page in listed]
    # A title that names one page alone must still do so.
    titles = {page.title for page in listed}
    longer: dict[str, set[str]] = {}
    for page, title in zip(listed, shorter, strict=True):
        longer.setdefault(title, set()).add(page.title)
    return [
        replace(
            page,
            title=page.title if title in titles or len(longer[title]) > 1 else title,
            description=page.description if own else "",
        )
        for page, own, title in zip(listed, is_own, shorter, strict=True)
    ]


def _shared_titles(pages: Sequence[PageFacts | OSError | None]) -> set[str]:
    """Return the titles and headings that more than half of the pages have."""
    of_pages = [{page.heading, page.title} - {None} for page in pages if isinstance(page, PageFacts)]
    counts = Counter(text for texts in of_pages for text in texts)
    return {str(text) for text, count in counts.items() if count >= MIN_SHARING and count * 2 > len(of_pages)}


_SEPARATOR = re.compile(r" [|\u2013\u2014\u00b7\u2022-] ")


def _ends(title: str) -> list[tuple[str, str]]:
    """Return what is before and after each separator of a title."""
    return [(title[: found.start()], title[found.end() :]) for found in _SEPARATOR.finditer(title)]


def _without_site(title: str, names: set[str]) -> str:
    """Return a title without the name of the site at its end, as in `News | Example`.

    Args:
        names: The title of the home page, and its parts.
    """
    return next((before for before, end in _ends(title) if end in names), title)


def _page(
    url: str,
    path: str,
    page: PageFacts | OSError | None,
    base: str,
    folder: Path,
    of_site: Collection[str],
    note: Callable[[str], None],
) -> ListedPage:
    facts = page if isinstance(page, PageFacts) else None
    name = unquote(split_url(url).path.rstrip("/").rpartition("/")[2]) or split_url(url).netloc
    titles: tuple[str | None, ...] = ()
    if facts is not None:
        titles = (facts.title, facts.heading) if url == base else (facts.heading, facts.title)
    title = next((text for text in titles if text and (url == base or text not in of_site)), _words(name))
    description = "" if facts is None else (facts.description or "")
    twin, twin_path = _twin(url, base, folder, note)
    return ListedPage(url, path, twin, twin_path, _plain(title), _cut(_plain(description)))


def _twin(url: str, base: str, folder: Path, note: Callable[[str], None]) -> tuple[str, Path] | tuple[None, None]:
    """Return the Markdown twin of a page, and its file, if the directory has one."""
    for candidate in conventional(url):
        name = unquote(candidate.removeprefix(base))
        if not candidate.startswith(base) or ".." in name.split("/"):
            continue
        path = folder / name
        if path.is_file():
            if leads_out(path):
                raise InputError(str(path), LEADS_OUT)
            try:
                content = read_file(path, MAX_PAGE_BYTES)
            except OSError as error:
                note(f"Markdown twin {path} left out: {reason_of(error)}")
                continue
            if content.strip() and not is_html(content):
                return candidate, path
    return None, None


def with_llms(before: bytes, pages: Sequence[ListedPage], base: str, spec: LlmsSpec, name: str = NAME) -> Written:
    """Return an llms.txt with a section for each folder, and a link for each page.

    Args:
        before: The content of the file; empty if it does not exist.
        name: The file, for messages.

    Raises:
        InputError: The generated lines of the file were edited, or it is not an llms.txt.
    """
    ending = ending_of(before.splitlines(keepends=True))
    head, tail = _around(before, name)
    own = {link.target for link in parse_llms(head + b"\n" + tail).links}
    new = [page for page in pages if page.url not in own and page.twin not in own]
    listed = new[:MAX_LINKS]
    lines = list(_sections(listed, base, spec))
    size = len(head) + len(tail)
    kept, links = [], 0
    for line in lines:
        size += len(line.encode()) + 1
        if size > MAX_LLMS_BYTES - 1024:
            break
        kept.append(line)
        links += line.startswith("- ")
    body = ending.join([*(line.encode() for line in kept), b""])
    begin = f"<!-- urlset: generated lines begin, digest {_digest(body)} -->".encode()
    if not before:
        head = ending.join(line.encode() for line in _head(listed, base, spec))
    notes: tuple[str, ...] = ()
    if repeated := len(pages) - len(new):
        linked = quantity(repeated, "page is", "pages are")
        notes += (f"{linked} linked in your own lines of {name}, and not repeated in the generated lines",)
    if left := len(new) - links:
        notes += (
            f"{quantity(left, 'page')} beyond the limits of {NAME} ({MAX_LINKS:,} links, 1 MiB) left out of {name}",
        )
    return Written(head + begin + ending + body + _END + (tail or ending), links, notes)


def _around(before: bytes, name: str) -> tuple[bytes, bytes]:
    """Return what a person wrote before and after the generated lines."""
    if is_html(before) or b"\0" in before:
        raise InputError(name, "is not an llms.txt; move or rename it, so that the build can write one")
    starts = list(_BEGIN.finditer(before))
    if not starts:
        if _END in before:
            raise InputError(name, "has the end marker of generated lines without a begin marker; remove that line")
        ending = ending_of(before.splitlines(keepends=True))
        gap = b"" if not before else ending if before.endswith((b"\n", b"\r")) else ending * 2
        return before + gap, b""
    end = before.find(_END, starts[0].end())
    if len(starts) > 1 or end < 0:
        raise InputError(name, "must have one begin marker and one end marker of generated lines; remove the others")
    body = before[starts[0].end() : end]
    if _digest(body) != starts[0][1].decode():
        raise InputError(
            name,
            "has edits in the generated lines, which would be lost; move them before or after these lines, and remove "
            "these lines",
        )
    return before[: starts[0].start()], before[end + len(_END) :]


def _digest(body: bytes) -> str:
    """Return the digest of generated lines, which does not depend on line endings."""
    return blake2b(body.replace(b"\r\n", b"\n"), digest_size=8).hexdigest()


def _head(pages: Sequence[ListedPage], base: str, spec: LlmsSpec) -> Iterator[str]:
    home = next((page for page in pages if page.url == base), None)
    yield f"# {_plain(spec.title) or (home.title if home else '') or split_url(base).netloc}"
    yield ""
    if summary := _plain(spec.summary) or (home.description if home else ""):
        yield f"> {summary}"
        yield ""
    yield ""


def _sections(pages: Sequence[ListedPage], base: str, spec: LlmsSpec) -> Iterator[str]:
    prefixes = sorted(spec.sections, key=len, reverse=True)
    order = {prefix: number for number, prefix in enumerate(spec.sections)}
    sections: dict[str, list[ListedPage]] = {}
    for page in pages:
        path = "/" + page.url.removeprefix(base)
        own = next((prefix for prefix in prefixes if path.startswith(prefix)), None)
        sections.setdefault(own or _folder(path), []).append(page)
    titles = {"/" + page.url.removeprefix(base): page.title for page in pages if page.url != base}
    named = {key: title for key in sections if (title := titles.get(key)) and _names(title, key)}
    counts = Counter(named.values())
    names = {
        key: spec.sections.get(key) or (named[key] if counts[named.get(key, "")] == 1 else _heading(key))
        for key in sections
    }
    for key in sorted(sections, key=lambda key: (order.get(key, len(order)), key != "/", key)):
        yield ""
        yield f"## {_plain(names[key])}"
        yield ""
        yield from map(_link, sections[key])
    yield ""


def _folder(path: str) -> str:
    first, slash, _ = path[1:].partition("/")
    return f"/{first}/" if slash else "/"


def _names(title: str, folder: str) -> bool:
    """Return whether the title of an index page names its folder, rather than the page: `/docs/` is no "Quickstart".

    A title in another script than that of the folder cannot be compared, and is trusted.
    """
    if not re.search("[A-Za-z]", title):
        return True
    parts, words = (re.findall(r"[^\W_]+", text.lower()) for text in (unquote(folder), title))
    initials = "".join(word[0] for word in words)
    return initials == "".join(parts) or any(
        word.startswith(part[:3]) and (len(part) > 2 or word == part) for part in parts for word in words
    )


def _heading(folder: str) -> str:
    return _words(unquote(folder.strip("/"))) or "Pages"


def _words(name: str) -> str:
    """Return the name of a file or folder as words."""
    words = re.sub(r"[-_]+", " ", re.sub(r"\.x?html?$", "", name))
    return f"{words[:1].upper()}{words[1:]}"


def _link(page: ListedPage) -> str:
    text = re.sub(r"([\\\[\]])", r"\\\1", page.title)
    url = page.twin or page.url
    target = f"<{url}>" if "(" in url or ")" in url else url
    return f"- [{text}]({target})" + (f": {page.description}" if page.description else "")


def _plain(text: str) -> str:
    """Return a text in one line that neither begins nor ends a comment."""
    return " ".join(text.replace("<", "&lt;").replace("\u200b", "").split()).rstrip(" \u00b6#")


def _cut(text: str) -> str:
    return text if len(text) <= MAX_DESCRIPTION else f"{text[:MAX_DESCRIPTION].rpartition(' ')[0]} …"


def full_text(before: bytes, pages: Sequence[ListedPage], name: str = FULL_NAME) -> Written:
    """Return the text of all pages in one file: the Markdown twin of each, else its main text.

    Raises:
        InputError: The file exists, and was not written by this function.
    """
    if before and not before.startswith(_FULL):
        raise InputError(name, "was not written by urlset; move or rename it, so that the build can write one")
    parts, size, written = [_FULL], len(_FULL), 0
    notes: list[str] = []
    for page in pages:
        source = page.twin_path or Path(page.path)
        try:
            content = read_file(source, MAX_PAGE_BYTES)
        except OSError as error:
            notes.append(f"{source} left out of {name}: {reason_of(error)}")
            continue
        text = content.decode("utf-8", "replace") if page.twin_path else _text(content)
        part = f"\n# {page.title}\n\nURL: {page.url}\n\n{text.strip()}\n".encode()
        if size + len(part) > MAX_FULL_BYTES:
            break
        parts.append(part)
        size += len(part)
        written += 1
    if left := len(pages) - written - len(notes):
        notes.append(f"{quantity(left, 'page')} beyond the limit of 10 MiB left out of {name}")
    return Written(b"".join(parts), written, tuple(notes))


def _text(content: bytes) -> str:
    lines = (" ".join(line.split()) for line in read_text(content, charset=charset_of(None)).text.splitlines())
    return "\n\n".join(line for line in lines if line)
