"""Values as texts: JSON, media types, styles, parameters, URLs, limits, settings."""
