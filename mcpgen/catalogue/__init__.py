"""The tools as clients get them: `tools.json`, the search index, and whether a search finds
them.
"""
