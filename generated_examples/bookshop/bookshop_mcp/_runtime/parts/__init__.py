"""Features that only some servers have, a module or folder each."""
