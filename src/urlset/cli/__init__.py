"""The command line: one file per command. It reads options, calls the pipeline and shows what comes back."""
