"""Engines that run rules on the tables. `engine.duckdb` is the embedded engine; importing this package loads none."""
