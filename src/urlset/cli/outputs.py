"""The files that a report of `validate` is written to: which format each gets, and how it gets there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.errors import OutputError, UsageError
from urlset.options.reporting import FailOn
from urlset.publish import publish
from urlset.report.formats import Form, render
from urlset.report.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from urlset.model.report import Report
    from urlset.model.report_page import Page

PARQUET = "parquet"
"""The one form that is no text: the rows of `tables.FINDINGS`."""

NAMES = (*(form.value for form in Form if form is not Form.NONE), PARQUET)
"""Every form that a file can have."""

ENDINGS: dict[str, str] = {
    ".sarif": Form.SARIF,
    ".sarif.json": Form.SARIF,
    ".json": Form.JSON,
    ".jsonl": Form.JSONL,
    ".ndjson": Form.JSONL,
    ".csv": Form.CSV,
    ".md": Form.MARKDOWN,
    ".markdown": Form.MARKDOWN,
    ".xml": Form.JUNIT,
    ".txt": Form.TEXT,
    ".parquet": PARQUET,
}
"""What the end of a file's name says about its form, in lower case. A longer ending wins over a shorter one."""


class Destination(Struct, frozen=True):
    """A file to write, and its form: one of `NAMES`."""

    form: str
    path: Path


def destinations(written: Sequence[str]) -> list[Destination]:
    """The files that are asked for, as `FILE` or `FORMAT:FILE`.

    Raises:
        UsageError: A form is unknown or not given, or a file is asked for twice.
        OutputError: The folder of a file does not exist; said before the work, not after it.
    """
    found = [_destination(text) for text in written]
    places: set[Path] = set()
    for destination in found:
        place = Path.cwd() / destination.path
        if place in places:
            raise UsageError(f"--output {destination.path} is given twice; each report needs a file of its own")
        places.add(place)
        check_place(destination.path)
    return found


def check_place(path: Path) -> None:
    """Sees before the work that a file can be written after it.

    Raises:
        OutputError: It is a folder, or its folder does not exist.
    """
    place = Path.cwd() / path
    if place.is_dir():
        raise OutputError(f"{path} cannot be written: it is a folder; give the name of a file in it")
    if not place.parent.is_dir():
        raise OutputError(f"{path} cannot be written: there is no folder {path.parent}")


def _destination(text: str) -> Destination:
    form, colon, path = text.partition(":")
    if colon and form in NAMES:
        if not path or path == "-":
            raise UsageError(f"--output {text} names no file; standard output gets what --format says")
        return Destination(form, Path(path))
    if text in ("", "-"):
        raise UsageError("--output takes the name of a file; standard output gets what --format says")
    from difflib import get_close_matches

    # `C:\report.sarif` and `./sarif:x.csv` are paths and no misspelt forms.
    if colon and len(form) > 1 and form.isalpha() and (near := get_close_matches(form, NAMES, n=1)):
        raise UsageError(f"there is no format {form!r} for --output {text}; did you mean {near[0]}:{path}?")
    name = Path(text).name.lower()
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if name.endswith(ending):
            return Destination(ENDINGS[ending], Path(text))
    raise UsageError(
        f"--output {text}: its ending names no format; write FORMAT:FILE, where FORMAT is {', '.join(NAMES)}"
    )


def write_outputs(
    report: Report, files: Sequence[Destination], *, fail_on: FailOn = FailOn.ERROR, verbose: bool = False
) -> None:
    """Writes the report to each file, in its form, in UTF-8.

    Raises:
        OutputError: A file cannot be written; the ones before it are.
    """
    for file in files:
        publish(file.path, _content(report, file.form, fail_on, verbose))


def write_page(page: Page, path: Path) -> None:
    """Writes the report page.

    Raises:
        OutputError: It cannot be written.
    """
    publish(path, "\n".join(render("report", "html", page)).encode("utf-8"))


def _content(report: Report, form: str, fail_on: FailOn, verbose: bool) -> bytes:
    if form == PARQUET:
        from urlset.engine.parquet import findings_as_parquet

        return findings_as_parquet(report.issues, report.document_urls)
    return as_file(render("validate", form, report, Style(fail_on=fail_on, verbose=verbose)))


def as_file(lines: Iterable[str]) -> bytes:
    """Return the lines as a file has them."""
    return "".join(f"{line}\n" for line in lines).encode("utf-8")
