"""Binary arguments, media types, and texts and files with fixed content."""
