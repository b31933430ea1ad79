"""The tests of the server; they need no network."""
