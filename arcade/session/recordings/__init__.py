"""Recordings without their screens: lists, texts, replay, takeover."""
