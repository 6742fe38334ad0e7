"""The store: runs kept on disk, one DuckDB file with the tables of `urlset.tables` for any number of runs.

`file.py` opens it, `run.py` writes a run, `compare.py` puts two runs side by side. Each table has the columns of the
contract behind a `run_id`, so that any SQL client reads it without knowing urlset.
"""
