-- Tools that run elsewhere: a permit is an intent and a request key that stay open until this time, whatever becomes of the
-- instance that gave it.
ALTER TABLE tool_intents ADD COLUMN permit_until TIMESTAMPTZ;
ALTER TABLE request_keys ADD COLUMN permit_until TIMESTAMPTZ;
CREATE INDEX idx_request_keys_permits ON request_keys (tenant_id, request_id) WHERE permit_until IS NOT NULL;
CREATE INDEX idx_tool_intents_permits ON tool_intents (tenant_id, request_id) WHERE permit_until IS NOT NULL;
CREATE INDEX idx_request_keys_open_permits ON request_keys (permit_until)
    WHERE permit_until IS NOT NULL AND completed_at IS NULL;

-- Who approved a permitted call is on record when it is reported, perhaps by another instance.
ALTER TABLE tool_intents ADD COLUMN approved_by TEXT;
ALTER TABLE tool_intents ADD COLUMN approved_at TIMESTAMPTZ;
ALTER TABLE tool_intents ADD COLUMN approval_reason TEXT;
ALTER TABLE tool_intents ADD COLUMN approval_rule_id VARCHAR(100);

-- Who ran the tool; nothing means the gate, as in nearly all records.
ALTER TABLE tool_audit_logs ADD COLUMN executed_by VARCHAR(20);
ALTER TABLE tool_audit_logs_rest ADD COLUMN executed_by VARCHAR(20);
ALTER TABLE tool_intents ADD COLUMN executed_by VARCHAR(20);

-- An approved call that its caller runs waits for that caller; no instance continues it.
ALTER TABLE approvals ADD COLUMN for_permit BOOLEAN NOT NULL DEFAULT false;
