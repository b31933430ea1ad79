"""Writing a server's folder."""
