"""A server's skills: the first, made from its document, and the problems of the others."""
