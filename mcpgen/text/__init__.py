"""Text that people or documents wrote, and names and literals made of it."""
