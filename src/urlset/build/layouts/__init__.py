"""Layouts of site generators, which map source files to pages."""
