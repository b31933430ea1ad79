"""Renders a package (IR 2) as the texts of its files, with mcpgen's and the user's templates."""
