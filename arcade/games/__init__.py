"""The catalogue: every game that the arcade can play, as a GameSpec."""
