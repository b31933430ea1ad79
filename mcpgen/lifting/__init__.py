"""Every object and enumeration of an API as a named schema that Python types can express."""
