"""A user's words at rest: the cipher, the keyring, and the one door where rows are sealed.

`cells` seals and opens rows, `keyring` holds data keys for a few minutes, `key_services` are KMS
and what stands in for it. Nobody else touches a key or a ciphertext.
"""
