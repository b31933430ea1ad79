"""Three-way merge of files that people edit."""

from .modules import Merged, MergeError, merge

__all__ = ["MergeError", "Merged", "merge"]
