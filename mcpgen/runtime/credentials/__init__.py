"""Security schemes, and their credentials: from the environment, from issuers, from callers."""
