-- Functions made of the queries whose plans are kept (gieok.store.kept). They run as who calls them,
-- under that role's grants and policies.
CREATE SCHEMA kept;
GRANT USAGE ON SCHEMA kept TO gieok_chat, gieok_memory_worker;

-- memory.recall stays for instances of the release before this one; a later migration drops it.
