"""What is learnt: torch networks that take raw observations, and the RLModules around them."""
