"""What only some servers have."""
