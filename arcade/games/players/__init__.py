"""Scripted players of PettingZoo's games: search for boards, known strategies for cards."""
