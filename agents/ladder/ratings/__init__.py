"""Ratings from results: online (OpenSkill, Elo), batch (maximum likelihood), by score, and win rates of pairs."""
