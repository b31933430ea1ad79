"""Every object and enumeration of an API as a schema of its own, in the words of Python types."""
