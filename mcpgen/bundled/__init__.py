"""Files that come with mcpgen in addition to its code."""
