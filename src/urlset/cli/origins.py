"""Origins as the command line gives them: one by one, or in a file with one a line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Origins = Annotated[
    list[str] | None,
    typer.Argument(metavar="ORIGIN", help="Sites: example.com, https://example.com or the like.", show_default=False),
]

OriginsFile = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="More origins, one a line; what begins with # is left out. - for standard input.",
        show_default=False,
    ),
]


def origins_of(given: list[str] | None, file: Path | None) -> list[str]:
    """The origins that are asked for, each once, in order.

    Raises:
        MisuseError: There is none, or one makes no sense; of those in the file the line is named.
        InputError: The file cannot be read.
    """
    from urlset.errors import MisuseError
    from urlset.sources.origin import parse_origin

    origins = list(given or ())
    for origin in origins:
        parse_origin(origin)
    if file is not None:
        for number, origin in _lines(_text(file)):
            try:
                parse_origin(origin)
            except MisuseError as error:
                raise MisuseError(f"{file}, line {number}: {error}") from None
            origins.append(origin)
    if not origins:
        what = "no origin is given" if file is None else f"{file} names no origin"
        raise MisuseError(f"{what}; write one, as in example.com")
    return list(dict.fromkeys(origins))


def _text(file: Path) -> str:
    from urlset.bounded import MOST_OF_LIST, read_stdin, read_whole
    from urlset.errors import InputError, reason_of

    try:
        content = read_stdin(MOST_OF_LIST) if str(file) == "-" else read_whole(file, MOST_OF_LIST)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise InputError(str(file), reason_of(error)) from None
    except UnicodeDecodeError:
        raise InputError(str(file), "not a list of origins: it is not in UTF-8") from None


def _lines(text: str) -> Iterable[tuple[int, str]]:
    def lines() -> Iterator[tuple[int, str]]:
        for number, line in enumerate(text.splitlines(), start=1):
            origin = line.partition("#")[0].strip()
            if origin:
                yield number, origin

    return lines()
