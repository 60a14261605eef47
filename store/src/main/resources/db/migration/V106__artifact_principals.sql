-- With whose key or token the call was made that made an artifact: people with the role user read those of their own
-- conversations. It is not known of artifacts from before this column.
ALTER TABLE artifacts ADD COLUMN principal TEXT;

CREATE INDEX idx_artifacts_of_principal ON artifacts (tenant_id, workspace_id, principal, created_at DESC, artifact_id DESC)
    WHERE principal IS NOT NULL;
