-- Wait for all who write vectors at this moment, and keep others waiting until we are done.
SELECT pg_advisory_xact_lock(1835101292)
