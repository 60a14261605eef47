-- The statement that writes intents checks once, not for each of them, that their instance exists and has not ended.
-- EndedChains keeps an instance while it has intents.
ALTER TABLE tool_intents DROP CONSTRAINT tool_intents_instance_id_fkey;
