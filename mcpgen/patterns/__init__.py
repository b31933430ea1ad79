"""Regular expressions: the advertised and the enforced spelling, and strings that match them."""
