"""Regular expressions: which are advertised and enforced, and texts that they match."""
