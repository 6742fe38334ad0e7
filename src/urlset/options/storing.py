"""Options for the store, a DuckDB file with runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from urlset.errors import UsageError
from urlset.files.user_folders import cache_folder, name_of_place
from urlset.options.declare import (
    PER_RUN,
    Face,
    OptionFacts,
    OptionGroup,
    Panel,
    Positive,
    Resume,
    option,
    option_group,
)

DEFAULT_STORE = Path("urlset.duckdb")
STORES = "stores"


def store_of_builds() -> Path:
    """Return the store of the directories of pages that are audited from the working directory.

    It is in the user's cache, since the working directory is mostly a repository.
    """
    return cache_folder() / STORES / f"{name_of_place(Path.cwd())}.duckdb"


def is_unnamed_store(path: Path) -> bool:
    """Return whether a store is one that commands find from the working directory."""
    # The cache's directory is looked up only for a path that can be in it.
    return path == DEFAULT_STORE or (path.parent.name == STORES and path == store_of_builds())


def run_option(faces: frozenset[Face]) -> Positive | None:
    """Declare the option for the run to show."""
    return option(
        None,
        OptionFacts(
            help="Number of the run, as `urlset history` lists it",
            panel=Panel.STORE,
            metavar="N",
            faces=faces,
            default_text="the newest complete run",
        ),
    )


@option_group
class StorePlaceOptions(OptionGroup):
    """Where results are stored."""

    TABLE: ClassVar[str] = "audit"

    store: Path = option(
        DEFAULT_STORE,
        OptionFacts(
            resume=Resume.NEW,
            help="DuckDB file to store the result in",
            panel=Panel.STORE,
            metavar="FILE",
            example='"audits.duckdb"',
            default_text=f"{DEFAULT_STORE}, or for audits of directories a file in the cache directory",
            is_place=True,
        ),
    )


@option_group(panel=Panel.STORE, resume=Resume.NEW)
class StoringOptions(StorePlaceOptions):
    """Where a run is stored, and whether an unfinished one is resumed."""

    no_store: bool = option(
        False,
        OptionFacts(
            rare=True,
            help="Do not store the run; it cannot be resumed or compared later",
            faces=PER_RUN,
        ),
    )
    resume: bool = option(
        False,
        OptionFacts(
            help="Resume the last unfinished run in the store",
            faces=PER_RUN,
        ),
    )
    trust_index_lastmod: bool = option(
        False,
        OptionFacts(
            rare=True,
            help="Do not request sitemaps whose lastmod in the index is that of the previous run",
            example="true",
            more="Their rows are copied from the last finished run on the same targets, whose number is in the column "
            "`assumed_from` of `documents`. After six such runs, one requests all of them, and reports each lastmod "
            "that did not change although its sitemap did. A date without a time is trusted once its day is over.",
        ),
    )

    @classmethod
    def check_explicit(cls, explicit: Mapping[str, object]) -> None:
        """Check the options that were set explicitly, which their values do not show.

        Raises:
            UsageError: no_store is combined with options on the store.
        """
        if explicit.get("no_store") and explicit.get("trust_index_lastmod"):
            raise UsageError("--trust-index-lastmod needs the previous run, so it cannot be combined with --no-store")
        if explicit.get("no_store") and (explicit.get("resume") or explicit.get("store") is not None):
            raise UsageError("--no-store cannot be combined with --store or --resume")
