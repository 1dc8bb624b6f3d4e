"""Taking words back: edit a message, answer again, rewind a conversation, reset a character.

What rested on the words falls with them, in the same transaction. The room makes no new memories:
the memory worker reads anew what is left.

Others call: `edit.edit_message`, `reroll.again_for`, `reroll.claim_again`, `reset.reset`,
`rewind.rewind`.
"""
