"""The engine on Spark: runs the same rules on the tables of a cluster and returns the same findings."""
