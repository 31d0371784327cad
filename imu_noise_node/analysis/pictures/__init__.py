"""The pictures of the error model that docs/model.md shows; each module draws one."""
