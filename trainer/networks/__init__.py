"""Torch networks over raw observations, and the RLModules around them."""
