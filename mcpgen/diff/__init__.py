"""The changes between two catalogues of tools."""
