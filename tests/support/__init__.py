"""What tests share: fakes, a virtual gamepad, small games."""
