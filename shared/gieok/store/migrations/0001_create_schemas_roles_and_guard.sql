-- Schemas, one role for each function and one for operators, and the guard of tables that hold rows of
-- users.
-- Roles get their password or IAM grant outside of migrations.
CREATE EXTENSION IF NOT EXISTS vector;

CREATE SCHEMA chat;
CREATE SCHEMA memory;
CREATE SCHEMA privacy;
-- Functions made of the queries whose plans are kept (gieok.store.kept). They run as who calls them,
-- under that role's grants and policies.
CREATE SCHEMA kept;

DO $$
DECLARE
    role_name text;
    installed text := (SELECT extversion FROM pg_extension WHERE extname = 'vector');
BEGIN
    IF string_to_array(installed, '.')::int[] < '{0,8}'::int[] THEN
        RAISE EXCEPTION 'pgvector 0.8 or newer is needed, found %', installed;
    END IF;
    FOREACH role_name IN ARRAY ARRAY[
        'gieok_chat', 'gieok_memory_worker', 'gieok_retention_sweep', 'gieok_operator']
    LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS', role_name);
        END IF;
    END LOOP;
END $$;

GRANT USAGE ON SCHEMA chat, memory, privacy, ops, kept TO gieok_chat, gieok_memory_worker;
GRANT USAGE ON SCHEMA chat, memory, ops TO gieok_retention_sweep, gieok_operator;

-- Whose rows the current transaction may see. Unset or empty: nobody's.
CREATE FUNCTION privacy.current_user_id() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('gieok.user_id', true), '');
GRANT EXECUTE ON FUNCTION privacy.current_user_id() TO PUBLIC;

-- The registry: every table with users' rows.
CREATE TABLE privacy.user_tables (
    name text PRIMARY KEY
);

-- Guards a table with users' rows and enters it into the registry. A migration calls it once for each
-- such table that it creates. A grant is a role of ours and its privileges: 'chat: SELECT, INSERT'.
-- `own_rows` are those of roles that see and write the rows of their transaction's user alone.
-- `all_rows` are those of roles that work for everybody: the columns they need, and never content.
CREATE PROCEDURE privacy.guard(
    guarded regclass, own_rows text[] DEFAULT '{}', all_rows text[] DEFAULT '{}'
) LANGUAGE plpgsql AS $$
DECLARE
    given record;
BEGIN
    IF NOT EXISTS (
        SELECT FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.conrelid = guarded AND c.contype = 'p' AND a.attname = 'user_id')
    THEN
        RAISE EXCEPTION '% has no primary key that begins with user_id', guarded;
    END IF;
    -- Forced, so that the owner too sees nobody but the transaction's user; and those the owner does
    -- see, since triggers run as the owner on rows that a foreign key deletes.
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', guarded);
    EXECUTE format(
        'CREATE POLICY owner ON %s TO %I USING (user_id = privacy.current_user_id())',
        guarded, current_user);
    FOR given IN
        SELECT 'gieok_' || split_part(entry, ': ', 1) AS grantee,
               split_part(entry, ': ', 2) AS privileges,
               place <= cardinality(own_rows) AS own
        FROM unnest(own_rows || all_rows) WITH ORDINALITY AS e (entry, place)
    LOOP
        EXECUTE format(
            'CREATE POLICY %I ON %s TO %I USING (%s)', given.grantee, guarded, given.grantee,
            CASE WHEN given.own THEN 'user_id = privacy.current_user_id()' ELSE 'true' END);
        EXECUTE format('GRANT %s ON %s TO %I', given.privileges, guarded, given.grantee);
    END LOOP;
    INSERT INTO privacy.user_tables (name) VALUES (guarded);
END $$;
