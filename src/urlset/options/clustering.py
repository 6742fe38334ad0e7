"""Options for the engine: DuckDB on this machine, or Spark on a cluster."""

from __future__ import annotations

from enum import StrEnum

from urlset.errors import UsageError
from urlset.options.declare import COMMAND_LINE, OptionFacts, OptionGroup, Panel, Text, option, option_group


class EngineName(StrEnum):
    """What reads documents and runs rules."""

    DUCKDB = "duckdb"
    """On this machine, in this process."""
    SPARK = "spark"
    """On a Spark cluster, or in a Spark on this machine."""


@option_group(panel=Panel.TARGETS, faces=COMMAND_LINE)
class EngineOptions(OptionGroup):
    """The engine of a command, and the cluster."""

    engine: EngineName = option(
        EngineName.DUCKDB,
        OptionFacts(
            help="Where to run: duckdb (this machine) or spark (a cluster)",
            rare=True,
            metavar="ENGINE",
        ),
    )
    master: Text | None = option(
        None,
        OptionFacts(
            help="Spark master to run on, such as local[2] or yarn",
            rare=True,
            metavar="URL",
            default_text="that of spark-submit, or this machine",
        ),
    )

    def check(self) -> None:
        """Check that options on the cluster come with the engine on it."""
        if self.engine is not EngineName.SPARK:
            for name in (
                place for place in ("master", "run_folder", "pages_from") if getattr(self, place, None) is not None
            ):
                raise UsageError(f"--{name.replace('_', '-')} requires --engine spark")


@option_group
class ClusterOptions(EngineOptions):
    """The engine of a command that reads documents, and where its run is kept."""

    run_folder: Text | None = option(
        None,
        OptionFacts(
            help="Folder to keep the tables of a run on Spark in, which every executor can reach",
            panel=Panel.TARGETS,
            rare=True,
            metavar="FOLDER",
            faces=COMMAND_LINE,
            default_text="a temporary folder, if Spark runs on this machine",
            more="`urlset sql`, `urlset report`, and `urlset diff` read it like a store.",
        ),
    )


@option_group
class PagesClusterOptions(ClusterOptions):
    """The engine of a command that checks pages, and where it takes them from on a cluster."""

    pages_from: Text | None = option(
        None,
        OptionFacts(
            help="Parquet files with the listed pages, fetched elsewhere, for --engine spark",
            panel=Panel.PAGES,
            rare=True,
            metavar="PATH",
            faces=COMMAND_LINE,
            default_text="the pages of the run",
            more="A folder, a glob, or table:NAME, with the columns url, status, and any other ones of the table "
            "pages. A rule that reads a missing column does not run, and the report names it.",
        ),
    )
