-- Whatever ends a relationship version that a later one carries on leaves an empty one on top, to be
-- made of the others before anybody shows the relationship (gieok.relationship.versions).
CREATE FUNCTION memory.mark_lost_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memory.relationship_versions (id, user_id, character_id, version, body, source)
    SELECT gen_random_uuid(), r.user_id, r.character_id, 1 + max(r.version), '', 'recomputed'
    FROM memory.relationship_versions r
    JOIN (SELECT e.user_id, e.character_id, min(e.version) AS oldest
          FROM ended e
          JOIN stood USING (user_id, character_id, version)
          WHERE e.invalidated_at IS NOT NULL AND stood.invalidated_at IS NULL
          GROUP BY e.user_id, e.character_id) lost USING (user_id, character_id)
    GROUP BY r.user_id, r.character_id, lost.oldest
    HAVING max(r.version) FILTER (WHERE r.invalidated_at IS NULL) > lost.oldest;
    RETURN NULL;
END $$;
CREATE TRIGGER mark_lost_versions
    AFTER UPDATE ON memory.relationship_versions
    REFERENCING OLD TABLE AS stood NEW TABLE AS ended
    FOR EACH STATEMENT EXECUTE FUNCTION memory.mark_lost_versions();
