"""Files and texts with fixed content, which several parts send."""
