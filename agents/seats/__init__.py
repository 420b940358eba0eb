"""Seats: the controller contract, seat words, limits and difficulty levels."""
