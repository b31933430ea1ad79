"""Choosing and naming a server's tools in one list, which becomes its settings."""
