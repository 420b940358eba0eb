"""What happens behind the screens; knows no pygame."""
