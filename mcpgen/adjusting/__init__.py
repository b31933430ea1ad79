"""Changes that the settings make to an `Api`, after the readers and before naming."""
