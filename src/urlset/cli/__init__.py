"""The command line, with one file per command. It reads options, calls the pipeline, and shows the result."""
