"""Korean and English as such: tokens, particles, stems, scripts, which language a text is in.

Pure, and without words of the product: a rule that knows what a memory is lives elsewhere.
"""
