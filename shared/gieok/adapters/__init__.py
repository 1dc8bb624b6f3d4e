"""The services around the database that have a port: Redis for lock and rate limit, SQS for hints.

Each translates its SDK's errors once. Losing any of them loses no memory.
"""
