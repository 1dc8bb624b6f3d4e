"""What the product costs in time, measured through its own code on its own tables."""
