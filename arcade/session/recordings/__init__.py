"""Recordings behind the screens: lists, texts, replay, takeover."""
