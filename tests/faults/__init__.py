"""What breaks, broken on purpose."""
