"""The store: a DuckDB file with the tables of `urlset.tables` for any number of runs.

`file.py` opens it, and `run.py` writes a run. Each table has a `run_id` and the documented columns, so that any SQL
client can read it without urlset.
"""
