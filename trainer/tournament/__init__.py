"""Tournaments: who meets whom, many matches in lock-step, each booked on the ladder once whatever happens."""
