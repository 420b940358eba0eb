"""The state behind the screens, without pygame: seating, match launch, settings, people, training client."""
