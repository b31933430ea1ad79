"""Files that come with mcpgen beside its code."""
