"""Rules on the listed pages themselves: what they answer and what they say of themselves."""
