"""The memory worker: from turns that no memory covers yet to one memory for each window of them.

It decides which window is due, has it extracted and embedded, and saves it behind the fence. What a
model must answer and what of it stands is `extraction`; where the pair stands is `relationship`.
"""
