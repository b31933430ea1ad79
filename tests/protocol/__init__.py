"""What crosses the wire, message by message, where a client would hide it."""
