-- Every call pays for the indexes of the log, and every batch of calls for its checks, whose expressions are read from the
-- catalogue each time. Only the gate writes here, and its types allow no other values.
ALTER TABLE tool_audit_logs DROP CONSTRAINT tool_audit_logs_status_check, DROP CONSTRAINT tool_audit_logs_kind_check;

-- A call that was not allowed has the status REFUSED, which idx_audit_status finds.
DROP INDEX idx_audit_allowed;

-- Ids grow with the table, so a summary of each range of pages is enough to find one, and it is not written per record.
DROP INDEX idx_audit_id;
CREATE INDEX idx_audit_id ON tool_audit_logs USING brin (id) WITH (pages_per_range = 256, autosummarize = on);
