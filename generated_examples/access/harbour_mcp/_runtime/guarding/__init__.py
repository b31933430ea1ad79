"""Those who call: who they are, what they may, and the record of what they did."""
