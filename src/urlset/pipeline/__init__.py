"""One file per command: the only code that knows the order of the stages."""
