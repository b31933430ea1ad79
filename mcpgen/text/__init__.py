"""Text from people or documents, and names and literals made from it."""
