"""Takes a table of pages that were fetched elsewhere as the table `pages` of a run."""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset import _core
from urlset.cluster.frames import SPARK_TYPES, read_frame
from urlset.engine.spark.failures import first_line
from urlset.errors import InputError, UsageError
from urlset.tables import PAGES
from urlset.text.sizes import inflect, quantity
from urlset.web.indexability import NEEDED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from pyspark.sql import Column, DataFrame, SparkSession

REQUIRED = ("url", "status")
"""The columns that a table of pages must have."""

ASSUMED = (
    "skipped", "blocked_by", "script_url", "in_body", "not_a_page", "canonical_redirects", "canonical_is_respelled",
    "canonical_is_preview", "canonical_spelling_hash", "final_spelling_hash",
)  # fmt: skip
"""Columns that are null if they are missing, without a note: a page with a response was neither skipped nor blocked,
and the others are about rare exceptions of rules."""

HASHED: Mapping[str, tuple[str, Callable[[str], int]]] = {
    "canonical_hash": ("canonical", _core.url_hash),
    "page_hash": ("url", _core.page_hash),
}
"""Columns that are derived if they are missing: each with the column of its URL and the function of it."""

VERDICT = frozenset({"is_indexable", "reason"})
"""The columns that are computed from the others."""

_WHOLE = frozenset({"tinyint", "smallint", "int", "bigint"})

ACCEPTED: Mapping[str, frozenset[str]] = {
    "int": _WHOLE,
    "bigint": _WHOLE,
    "double": _WHOLE | {"float", "double"},
    "boolean": frozenset({"boolean"}),
    "string": frozenset({"string"}),
    "array<string>": frozenset({"array<string>"}),
    "array<bigint>": frozenset({f"array<{kind}>" for kind in _WHOLE}),
    "timestamp_ntz": frozenset({"timestamp", "timestamp_ntz"}),
}
"""For each type in a run, the types of Spark that are converted to it without a loss."""


PLACE = "urlset_place"
"""The number of a row among those with its URL."""


class PlacedPages(Struct):
    """The pages of a run.

    Attributes:
        rows: The rows of `pages`, kept on the executors.
        matched: Their number.
        listed: Number of distinct listed pages.
        notes: What was left out or assumed.
    """

    rows: DataFrame
    matched: int
    listed: int
    notes: list[str]


class FetchedPages:
    """A table of pages that were fetched elsewhere.

    Attributes:
        missing: The columns of `pages` that it lacks and that cannot be derived.
    """

    def __init__(self, spark: SparkSession, pages: str | DataFrame, of_entry: Collection[str]) -> None:
        """Check the columns.

        Args:
            pages: A frame, the path or glob of Parquet files, or `table:NAME`.
            of_entry: The columns of `pages` that come from the entry that lists the page.

        Raises:
            UsageError: A column is missing or has another type.
            InputError: The files cannot be read.
        """
        self._name = pages if isinstance(pages, str) else "the pages"
        self._frame = read_frame(spark, pages) if isinstance(pages, str) else pages
        self._types = {
            column.name: SPARK_TYPES[column.type]
            for column in PAGES.columns
            if column.name == "url" or column.name not in of_entry
        }
        kinds = {field.name: field.dataType.simpleString() for field in self._frame.schema.fields}
        if lacking := [name for name in REQUIRED if name not in kinds]:
            raise UsageError(
                f"{self._name}: no column {lacking[0]}, only {', '.join(kinds)}; pages need the columns url and status"
            )
        for name, kind in kinds.items():
            wanted = self._types.get(name)
            if wanted is not None and kind not in ACCEPTED[wanted] | {"void"}:
                raise UsageError(f"{self._name}: the column {name} must be {wanted}, not {kind}")
        self._columns = [name for name in self._types if name in kinds]
        self._unknown_columns = [name for name in kinds if name not in PAGES.column_names]
        derived = {name for name, (url, _) in HASHED.items() if url in kinds}
        missing = frozenset(self._types) - kinds.keys() - derived - set(ASSUMED)
        # The verdict is always computed, and unknown if a column is missing that decides about most pages.
        self.missing = missing | VERDICT if NEEDED & missing else missing - VERDICT

    def pages_with_entries(self, session: SparkSession, firsts: DataFrame) -> PlacedPages:
        """Return the pages with the entries that list them.

        Args:
            session: The session of the rules.
            firsts: The first entry of each listed page, in this session.

        Raises:
            InputError: The pages cannot be read.
        """
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException
        from pyspark.sql.functions import count, count_distinct

        # A session sees the frames of another one only as a global view.
        view = f"urlset_pages_{token_hex(8)}"
        self._frame.createGlobalTempView(view)
        try:
            frame = session.table(f"global_temp.{view}")
            [(rows, url_count, urls)] = frame.select(count("*"), count("url"), count_distinct("url")).collect()
            pages = firsts.join(self._one_per_url(frame), "url").select(*PAGES.column_names).persist()
            listed, matched = firsts.count(), pages.count()
        except (PySparkException, Py4JJavaError) as error:
            raise InputError(self._name, f"cannot be read: {first_line(error)}") from None
        finally:
            session.catalog.dropGlobalTempView(view)
        notes = self._notes(nameless=rows - url_count, repeated=url_count - urls, unlisted=urls - matched)
        if matched < listed:
            verb = inflect(listed - matched, "is", "are")
            notes.append(f"{self._name}: {listed - matched:,} of {quantity(listed, 'listed page')} {verb} missing")
        return PlacedPages(pages, matched, listed, notes)

    def _one_per_url(self, frame: DataFrame) -> DataFrame:
        """Return a row per URL, with the columns of `pages` that do not come from entries."""
        from pyspark.sql import Window
        from pyspark.sql.functions import col, lit, row_number, struct, to_json

        # The rest of the order only makes the choice the same in every run.
        newest = col("fetched_at").desc_nulls_last() if "fetched_at" in self._columns else lit(0)
        order = Window.partitionBy("url").orderBy(newest, to_json(struct(*self._columns)))
        once = frame.where(col("url").isNotNull()).withColumn(PLACE, row_number().over(order))
        return once.where(col(PLACE) == 1).select(*(self._column(name) for name in self._types))

    def _column(self, name: str) -> Column:
        from pyspark.sql.functions import col, lit, udf
        from pyspark.sql.types import LongType

        if name in self._columns:
            value = col(name)
        elif name in HASHED and HASHED[name][0] in self._columns:
            of, hashed = HASHED[name]
            value = udf(lambda url: None if url is None else hashed(url), LongType())(of)
        else:
            value = lit(None)
        return value.cast(self._types[name]).alias(name)

    def _notes(self, *, nameless: int, repeated: int, unlisted: int) -> list[str]:
        notes = []
        if self._unknown_columns:
            names = ", ".join(self._unknown_columns)
            notes.append(f"{self._name}: unknown {inflect(len(self._unknown_columns), 'column')} ignored: {names}")
        if nameless:
            notes.append(f"{self._name}: {quantity(nameless, 'row')} without a URL ignored")
        if repeated:
            notes.append(
                f"{self._name}: {quantity(repeated, 'row')} with a repeated URL ignored; the newest one counts"
            )
        if unlisted:
            verb = inflect(unlisted, "is", "are")
            notes.append(f"{self._name}: {quantity(unlisted, 'URL')} that no sitemap lists {verb} not checked")
        return notes
