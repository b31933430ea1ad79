"""Existing servers: people's edits, and the changes of an update."""
