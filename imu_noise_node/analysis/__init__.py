"""What samples say about a sensor, held against what theory says."""
