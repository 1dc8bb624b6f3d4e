"""Korean and English as such: tokens, particles, stems, clauses, replies, persons, scripts.

The room is pure and knows no words of the product: a rule that knows what a memory is belongs
elsewhere. The fixed texts of prompts, which are in three languages, are in `prompt`.

Others call: `clauses.clauses`, `clauses.is_cut_off`, `clauses.is_negated`, `detection.locale_of`,
`detection.prevailing`, `english.stem`, `korean.bigrams`, `korean.candidates`, `korean.composed`,
`korean.ending_in`, `korean.heads`, `korean.normalise`, `korean.strip_particles`, `korean.tokens`,
`letters.is_letter`, `letters.letters`, `marks.is_aside`, `marks.is_played`, `marks.is_quoted`,
`repetition.repeats`, `replies.is_yes`, `replies.replies`, `text.clean`, `text.is_blank`,
`third_person.about_another`, `third_person.about_speaker`, `third_person.has_subject`,
`third_person.is_person_word`, `third_person.mentions_another`.
"""
