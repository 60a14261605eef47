-- The artifacts of a call, from its record.
CREATE INDEX idx_artifacts_of_request ON artifacts (tenant_id, workspace_id, request_id) WHERE request_id IS NOT NULL;
