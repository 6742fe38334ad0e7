"""The pipeline: one file per verb, and the only code that knows the order of the stages."""
