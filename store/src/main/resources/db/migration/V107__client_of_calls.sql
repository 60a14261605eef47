-- The program that made a call and its version, by its own account.
ALTER TABLE tool_audit_logs ADD COLUMN client VARCHAR(200);
ALTER TABLE tool_audit_logs_rest ADD COLUMN client VARCHAR(200);
ALTER TABLE tool_intents ADD COLUMN client VARCHAR(200);
