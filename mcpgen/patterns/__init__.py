"""Regular expressions: how they are advertised and enforced, and strings that match them."""
