"""Skills of a server: the first one, made from its document, and problems of others."""
