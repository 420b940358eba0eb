"""One match behind the screens: launch, seats, clock, series, recording."""
