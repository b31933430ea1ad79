"""A server's skills: writes the first one from the server's document, and checks people's own."""
