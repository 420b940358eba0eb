"""Means and rates with their intervals, as `agents.statistics` has them."""

from agents.statistics import CONFIDENCE, Mean, Rate, mean_of, rate_of, student_quantile

__all__ = ["CONFIDENCE", "Mean", "Rate", "mean_of", "rate_of", "student_quantile"]
