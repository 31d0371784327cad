"""What a perfect sensor at its mounting point would feel."""
