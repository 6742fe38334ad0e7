"""Reads and writes sitemaps on a Spark cluster. pyspark is imported on use."""
