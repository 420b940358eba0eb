"""Datasets: recordings as episodes of observations and actions."""
