"""A match, a recorder, a trainer and a tournament in the midst of failures: ``python -m tests.benchmarks.chaos``."""
