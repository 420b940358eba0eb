"""Sampling: the EnvRunner, the assignment of policies to seats, and the decisions that it stores."""
