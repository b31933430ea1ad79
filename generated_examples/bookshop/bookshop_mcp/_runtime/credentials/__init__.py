"""Security schemes, and the credentials for them: of the environment, of issuers, of callers."""
