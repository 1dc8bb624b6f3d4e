"""Every provider against real servers that speak its protocol."""
