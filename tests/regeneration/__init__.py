"""Servers over time: people edit them, documents change, and both go on together."""
