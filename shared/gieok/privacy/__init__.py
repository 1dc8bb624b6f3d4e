"""A user's words at rest: the cipher, the keyring, and the one door where rows are sealed.

`cells` names the place of each ciphertext and seals and opens whole rows; a single text is sealed
by the `UserCipher` itself, at a place that `cells` names. `keyring` keeps data keys in memory for a
few minutes, and `key_services` are KMS and the key file that stands in for it. None of these
modules decides what is kept or shown.

Others call: `cells.earlier_summary_cell`, `cells.message_cell`, `cells.open_asked_as`,
`cells.open_earlier_talk`, `cells.open_memory`, `cells.open_message`, `cells.open_relationships`,
`cells.open_turns`, `cells.open_version`, `cells.open_versions`, `cells.seal_asked_as`,
`cells.seal_details`, `cells.seal_fact`, `cells.seal_relationship`, `cells.seal_summary`,
`cells.summary_cell`, `cipher.UserCipher`, `ciphers.cipher_of`, `key_services.FileKeyService`,
`key_services.KmsKeyService`, `keyring.Keyring`, `open_or_drop.open_or_drop`.
"""
