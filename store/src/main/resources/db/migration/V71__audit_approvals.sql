-- When and why a person said yes or no; who did is in approved_by.
ALTER TABLE tool_audit_logs ADD COLUMN approved_at TIMESTAMPTZ;
ALTER TABLE tool_audit_logs ADD COLUMN approval_reason TEXT;
