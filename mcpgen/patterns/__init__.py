"""Regular expressions: the advertised and enforced form, and matching texts."""
