"""Skills of a server: the first one, made from its document, and what is wrong with others."""
