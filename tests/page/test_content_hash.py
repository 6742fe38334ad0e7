"""The hash of the main text: what changes by itself does not move it, what somebody changed does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import case_table

from urlset.web.html_page import read_page

PAGE = """<!doctype html><html lang=en><head><title>{title}</title><link rel=stylesheet href="/app.{asset}.css">
<meta name=csrf-token content="{token}"><script nonce="{token}">var built = "{date}";</script></head>
<body data-build="{asset}"><header><a href=/>{menu}</a></header><nav><ul><li>{menu}</ul></nav>
<main><h1>Nails</h1><form><input type=hidden name=csrf value="{token}"></form><p>{text}</p>{stamp}
<img src="/img/nail.{asset}.png"></main>
<aside>{menu}</aside><footer>Imprint. © {year} Example. Built {date} from {asset}.</footer></body></html>"""
SETTLED = {
    "title": "Nails",
    "asset": "3f2a1b",
    "token": "t0k3n",
    "date": "2026-01-02",
    "menu": "Home",
    "text": "Made of iron.",
    "stamp": "",
    "year": "2025",
}

words = st.text(st.characters(categories=["Lu", "Ll"], include_characters="'-"), min_size=1, max_size=12)
years = st.integers(1990, 2099).map(str)
dates = st.datetimes().map(lambda moment: moment.strftime("%Y-%m-%d"))
hashes = st.text("0123456789abcdef", min_size=6, max_size=40).map(lambda text: "0" + text)


def _hash(**parts: str) -> int:
    return read_page(PAGE.format(**{**SETTLED, **parts}).encode()).content_hash


def _hash_of(text: str) -> int:
    return read_page(f"<main>{text}</main>".encode()).content_hash


@given(asset=hashes, token=st.text("abcXYZ012+/=", min_size=1), date=dates, year=years, menu=words, title=words)
def test_what_is_beside_the_text_does_not_move_it(
    asset: str, token: str, date: str, year: str, menu: str, title: str
) -> None:
    assert _hash(asset=asset, token=token, date=date, year=year, menu=menu, title=title) == _hash()


@given(text=st.lists(words, min_size=1, max_size=30), word=words, place=st.integers(min_value=0))
def test_every_word_of_the_text_moves_it(text: list[str], word: str, place: int) -> None:
    place %= len(text)
    changed = [*text[:place], word, *text[place + 1 :]]
    assert (_hash(text=" ".join(text)) == _hash(text=" ".join(changed))) == (text[place] == word)
    assert _hash(text=" ".join([*text, "more"])) != _hash(text=" ".join(text))


@given(
    text=st.lists(words, min_size=1, max_size=10), space=st.sampled_from(["\n", "\t ", "&nbsp;", "<br>", " <i></i> "])
)
def test_white_space_and_markup_do_not_move_it(text: list[str], space: str) -> None:
    spaced = space.join(text)
    assert _hash(text=spaced) == _hash(text=" ".join(text))
    assert _hash(text=f"<b>{text[0]}</b> " + " ".join(text[1:])) == _hash(text=" ".join(text))


# Two texts that differ only by what changes by itself.
STAMPS = [
    ("© 2025 Example", "© 2026 Example"),
    ("©2025 Example", "©2026 Example"),
    ("Copyright © 2019-2025 Example", "Copyright © 2019–2026 Example"),
    ("Copyright (c) 2019, 2025 by us", "Copyright (c) 2019, 2026 by us"),
    ("2025 © Example", "2026 © Example"),
    ("Copyright 2019 - present", "Copyright 2020 - present"),
    ("Last updated: 2026-11-20", "Last updated: 2026-11-21"),
    ("Last updated on 3 March 2026 at 10:42 am", "Last updated on 21 November 2026 at 9:00 pm"),
    ("Last modified <time>Mar 3rd, 2026</time>. Next", "Last modified <time>Nov 21st, 2026</time>. Next"),
    ("Built on 2026-11-21T10:00:00Z by CI", "Built on 2026-11-20T09:11:12Z by CI"),
    ("Build 1234", "Build 1235"),
    ("Build #1234 (3f2a1b9)", "Build #1240 (ffeedd0)"),
    ("commit 3f2a1b9c", "commit 9c3f2a1b"),
    ("Generated in 0.034 seconds at 10:11:12", "Generated in 1.2 seconds at 10:11:13"),
    ("Page generated: Sat Nov 21 06:51:19 UTC 2026", "Page generated: Sun Nov 22 07:00:00 UTC 2026"),
    ("posted 5 minutes ago in news", "posted an hour ago in news"),
    ("load app.3f2a1b.js now", "load app.99ffee.js now"),
    ("load /static/main-0a1b2c3d.css now", "load /static/main-ffeedd00.css now"),
    ("Zuletzt aktualisiert am 3. März 2026", "Zuletzt aktualisiert am 21. November 2026"),
    ("Stand: 03.03.2026", "Stand: 21.11.2026"),
    ("Modifié le 3 mars 2026", "Modifié le 21 novembre 2026"),
    ("Actualizado el 3 de marzo de 2026", "Actualizado el 21 de noviembre de 2026"),
    ("Обновлено 03.03.2026 10:00", "Обновлено 21.11.2026 11:00"),
    ("最終更新:2026年3月3日", "最終更新:2026年11月21日"),
]


@case_table("before, after", STAMPS)
def test_stamps_do_not_move_it(before: str, after: str) -> None:
    assert _hash_of(f"Text. {before} More.") == _hash_of(f"Text. {after} More.")
    assert _hash_of(f"Text. {before} More.") != _hash_of(f"Text. {before} Less.")


# Two texts whose difference somebody wrote.
CHANGES = [
    ("The tower was built in 1889", "The tower was built in 1887"),
    ("The concert is on 2026-11-21", "The concert is on 2026-11-22"),
    ("Doors open at 19:00", "Doors open at 20:00"),
    ("Founded in 2025", "Founded in 2026"),
    ("Only 5 left", "Only 4 left"),
    ("Version 1.2.3", "Version 1.2.4"),
    ("call 0123456", "call 0123457"),
    ("updated our terms", "updated our prices"),
    ("The build takes long", "The build takes ages"),
    ("load app.js now", "load lib.js now"),
    ("load app.decade.js now", "load app.facade.js now"),
    ("Copyright law of Kenya", "Copyright law of Ghana"),
    ("in 2 days", "in 3 days"),
    ("price 10.50 EUR", "price 10.60 EUR"),
    ("Case matters", "case matters"),
    ("It stands here. Stand by me", "It stands here. Stand by you"),
    ("a <b>b</b>c", "a b c"),
    ("<p>one</p><p>two</p>", "<p>onetwo</p>"),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_changes_move_it(before: str, after: str) -> None:
    assert _hash_of(f"Text. {before} More.") != _hash_of(f"Text. {after} More.")


@given(before=st.sampled_from(STAMPS), date=dates, words_after=st.lists(words, min_size=1, max_size=5))
def test_what_follows_a_stamp_counts(before: tuple[str, str], date: str, words_after: list[str]) -> None:
    after = " ".join(words_after)
    assert _hash_of(f"{before[0]}. The end {after}") != _hash_of(f"{before[0]}. The start {after}")
    assert _hash_of(f"Updated on {date}. The end {after}") != _hash_of(f"Updated on {date}. The start {after}")


def test_a_page_without_a_main_element_counts_without_what_is_beside() -> None:
    page = "<header>{0}</header><article><header>Head</header><p>{1}</article><footer>{0}</footer>"
    settled = read_page(page.format("a", "b").encode()).content_hash
    assert read_page(page.format("x", "b").encode()).content_hash == settled
    assert read_page(page.format("a", "c").encode()).content_hash != settled


def test_the_hash_is_the_same_in_every_encoding_and_machine() -> None:
    """Kept between builds, so that a change of it here is a change of the state's version."""
    text = "<main>Nägel aus Eisen</main>"
    hashes = {read_page(text.encode(name), charset=name).content_hash for name in ("utf-8", "cp1252", "utf-16le")}
    assert hashes == {HASH}


HASH = -6544860413544714769


def test_buttons_move_it_only_where_there_is_little_other_text() -> None:
    few, many = "word " * 10, "word " * 50
    likes = [f"{{text}}<button>{number} likes</button>" for number in (1, 2)]
    assert len({_hash_of(button.format(text=many)) for button in likes} | {_hash_of(many)}) == 1
    assert len({_hash_of(button.format(text=few)) for button in likes} | {_hash_of(few)}) == 3
