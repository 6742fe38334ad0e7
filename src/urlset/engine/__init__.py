"""The engines that run rules over the tables. `engine.duckdb` is the embedded one; importing this loads neither."""
