"""Other processes, temporary files, and the memory of this process."""
