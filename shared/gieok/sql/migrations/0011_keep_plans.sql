-- Functions made of the queries whose plans are kept (gieok.store.kept). They run as who calls them,
-- under that role's grants and policies.
CREATE SCHEMA kept;
GRANT USAGE ON SCHEMA kept TO gieok_chat, gieok_worker;

-- The ranking is such a query now (recall_memories.sql).
DROP FUNCTION memory.recall;
