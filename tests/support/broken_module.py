"""A game whose module fails when it is imported."""

raise RuntimeError("no licence found")
