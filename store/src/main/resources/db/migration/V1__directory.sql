-- Who there is: tenants, their agents, groups of agents, and the keys they come with.
-- Every table is keyed by tenant first, so no query can leave its tenant by accident.

CREATE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.updated_at := CURRENT_TIMESTAMP;
    RETURN NEW;
END $$;

CREATE TABLE tenants (
    tenant_id  VARCHAR(100) PRIMARY KEY,
    name       TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
);

INSERT INTO tenants (tenant_id, name) VALUES ('default', 'Default');

CREATE TABLE agents (
    tenant_id   VARCHAR(100) NOT NULL REFERENCES tenants,
    agent_id    VARCHAR(100) NOT NULL,
    name        TEXT,
    description TEXT,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (tenant_id, agent_id)
);

CREATE TRIGGER agents_updated_at BEFORE UPDATE ON agents
    FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE agent_groups (
    tenant_id   VARCHAR(100) NOT NULL REFERENCES tenants,
    group_id    VARCHAR(100) NOT NULL,
    description TEXT,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (tenant_id, group_id)
);

CREATE TABLE agent_group_members (
    tenant_id VARCHAR(100) NOT NULL,
    group_id  VARCHAR(100) NOT NULL,
    agent_id  VARCHAR(100) NOT NULL,
    added_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    added_by  VARCHAR(100),
    PRIMARY KEY (tenant_id, agent_id, group_id),
    FOREIGN KEY (tenant_id, group_id) REFERENCES agent_groups ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
);

CREATE INDEX idx_group_members ON agent_group_members (tenant_id, group_id);

-- A key is shown once; only its digest is kept. The prefix lets a person recognise a key in a list.
CREATE TABLE api_keys (
    key_id       UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id    VARCHAR(100) NOT NULL REFERENCES tenants,
    key_hash     BYTEA NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
    key_prefix   VARCHAR(16) NOT NULL,
    role         VARCHAR(20) NOT NULL
                 CHECK (role IN ('admin', 'operator', 'auditor', 'orchestrator', 'agent')),
    agent_id     VARCHAR(100),
    name         TEXT NOT NULL DEFAULT '',
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    created_by   VARCHAR(100),
    expires_at   TIMESTAMPTZ,
    revoked_at   TIMESTAMPTZ,
    revoked_by   VARCHAR(100),
    last_used_at TIMESTAMPTZ,
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE,
    CHECK ((role = 'agent') = (agent_id IS NOT NULL))
);

CREATE INDEX idx_api_keys_tenant ON api_keys (tenant_id, created_at);
