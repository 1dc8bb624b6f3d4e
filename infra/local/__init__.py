"""Real servers in place of what we don't own: one home for the laptop run and for the tests."""
