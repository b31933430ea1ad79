"""Writes a server's folder."""
