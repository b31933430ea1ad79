"""Readers turn a document into IR 1, `mcpgen.api`."""
