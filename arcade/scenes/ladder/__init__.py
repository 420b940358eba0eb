"""Ladder pages: ratings, ratings over time, pairs and cycles."""
