"""The functions as processes of a laptop, what invokes them, and what starts and ends them all."""
