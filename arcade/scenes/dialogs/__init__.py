"""Questions, text entry, lists to pick from, and errors."""
