"""Which pages have known source files."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from urlset.model.fields import NonNegativeInt, about
from urlset.text.sizes import quantity


class Unmapped(Struct, frozen=True):
    """A page without a known source file, or a source file without a page."""

    what: Annotated[str, about("The URL of the page, or the path of the file.")]
    reason: Annotated[str, about("Why.")]


class SourceMapping(Struct, frozen=True, kw_only=True):
    """Which pages have known source files, from which their dates are."""

    content: Annotated[str, about("The directory with the source files.")]
    generator: Annotated[str, about("The generator whose layout it has; empty if none is known.")]
    pages: Annotated[NonNegativeInt, about("Number of pages.")]
    mapped: Annotated[NonNegativeInt, about("Number of pages with known source files.")]
    unmapped_in_total: Annotated[NonNegativeInt, about("Number of other pages, and of files that make no page.")]
    unmapped: Annotated[tuple[Unmapped, ...], about("The first 1,000 of these.")] = ()

    def __str__(self) -> str:
        how = f"by the layout of {self.generator}" if self.generator else "by their paths"
        return f"{self.mapped:,} of {quantity(self.pages, 'page')} mapped to files in {self.content}, {how}" + (
            f"; {quantity(self.unmapped_in_total, 'page or file', 'pages and files')} not mapped:"
            if self.unmapped_in_total
            else ""
        )
