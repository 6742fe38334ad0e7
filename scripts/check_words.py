"""Find phrases that urlset avoids in everything that a person reads, and fail if there are any.

The phrases, and what to write instead, are in `words.toml`. Python is searched in its strings and comments, Rust in its
comments and string literals, other files as a whole. A phrase is found across a line break.

    python scripts/check_words.py [FILE…]
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
import tomllib
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PHRASES = Path(__file__).with_name("words.toml")

SEARCHED = (
    "*.md",
    "*.toml",
    "Makefile",
    "action.yml",
    "docs/**/*.md",
    "examples/**/README.md",
    "changelog.d/*.md",
    "src/**/*.py",
    "src/**/*.pyi",
    "src/**/*.html",
    "src/**/*.js",
    "core/src/**/*.rs",
    "core/testing/**/*.rs",
    "scripts/*.py",
    "bench/*.py",
    "bench/*.md",
)
"""Patterns of the files that are searched, relative to the root of the repository."""

_RUST_TEXT = re.compile(r'//[^\n]*(?:\n[ \t]*//[^\n]*)*|"(?:[^"\\]|\\.)*"')
# Whatever starts a line of a comment or a continued string and is not part of the sentence.
_MARGIN = re.compile(r"[ \t]*\n[ \t]*(?:///?!?|#:?|\*)?[ \t]*")


@dataclass(frozen=True)
class Phrase:
    """A phrase to avoid, and what to write instead."""

    pattern: re.Pattern[str]
    write: str


@dataclass(frozen=True)
class Place:
    """Where a phrase occurs: a file, and a line in it that counts from 1."""

    path: Path
    line: int
    found: str
    write: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: '{self.found}'; write: {self.write}"


def phrases() -> list[Phrase]:
    """Return the phrases of `words.toml`."""
    listed = tomllib.loads(PHRASES.read_text(encoding="utf-8"))["phrase"]
    return [Phrase(_pattern(item["find"]), item["write"]) for item in listed]


def _pattern(find: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{find.replace(' ', r'[ ]')})(?![\w-])", re.IGNORECASE)


def places(text: str, suffix: str, path: Path, avoided: list[Phrase]) -> list[Place]:
    """Return the places of a text that contain a phrase, in order.

    Args:
        text: The content of a file.
        suffix: The suffix of its name, which decides what of it is prose.
        path: The file, for messages.
        avoided: The phrases to find.
    """
    found = []
    for first_line, prose in _prose(text, suffix):
        flat, starts = _flatten(prose)
        for phrase in avoided:
            for match in phrase.pattern.finditer(flat):
                line = first_line + bisect_right(starts, match.start())
                found.append(Place(path, line, match[0], phrase.write))
    return found


def _flatten(prose: str) -> tuple[str, list[int]]:
    """Return prose in one line, and where in it each line but the first starts."""
    flat, starts, last = "", [], 0
    for margin in _MARGIN.finditer(prose):
        flat += prose[last : margin.start()] + " "
        starts.append(len(flat))
        last = margin.end()
    return flat + prose[last:], starts


def _prose(text: str, suffix: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a file that a person reads, each with the line that it starts at."""
    if suffix in {".py", ".pyi"}:
        yield from _python_prose(text)
    elif suffix == ".rs":
        for match in _RUST_TEXT.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, match[0]
    else:
        yield 1, text


def _python_prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield strings and comments; those separated only by whitespace are joined."""
    prose, started, ended = "", 1, 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in {tokenize.NL, tokenize.INDENT, tokenize.DEDENT}:
            continue
        is_prose = token.type in {tokenize.STRING, tokenize.COMMENT}
        if prose and not is_prose:
            yield started, prose
            prose = ""
        elif is_prose:
            started = started if prose else token.start[0]
            prose += ("\n" * (token.start[0] - ended) if prose else "") + _without_quotes(token)
            ended = token.end[0]
    if prose:
        yield started, prose


def _without_quotes(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.COMMENT:
        return token.string
    return re.sub(r"""^[a-zA-Z]*("{3}|'{3}|"|')(.*)\1$""", r"\2", token.string, flags=re.DOTALL)


def files() -> list[Path]:
    """Return the files to search, in order. This program, its list, and lists of codes are not searched."""
    # Lists of codes of scripts, in which Mend stands for Mende.
    own = {PHRASES, Path(__file__), ROOT / "core/src/value/codes.rs"}
    return sorted({path for pattern in SEARCHED for path in ROOT.glob(pattern) if path.is_file()} - own)


def main() -> int:
    """Print each place, and return 1 if there is one."""
    avoided = phrases()
    named = [Path(name).resolve() for name in sys.argv[1:]] or files()
    found = [
        place
        for path in named
        for place in places(path.read_text(encoding="utf-8"), path.suffix, path.relative_to(ROOT), avoided)
    ]
    for place in found:
        print(place)
    if found:
        print(f"{len(found)} {'place' if len(found) == 1 else 'places'} to reword; see scripts/words.toml")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
