"""One match without its screen: launch, seats, pace, series, recording."""
