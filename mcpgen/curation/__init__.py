"""The choice and the names of a server's tools in one list, which becomes its settings."""
