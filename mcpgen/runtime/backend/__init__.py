"""One request to the API and its answer."""
