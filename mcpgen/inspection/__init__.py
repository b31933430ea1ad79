"""What `mcpgen inspect` tells of a catalogue."""
