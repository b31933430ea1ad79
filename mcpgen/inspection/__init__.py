"""The report of `mcpgen inspect` on a catalogue."""
