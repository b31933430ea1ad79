"""Facts that follow from IR 1 alone: matching, names of arguments, headers, token URLs."""
