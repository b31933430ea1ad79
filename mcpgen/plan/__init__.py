"""IR 1 -> IR 2: every decision about what will be written."""
