"""How the server runs: its command line, and stdio or HTTP."""
