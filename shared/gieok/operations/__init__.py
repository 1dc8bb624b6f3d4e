"""Commands of operators: migrate the schema, change the embedding model, look after parked windows.

Each is `python -m gieok.operations.NAME`. No function of the service imports this room.
"""
