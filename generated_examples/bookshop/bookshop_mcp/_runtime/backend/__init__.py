"""One request to the API and its answer: what the client in `http` is made of."""
