-- Filters of the console. Only calls that have what they are about pay for the first three; the last takes new records
-- at its end, which is the cheapest place of an index. What they cost is in decision 39.
CREATE INDEX idx_audit_session ON tool_audit_logs (tenant_id, session_id, timestamp, id) WHERE session_id IS NOT NULL;
CREATE INDEX idx_audit_error ON tool_audit_logs (tenant_id, error_code, timestamp, id) WHERE error_code IS NOT NULL;
CREATE INDEX idx_audit_status ON tool_audit_logs (tenant_id, status, timestamp, id) WHERE status <> 'COMPLETED';
CREATE INDEX idx_audit_id ON tool_audit_logs (id);

CREATE INDEX idx_audit_rest_session ON tool_audit_logs_rest (tenant_id, session_id, timestamp, id)
    WHERE session_id IS NOT NULL;
CREATE INDEX idx_audit_rest_error ON tool_audit_logs_rest (tenant_id, error_code, timestamp, id)
    WHERE error_code IS NOT NULL;
CREATE INDEX idx_audit_rest_status ON tool_audit_logs_rest (tenant_id, status, timestamp, id)
    WHERE status <> 'COMPLETED';
CREATE INDEX idx_audit_rest_id ON tool_audit_logs_rest (id);
