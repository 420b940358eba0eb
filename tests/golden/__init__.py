"""Golden pictures: what the screens looked like when they were last approved."""
