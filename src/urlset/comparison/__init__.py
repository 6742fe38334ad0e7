"""Two sides of a comparison: how each becomes a run of a store, and what differs between the two in SQL."""
