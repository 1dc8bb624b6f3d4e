"""What Gieok runs on: stacks for the cloud, and stand-ins for the laptop and the tests."""
