"""Access logs: their files and crawlers, how they are read into a store, and how they are compared with a run."""
