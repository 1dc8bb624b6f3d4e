"""What Gieok runs on: stacks for the cloud, stand-ins for the laptop and the tests."""
