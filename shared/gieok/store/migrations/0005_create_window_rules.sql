-- What makes a turn wait for a window is said once, for the worker, the sweep and a turn's own count.
-- Each is written so that the planner puts it into the query that asks, whose role and rows are the
-- caller's. The memory that stands and holds a turn of a cast, if one does:
CREATE FUNCTION memory.holding(owner text, cast_ids uuid[], place bigint)
    RETURNS TABLE (holds_through bigint) LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT m.last_position
    FROM memory.memories m
    WHERE m.user_id = owner AND m.character_ids = cast_ids AND m.invalidated_at IS NULL
      AND m.last_position >= place AND m.first_position <= place;
END;

-- A session that the cast was met in anew after another one was last active: the user left that one, and
-- its turns are final.
CREATE FUNCTION memory.met_anew(owner text, cast_ids uuid[], left_session uuid, last_active timestamptz)
    RETURNS TABLE (session_id uuid) LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT o.id
    FROM chat.sessions o
    WHERE o.user_id = owner AND o.id > left_session AND o.character_ids = cast_ids
      AND o.created_at > last_active;
END;

-- Where a window with this turn has to end, or null: before the next memory that stands, before what
-- was said after a reset of one of the cast, before a turn that is done with, and on both sides of the
-- turn that a model may have refused. A window holds no turn but its own.
CREATE FUNCTION memory.window_end(owner text, cast_ids uuid[], place bigint, fallen uuid)
    RETURNS TABLE (ends_before bigint) LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT least(
        (SELECT min(m.first_position)
         FROM memory.memories m
         WHERE m.user_id = owner AND m.character_ids = cast_ids AND m.invalidated_at IS NULL
           AND m.last_position > place AND m.first_position > place),
        (SELECT min(p.reset_through) + 1
         FROM memory.pairs p
         WHERE p.user_id = owner
           AND p.character_ids IN (SELECT ARRAY[c] FROM unnest(cast_ids) AS c)
           AND p.reset_through >= place),
        (SELECT min(c.position)
         FROM chat.turns c
         WHERE c.user_id = owner AND c.character_ids = cast_ids AND c.closed
           AND c.position > place),
        -- What the user decided of a memory that fell holds for its turns alone.
        (SELECT min(c.position)
         FROM chat.turns c
         WHERE c.user_id = owner AND c.character_ids = cast_ids AND c.position > place
           AND c.fallen_memory IS NOT NULL AND c.fallen_memory IS DISTINCT FROM fallen),
        CASE WHEN fallen IS NOT NULL THEN (
            SELECT min(c.position)
            FROM chat.turns c
            WHERE c.user_id = owner AND c.character_ids = cast_ids AND c.position > place
              AND c.fallen_memory IS NULL) END,
        (SELECT CASE WHEN p.refused > place THEN p.refused ELSE p.refused + 1 END
         FROM memory.pairs p
         WHERE p.user_id = owner AND p.character_ids = cast_ids AND p.refused >= place))
    OFFSET 0; -- looked up once, however often the query names it
END;

-- When a turn is due whatever the count: its session ended or fell silent for `idle_after` after it,
-- or it is `flush_after` old. Only times of the conversation decide, so that a window ends where it
-- ends whenever a worker looks. `next_at` is when the next turn of its session began; without one the
-- session's own times count.
CREATE FUNCTION memory.due_at(
    created_at timestamptz, ended_at timestamptz, next_at timestamptz,
    session_active_at timestamptz, session_ends_at timestamptz,
    idle_after interval, flush_after interval
) RETURNS timestamptz LANGUAGE sql IMMUTABLE
    RETURN least(
        created_at + flush_after,
        session_ends_at,
        CASE WHEN next_at IS NULL THEN session_active_at + idle_after
             WHEN next_at >= ended_at + idle_after THEN ended_at + idle_after END);
GRANT EXECUTE ON FUNCTION memory.holding(text, uuid[], bigint)
    TO gieok_chat, gieok_memory_worker, gieok_retention_sweep;
GRANT EXECUTE ON FUNCTION memory.window_end(text, uuid[], bigint, uuid),
    memory.met_anew(text, uuid[], uuid, timestamptz),
    memory.due_at(timestamptz, timestamptz, timestamptz, timestamptz, timestamptz, interval, interval)
    TO gieok_memory_worker, gieok_retention_sweep;
