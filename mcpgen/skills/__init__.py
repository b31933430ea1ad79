"""A server's skills: writes the first one from the document, and checks hand-written ones."""
