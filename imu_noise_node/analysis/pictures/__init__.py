"""The pictures that docs/ and README show; each module draws one."""
