"""The tools as clients see them: `tools.json`, the search index, and whether tools are found."""
