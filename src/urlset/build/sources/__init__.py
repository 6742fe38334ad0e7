"""Where entries come from: one file for each kind of source, all of them giving what the writer takes."""
