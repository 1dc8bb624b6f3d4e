"""One turn of a conversation: claim it, recall, ask the model, keep the answer, replay it.

The room also has what a turn needs around it: sessions and characters. It never takes words back
(`revision` does) and never makes a memory (`generation` does): it only tells the memory worker that
one may be due.

Others call: `characters.list_characters`, `claim.ask_for`, `claim.busy_or_closed`, `claim.claim`,
`context.ContextQueries`, `converse.converse`, `lease.failure_of`, `lease.give_back`,
`replay.outcome`, `sessions.end_session`, `sessions.list_sessions`, `sessions.open_session`,
`sessions.read_message`, `sessions.read_messages`, `sessions.read_session`.
"""
