"""Three-way merge of files that people edit: `modules` uses libcst, `lines` merges other text."""
