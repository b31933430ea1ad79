"""IR 2 -> {path: text}, from mcpgen's own templates and people's templates."""
