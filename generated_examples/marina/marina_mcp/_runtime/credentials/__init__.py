"""Where credentials come from: the environment, files, authorization servers, callers."""
