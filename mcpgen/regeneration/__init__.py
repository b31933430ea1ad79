"""Existing servers: people's edits, and the changes that an update makes."""
