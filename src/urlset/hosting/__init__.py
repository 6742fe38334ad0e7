"""How static hosts serve a directory: which file answers a URL, and the redirects and headers of their files.

`hosts.py` is the table of hosts, `folder.py` lists the files of a directory, one module per format reads the
configuration of a host, and `site.py` answers URLs. Nothing here uses the network.
"""
