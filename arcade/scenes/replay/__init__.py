"""Recorded matches on the screen: played, searched, looked into, and taken over."""
