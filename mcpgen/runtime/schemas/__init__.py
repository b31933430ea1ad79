"""Values against JSON Schema."""
