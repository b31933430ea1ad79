"""Servers that are there: what people did to them, and what an update would change."""
