"""Seats, limits and rules before a match."""
