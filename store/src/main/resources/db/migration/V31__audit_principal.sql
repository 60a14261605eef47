-- Who showed the key or token for the agent. Records from before have none.
ALTER TABLE tool_audit_logs ADD COLUMN principal VARCHAR(200);
ALTER TABLE tool_intents ADD COLUMN principal VARCHAR(200);
