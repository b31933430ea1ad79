"""Streamable HTTP, and who may call what: sign-in, scopes, limits, audit, telemetry."""
