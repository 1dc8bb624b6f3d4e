"""What is said to models: fixed text by language, and the schemas of what they answer."""
