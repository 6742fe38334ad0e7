"""Options for reading documents."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from urlset.options.declare import OptionFacts, OptionGroup, Panel, Resume, option, option_group

DEFAULT_MAX_DOCUMENT_BYTES = 200 * 1024 * 1024
"""Default maximum size of a document after decompression, in bytes: `DEFAULT_MAX_INFLATED` of `core/src/limits.rs`."""

MAX_DOCUMENT_BYTES = 512 * 1024 * 1024
"""The highest such limit, in bytes: `MAX_INFLATED` of `core/src/limits.rs`."""

DocumentBytes = Annotated[int, Meta(ge=1, le=MAX_DOCUMENT_BYTES)]


@option_group
class ReadingOptions(OptionGroup):
    """How documents are read."""

    max_document_bytes: DocumentBytes = option(
        DEFAULT_MAX_DOCUMENT_BYTES,
        OptionFacts(
            resume=Resume.KEPT,
            rare=True,
            help="Maximum bytes to read from a document, after decompression; at most 512 MiB",
            panel=Panel.TARGETS,
            metavar="BYTES",
            example="104_857_600",
            default_text="200 MiB",
        ),
    )
