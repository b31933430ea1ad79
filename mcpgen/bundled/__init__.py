"""What comes with mcpgen beside its code."""
