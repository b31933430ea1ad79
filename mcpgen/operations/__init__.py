"""Facts derived from IR 1 alone, such as renamed operations, argument names and token URLs."""
