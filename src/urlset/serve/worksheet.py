"""Writes the rows of a query to a worksheet."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from urlset.errors import UsageError, requiring_extra
from urlset.report.rows import as_text
from urlset.text.safe import safe

if TYPE_CHECKING:
    from pathlib import Path

    from urlset.model.query import QueryResult

MAX_XLSX = 1_000_000
"""Maximum rows of a worksheet, about as Excel has it:
https://support.microsoft.com/en-us/office/excel-specifications-and-limits-1672b34d-7043-467e-8e27-269d656771c3"""

LONGEST_CELL = 32_767
"""Maximum characters of a cell of a worksheet; from the same page."""


def write_xlsx(path: Path, result: QueryResult) -> None:
    """Write rows to a worksheet, in which text is never a formula or a link.

    Raises:
        UsageError: There are too many rows.
        MissingExtraError: XlsxWriter is not installed.
    """
    with requiring_extra("serve", "XLSX requires"):
        from xlsxwriter import Workbook
    # Its temporary files are next to the result, and removed with it.
    with Workbook(path, {"constant_memory": True, "tmpdir": str(path.parent)}) as book:
        sheet = book.add_worksheet("urlset")
        bold = book.add_format({"bold": True})
        for column, name in enumerate(result.columns):
            sheet.write_string(0, column, safe(name), bold)
        sheet.freeze_panes(1, 0)
        for number, row in enumerate(result.rows, 1):
            if number > MAX_XLSX:
                raise UsageError(f"a worksheet has room for {MAX_XLSX:,} rows; use CSV or Parquet, or ask for fewer")
            for column, value in enumerate(row):
                if isinstance(value, bool):
                    sheet.write_boolean(number, column, value)
                # Others, such as NaN, are no numbers of a worksheet, or lose digits there.
                elif isinstance(value, int | float | Decimal) and -(2**53) < value < 2**53:
                    sheet.write_number(number, column, float(value))
                elif value is not None:
                    text = safe(as_text(value))
                    if len(text) > LONGEST_CELL:
                        raise UsageError(
                            f"row {number:,}, {result.columns[column]}: a cell has room for {LONGEST_CELL:,} "
                            "characters; use CSV or Parquet"
                        )
                    sheet.write_string(number, column, text)
