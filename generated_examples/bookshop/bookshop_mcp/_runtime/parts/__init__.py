"""Features that only some servers have; each is a module or a folder."""
