"""IR 2 -> {path: text}: the templates, our own and people's."""
