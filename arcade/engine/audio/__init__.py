"""Sound effects and their captions."""
