"""What a match shows beside its picture: the HUD in pieces, and the controls."""
