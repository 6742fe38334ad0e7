"""Where a run on Spark is kept, and its HTML report: the folder is read here, as by `urlset report FOLDER`."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.cluster.hadoop_files import local_path
from urlset.engine.run_folder import is_run_folder
from urlset.errors import UsageError
from urlset.pipeline.cluster import temporary_folder
from urlset.pipeline.report_page import page_of_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import SparkSession

    from urlset.model.report import Report
    from urlset.model.report_page import Page


class RunPlace(Struct):
    """Where a run on Spark is kept.

    Attributes:
        folder: The folder to keep it in; None for none, or if the target is a run already.
        page: Returns the HTML report with these findings, once the run is complete; None without a report.
    """

    folder: str | None
    page: Callable[[Report], Page] | None


@contextmanager
def place_of_run(
    spark: SparkSession,
    targets: Sequence[str],
    run_folder: str | None,
    pages_from: str | None = None,
    *,
    command: str,
    is_reported: bool,
) -> Iterator[RunPlace]:
    """Yield where a run is kept; if it is reported, on this machine. A temporary folder is removed at the end.

    Args:
        pages_from: The pages that were fetched elsewhere, as given.
        is_reported: Whether the HTML report is made.

    Raises:
        UsageError: The report cannot be made: this machine cannot read the folder, or the run has no place for the
            pages.
    """
    page = partial(page_of_run, command=command)
    if not is_reported:
        yield RunPlace(run_folder, None)
    elif run_folder is not None:
        path = local_path(run_folder)
        if "://" in path:
            raise UsageError(
                f"--report reads the run on this machine, which cannot open {run_folder}; name a local or mounted "
                "--run-folder"
            )
        yield RunPlace(run_folder, lambda report: page(Path(path), report=report))
    elif len(targets) == 1 and is_run_folder(run := Path(local_path(targets[0]))):
        if pages_from is not None:
            raise UsageError(
                "--report shows the pages of a run, and a run that was read before does not keep those of "
                "--pages-from; name the sitemaps and a --run-folder instead"
            )
        yield RunPlace(None, lambda report: page(run, report=report))
    else:
        with temporary_folder(spark) as folder:
            yield RunPlace(folder, lambda report: page(Path(folder), report=report, is_temporary=True))
