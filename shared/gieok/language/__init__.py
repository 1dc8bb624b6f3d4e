"""Korean and English as such: tokens, particles, stems, scripts, and the language of a text.

The room is pure and knows no words of the product: a rule that knows what a memory is belongs
elsewhere. The fixed texts of prompts, which are in three languages, are in `prompt`.

Others call: `detection.locale_of`, `detection.prevailing`, `english.stem`, `korean.bigrams`,
`korean.candidates`, `korean.composed`, `korean.heads`, `korean.normalise`,
`korean.strip_particles`, `korean.tokens`, `letters.is_letter`, `letters.letters`,
`repetition.repeats`, `text.clean`.
"""
