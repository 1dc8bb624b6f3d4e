"""One turn of a conversation: claim it, recall, ask the model, keep the answer, replay it.

Also what a turn needs around it: sessions and characters. It never takes words back (`revision`)
and never makes a memory (`generation`): it only tells the worker that one may be due.
"""
