-- Every table with a user's rows: its owner included, nobody sees past the transaction's user.
DO $$
DECLARE
    t regclass;
BEGIN
    FOR t IN
        SELECT c.oid::regclass
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
        WHERE c.relkind = 'r'
          AND c.relnamespace::regnamespace::text IN ('chat', 'memory', 'privacy', 'ops')
    LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
        EXECUTE format(
            'CREATE POLICY own_rows ON %s TO gieok_chat, gieok_memory_worker'
            ' USING (user_id = privacy.current_user_id())'
            ' WITH CHECK (user_id = privacy.current_user_id())', t);
    END LOOP;
    -- The sweep works on everyone's times and counts; its grants keep it from any content.
    FOREACH t IN ARRAY ARRAY[
        'chat.sessions', 'chat.turns', 'chat.messages', 'memory.pairs']::regclass[]
    LOOP
        EXECUTE format('CREATE POLICY all_rows ON %s TO gieok_retention_sweep USING (true)', t);
    END LOOP;
END $$;
