"""Files and texts of fixed content, which several parts send."""
