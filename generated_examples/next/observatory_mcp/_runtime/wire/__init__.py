"""Values as they travel: texts, forms, bytes and their media types."""
