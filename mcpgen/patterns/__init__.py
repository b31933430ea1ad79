"""Regular expressions: their advertised and enforced spelling, and texts that match them."""
