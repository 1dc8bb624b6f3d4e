-- Hints so long ago that they no longer tell who waited longest.
DELETE FROM ops.hints WHERE hinted_at < now() - %(keep)s
