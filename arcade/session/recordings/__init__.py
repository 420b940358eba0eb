"""Recordings behind the screens: lists, words, playing back, taking over."""
