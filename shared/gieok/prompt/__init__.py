"""The chat prompt: its slots in order, each within its budget, untrusted text inside a fence.

The room is pure: it is handed what was recalled and calls no model. The fixed text is in `packs`,
one module for each language.

Others call: `assemble.assemble`, `fence.one_line`, `fence.unwrap`,
`memory_block.read_memory_lines`, `memory_block.write`, `relative_time.zone`, `shorten.shares`,
`speaker_lines.OwnLabel`, `speaker_lines.spoken_messages`, `speaker_lines.spoken_parts`,
`tokens.estimate`.
"""
