"""A package, so that the browser lasts as long as its tests: afterwards other tests run event loops of their own."""
