-- A window whose extraction was shown a relationship that is not the newest any more is superseded:
-- its fence moves. Whoever wrote the newer one could not see a fence that was not committed yet. The
-- pairs are locked.
-- Kept: user_id text, character_ids uuid[], versions integer[]
UPDATE memory.pairs p
SET version = p.version + 1
WHERE p.user_id = %(user_id)s AND p.character_ids = %(character_ids)s
  AND %(versions)s <> ARRAY(
      SELECT coalesce((SELECT max(r.version)
                       FROM memory.relationship_versions r
                       WHERE r.user_id = %(user_id)s AND r.character_id = shown.id
                         AND r.invalidated_at IS NULL), 0)
      FROM unnest(%(character_ids)s) WITH ORDINALITY AS shown (id, place)
      ORDER BY shown.place)
