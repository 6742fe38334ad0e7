"""Options for repairing documents."""

from __future__ import annotations

import re
from pathlib import Path

from urlset.errors import UsageError
from urlset.options.declare import PER_RUN, OptionFacts, Panel, Positive, Text, option, option_group
from urlset.options.judging import ProfileOptions, SelectionOptions
from urlset.options.verbs import ReadOptions


@option_group(panel=Panel.OUTPUT, faces=PER_RUN)
class FixOptions(ReadOptions, SelectionOptions, ProfileOptions):
    """Options of `fix`: how documents are repaired, where the results go, and which errors in them are reported."""

    output: Path | None = option(
        None,
        OptionFacts(
            is_output=True,
            help="Write the result to PATH: a file, or a directory for several documents",
            metavar="PATH",
            short="o",
            default_text="standard output",
        ),
    )
    in_place: bool = option(False, OptionFacts(help="Replace each file with its repaired version"))
    dry_run: bool = option(
        False,
        OptionFacts(help="Write nothing; exit with 1 if anything needs repair"),
    )
    diff: bool = option(False, OptionFacts(help="Show the changes as a unified diff; write nothing"))
    base_url: Text | None = option(
        None,
        OptionFacts(
            help="Resolve relative URLs against URL, replace the hosts of development servers, and split documents "
            "over the limits into files next to it",
            metavar="URL",
        ),
    )
    max_entries: Positive = option(
        50_000,
        OptionFacts(
            help="Maximum entries per document; longer documents are split",
            metavar="N",
        ),
    )
    max_bytes: Positive = option(
        52_428_800,
        OptionFacts(
            help="Maximum size of a document; larger documents are split",
            metavar="BYTES",
            default_text="50 MiB",
        ),
    )

    def check(self) -> None:
        if self.base_url is not None and not re.match(r"https?://[^/?#\s]+(?:[/?#]\S*)?$", self.base_url, re.I):
            raise UsageError(f"the base URL must be an absolute http(s) URL, not {self.base_url!r}")
