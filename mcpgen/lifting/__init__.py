"""Turns every object and enumeration of an API into a named schema for a Python type."""
