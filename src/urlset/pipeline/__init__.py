"""The pipeline: one file per verb, and the only code that knows the whole way from a target to a result."""
