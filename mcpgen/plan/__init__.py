"""IR 1 -> IR 2: every decision about the files that will be written."""
