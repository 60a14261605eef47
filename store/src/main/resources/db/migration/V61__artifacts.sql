-- The bytes behind artifacts: each content once for a tenant, however many artifacts have it, and only within a tenant,
-- so that nobody can find out what others have stored.
CREATE TABLE artifact_contents (
    tenant_id  VARCHAR(100) NOT NULL REFERENCES tenants,
    sha256     BYTEA NOT NULL CHECK (length(sha256) = 32),
    place      TEXT NOT NULL UNIQUE,
    size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0),
    artifacts  BIGINT NOT NULL CHECK (artifacts >= 0),
    PRIMARY KEY (tenant_id, sha256)
);

-- What a tenant has used of its quota.
CREATE TABLE artifact_usage (
    tenant_id  VARCHAR(100) PRIMARY KEY REFERENCES tenants,
    size_bytes BIGINT NOT NULL CHECK (size_bytes >= 0)
);

-- An artifact cannot outlive its bytes.
ALTER TABLE artifacts
    DROP COLUMN location,
    ALTER COLUMN sha256 SET NOT NULL,
    ALTER COLUMN name SET NOT NULL,
    ADD FOREIGN KEY (tenant_id, sha256) REFERENCES artifact_contents;

CREATE INDEX idx_artifacts_newest ON artifacts (tenant_id, workspace_id, created_at DESC, artifact_id DESC);
CREATE INDEX idx_artifacts_content ON artifacts (tenant_id, sha256);
CREATE INDEX idx_artifacts_age ON artifacts (created_at);
