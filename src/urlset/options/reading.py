"""Options for reading documents."""

from __future__ import annotations

from dataclasses import dataclass

from urlset.options.declare import Facts, OptionGroup, Panel, Positive, option

DEFAULT_MAX_DOCUMENT_BYTES = 200 * 1024 * 1024
"""Bound on a document's size after decompression, in bytes: `DEFAULT_MAX_INFLATED` of `core/src/limits.rs`."""


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(OptionGroup):
    """How a document is read."""

    max_document_bytes: Positive = option(
        DEFAULT_MAX_DOCUMENT_BYTES,
        Facts(
            help="Maximum bytes to read from a document, after decompression",
            panel=Panel.TARGETS,
            metavar="BYTES",
            example="104_857_600",
            default_text="200 MiB",
        ),
    )
