"""Bodies that are not one JSON value, and cookies."""
