"""Ways to sign in to the API beyond keys and tokens."""
