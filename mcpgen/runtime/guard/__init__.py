"""Who may call what: sign-in, scopes, limits, audit log, telemetry."""
