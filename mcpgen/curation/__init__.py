"""The choice and naming of a server's tools in one list, which becomes its settings."""
