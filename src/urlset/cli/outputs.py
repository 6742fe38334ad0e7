"""The files that a report is written to, and their formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.errors import OutputError, UsageError, reason_of
from urlset.files.own_files import check_own
from urlset.files.publish import publish
from urlset.report.formats import ENDINGS as FORM_ENDINGS
from urlset.report.formats import Form, render
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from urlset.model.report import Report
    from urlset.model.report_page import Page

PARQUET = "parquet"
"""The only binary format: the rows of `tables.FINDINGS`."""

NAMES = (*(form.value for form in Form if form is not Form.NONE), PARQUET)
"""Every format of a file."""

ENDINGS: dict[str, str] = {**FORM_ENDINGS, ".parquet": PARQUET}
"""The format of each extension, in lowercase. The longest matching extension decides."""


class Destination(Struct, frozen=True):
    """A file to write, and its format, one of `NAMES`."""

    form: str
    path: Path


def destinations(written: Sequence[str]) -> list[Destination]:
    """Return the files to write, given as `FILE` or `FORMAT:FILE`.

    Raises:
        UsageError: A format is unknown or missing, or a file is given twice.
        OutputError: The directory of a file does not exist. This is checked before anything is read.
    """
    outputs = [_destination(text) for text in written]
    places: set[Path] = set()
    for destination in outputs:
        place = Path.cwd() / destination.path
        if place in places:
            raise UsageError(f"--output {destination.path} is given twice; name another file")
        places.add(place)
        check_place(destination.path)
    return outputs


def own_beside(store: Path, ending: str, option: str) -> Path:
    """Return the path of a file whose name is derived from that of a store.

    Args:
        option: The option that names another file.

    Raises:
        OutputError: It is a link, or belongs to another user.
    """
    # The path can be `.`, which has no name.
    path = store.parent / f"{store.stem or 'report'}{ending}"
    try:
        check_own(path)
    except OSError as error:
        raise OutputError(f"{path}: {reason_of(error)}, or name the file with {option}") from None
    return path


def check_place(path: Path) -> None:
    """Check that a file can be written, before anything is read.

    Raises:
        OutputError: It is a directory, or its directory does not exist.
    """
    place = Path.cwd() / path
    if place.is_dir():
        raise OutputError(f"{path}: is a directory; name a file in it")
    if not place.parent.is_dir():
        raise OutputError(f"{path}: no such directory {path.parent}; create it first")


def _destination(text: str) -> Destination:
    form, colon, path = text.partition(":")
    if colon and form in NAMES:
        if not path or path == "-":
            raise UsageError(f"--output {text}: no file name; for standard output use --format")
        return Destination(form, Path(path))
    if text in ("", "-"):
        raise UsageError("--output: no file name; for standard output use --format")
    from difflib import get_close_matches

    # `C:\report.sarif` and `./sarif:x.csv` are paths rather than misspelled formats.
    if colon and len(form) > 1 and form.isalpha() and (near := get_close_matches(form, NAMES, n=1)):
        raise UsageError(f"--output {text}: no such format {form!r}; did you mean {near[0]}:{path}?")
    name = Path(text).name.lower()
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if name.endswith(ending):
            return Destination(ENDINGS[ending], Path(text))
    raise UsageError(
        f"--output {text}: the extension does not show the format; use FORMAT:FILE with one of {', '.join(NAMES)}"
    )


def write_outputs(
    report: Report, files: Sequence[Destination], style: Style = Style(), content: str = "validate"
) -> None:
    """Write the report to each file, in its format, in UTF-8.

    Args:
        content: What to show of it, as `OUTPUTS` names it: `validate` or `statistics`.

    Raises:
        OutputError: A file cannot be written; the ones before it are.
    """
    for file in files:
        publish(file.path, _content(report, file.form, style, content))


def write_page(page: Page, path: Path, *, opens: bool) -> None:
    """Write the HTML report, and open it in the browser if `opens`.

    Raises:
        OutputError: It cannot be written.
    """
    publish(path, "\n".join(render("report", "html", page)).encode("utf-8"))
    if not opens:
        return
    import webbrowser

    from urlset.cli.output import complain

    try:
        is_open = webbrowser.open((Path.cwd() / path).as_uri())
    except (webbrowser.Error, OSError):
        is_open = False
    if not is_open:
        complain(f"no browser found; open {path} in one")


def _content(report: Report, form: str, style: Style, content: str) -> bytes:
    if form == PARQUET:
        from urlset.engine.parquet import findings_as_parquet

        return findings_as_parquet(report.issues, report.document_urls)
    return as_file(render(content, form, report, style))


def as_file(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8")
