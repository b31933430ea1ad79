"""Three-way merge of files that people edit: `modules` with libcst, `lines` for other text."""
