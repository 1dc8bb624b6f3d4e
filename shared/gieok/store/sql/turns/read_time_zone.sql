-- The zone of a user's clock, as their newest turn has it.
SELECT chat.newest_time_zone(%(user_id)s) AS time_zone
