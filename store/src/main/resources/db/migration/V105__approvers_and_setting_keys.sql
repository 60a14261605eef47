-- Several people may have to approve a call: each of their names fits.
ALTER TABLE tool_audit_logs ALTER COLUMN approved_by TYPE TEXT;
ALTER TABLE tool_audit_logs_rest ALTER COLUMN approved_by TYPE TEXT;

-- The digest of the admin key that a running gate has from its setting: no other gate ends that key.
ALTER TABLE instances ADD COLUMN setting_key BYTEA;
