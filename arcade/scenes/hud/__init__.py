"""The HUD of a match in pieces, and the pages of its controls."""
