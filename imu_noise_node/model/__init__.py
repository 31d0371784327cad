"""What a real sensor makes of it: the error model."""
