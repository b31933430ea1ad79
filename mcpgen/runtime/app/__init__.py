"""Puts the server together, checks its settings and serves it."""
