"""Commands of operators: migrate the schema, change the embedding model, open parked windows again.

Each is run as `python -m gieok.operations.NAME`. No function of the service imports this room; the
laptop's run migrates with it.

Others call: `migrate.migrate`.
"""
