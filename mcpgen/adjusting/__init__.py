"""What the settings change in an `Api`, after the readers and before it is named."""
