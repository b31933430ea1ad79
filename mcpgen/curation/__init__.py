"""A list in which a user chooses and renames a server's tools; it is turned into settings."""
