"""Documents made to break a generator, and the rules that every output of one must keep."""
