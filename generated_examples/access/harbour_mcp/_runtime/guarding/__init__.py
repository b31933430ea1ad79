"""Between callers and handlers: who they are, what they may, and the record of what they did."""
