"""Taking words back: edit a message, answer again, rewind a conversation, reset a character.

What rested on the words falls with them, in the transaction that takes them back; what is left is
remembered anew by the memory worker.
"""
