"""Facts derived from IR 1 alone: matching, names of arguments, headers, token URLs."""
