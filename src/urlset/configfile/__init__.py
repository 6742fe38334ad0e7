"""The configuration file: found, read, checked, and put together with what the command line says."""
