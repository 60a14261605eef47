-- By which rule of a session's policy a person had to be asked.
ALTER TABLE tool_audit_logs ADD COLUMN approval_rule_id VARCHAR(100);
