"""One call, from arguments to result."""
