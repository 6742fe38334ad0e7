"""Make `python -m urlset` the same as `urlset`."""

if __name__ == "__main__":
    from urlset.processes.children import leave_out_current_directory

    leave_out_current_directory()
    from urlset.cli.start import run

    run()
