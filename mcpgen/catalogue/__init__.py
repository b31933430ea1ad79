"""The tools as clients get them: `tools.json`, the search index, and tests of the search."""
