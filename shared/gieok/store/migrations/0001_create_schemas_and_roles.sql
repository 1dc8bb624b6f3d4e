-- Schemas, and one role per function. Roles get their password or IAM grant outside of migrations.
CREATE EXTENSION IF NOT EXISTS vector;

CREATE SCHEMA chat;
CREATE SCHEMA memory;
CREATE SCHEMA privacy;

DO $$
DECLARE
    role_name text;
    installed text := (SELECT extversion FROM pg_extension WHERE extname = 'vector');
BEGIN
    IF string_to_array(installed, '.')::int[] < '{0,8}'::int[] THEN
        RAISE EXCEPTION 'pgvector 0.8 or newer is needed, found %', installed;
    END IF;
    FOREACH role_name IN ARRAY ARRAY['gieok_chat', 'gieok_memory_worker', 'gieok_retention_sweep'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS', role_name);
        END IF;
    END LOOP;
END $$;

GRANT USAGE ON SCHEMA chat, memory, privacy, ops TO gieok_chat, gieok_memory_worker;
GRANT USAGE ON SCHEMA chat, memory, ops TO gieok_retention_sweep;

-- Whose rows the current transaction may see. Unset or empty: nobody's.
CREATE FUNCTION privacy.current_user_id() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('gieok.user_id', true), '');
GRANT EXECUTE ON FUNCTION privacy.current_user_id() TO PUBLIC;
