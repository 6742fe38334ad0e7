"""Make `python -m urlset` the same as `urlset`."""

from urlset.cli.start import run

if __name__ == "__main__":
    run()
