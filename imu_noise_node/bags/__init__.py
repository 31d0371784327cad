"""Bags: the only part that knows rosbags."""
