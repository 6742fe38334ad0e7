"""Rules on a deployment: what a site serves, compared with the directory that was built."""
