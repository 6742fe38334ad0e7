"""Compare a built directory with what its site serves: what to ask for, what differs, and what changed it."""
