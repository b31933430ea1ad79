"""Documents and arguments that nobody thought of; `MCPGEN_FUZZ` is how many of each are tried."""
