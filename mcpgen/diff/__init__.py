"""What changed between two catalogues of tools."""
