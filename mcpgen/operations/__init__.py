"""What follows from IR 1 alone: matching, names of arguments, headers, URLs for tokens."""
