"""Every query of the engine: one function, and one .sql file of the same name.

The file of a function of `store/windows.py` lies in `store/sql/windows/`, and so on for each
module. Rows come and go sealed: no module here opens a ciphertext, and none decides anything that
the SQL does not say. `database` runs batches of queries; the schema is in `migrations`.

Others call: `database`, `facts`, `keys`, `memories`, `memory_versions`, `named_database`,
`operations`, `paging`, `parking`, `reembedding`, `relationships`, `retention`, `revision`,
`search`, `sessions`, `turns`, `vectors`, `windows`.
"""
