-- Which record's change a call takes back, and from that record to the calls that took it back. Hardly any call is one.
ALTER TABLE tool_audit_logs ADD COLUMN undoes VARCHAR(100);
ALTER TABLE tool_audit_logs_rest ADD COLUMN undoes VARCHAR(100);
ALTER TABLE tool_intents ADD COLUMN undoes VARCHAR(100);
CREATE INDEX idx_audit_undoes ON tool_audit_logs (tenant_id, undoes) WHERE undoes IS NOT NULL;
CREATE INDEX idx_audit_rest_undoes ON tool_audit_logs_rest (tenant_id, undoes) WHERE undoes IS NOT NULL;

-- Former states are kept for a shorter time than other artifacts.
CREATE INDEX idx_artifacts_kept_states ON artifacts (created_at) WHERE type = 'kept_state';
