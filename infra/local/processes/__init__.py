"""The functions as processes of a laptop, what invokes them, and who starts and ends them all."""
