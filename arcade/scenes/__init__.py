"""What a person sees: one file a screen."""
