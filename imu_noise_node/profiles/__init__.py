"""Profiles: the figures of real sensors, in files."""
