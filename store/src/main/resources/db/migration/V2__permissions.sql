-- Who may use which tool. A row with allowed = false is an explicit no: it wins over every yes,
-- also over one that comes from a group, and it does not expire.

CREATE TABLE agent_tool_permissions (
    id                 BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id          VARCHAR(100) NOT NULL,
    agent_id           VARCHAR(100) NOT NULL,
    tool_name          VARCHAR(200) NOT NULL,
    allowed            BOOLEAN NOT NULL DEFAULT false,
    requires_approval  BOOLEAN NOT NULL DEFAULT false,
    expires_at         TIMESTAMPTZ,
    condition          TEXT,
    condition_examples JSONB,
    max_uses           INTEGER CHECK (max_uses > 0),
    uses               INTEGER NOT NULL DEFAULT 0 CHECK (uses >= 0),
    created_at         TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at         TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_by         VARCHAR(100),
    notes              TEXT,
    UNIQUE (tenant_id, agent_id, tool_name),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE,
    CHECK (allowed OR expires_at IS NULL)
);

CREATE INDEX idx_tool_permissions ON agent_tool_permissions (tenant_id, tool_name);

CREATE TABLE group_tool_permissions (
    id                 BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id          VARCHAR(100) NOT NULL,
    group_id           VARCHAR(100) NOT NULL,
    tool_name          VARCHAR(200) NOT NULL,
    allowed            BOOLEAN NOT NULL DEFAULT false,
    requires_approval  BOOLEAN NOT NULL DEFAULT false,
    expires_at         TIMESTAMPTZ,
    condition          TEXT,
    condition_examples JSONB,
    max_uses           INTEGER CHECK (max_uses > 0),
    uses               INTEGER NOT NULL DEFAULT 0 CHECK (uses >= 0),
    created_at         TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at         TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_by         VARCHAR(100),
    notes              TEXT,
    UNIQUE (tenant_id, group_id, tool_name),
    FOREIGN KEY (tenant_id, group_id) REFERENCES agent_groups ON DELETE CASCADE,
    CHECK (allowed OR expires_at IS NULL)
);

CREATE TRIGGER agent_tool_permissions_updated_at BEFORE UPDATE ON agent_tool_permissions
    FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER group_tool_permissions_updated_at BEFORE UPDATE ON group_tool_permissions
    FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

-- The history outlives agents and groups, hence no foreign keys.
-- A change of a grant names the agent or the group; a change of membership names both, and the tool is '*'.
CREATE TABLE permission_change_log (
    id             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id      VARCHAR(100) NOT NULL,
    agent_id       VARCHAR(100),
    group_id       VARCHAR(100),
    tool_name      VARCHAR(200) NOT NULL,
    previous_state BOOLEAN,
    new_state      BOOLEAN NOT NULL,
    changed_by     VARCHAR(100) NOT NULL,
    changed_at     TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    reason         TEXT,
    details        JSONB NOT NULL DEFAULT '{}',
    CHECK (agent_id IS NOT NULL OR group_id IS NOT NULL)
);

CREATE INDEX idx_permission_changes ON permission_change_log (tenant_id, agent_id, tool_name, changed_at);
CREATE INDEX idx_permission_changes_newest ON permission_change_log (tenant_id, id);

-- One number per tenant that grows with every change. A cache that has seen the current number is
-- current. The row stays locked until the change commits, so numbers become visible in order.
CREATE TABLE permission_versions (
    tenant_id VARCHAR(100) PRIMARY KEY,
    version   BIGINT NOT NULL
);

CREATE FUNCTION announce_permission_change(changed VARCHAR[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    tenant VARCHAR;
BEGIN
    -- In order, so that two changes of several tenants cannot wait for each other.
    FOR tenant IN SELECT DISTINCT unnest(changed) ORDER BY 1 LOOP
        INSERT INTO permission_versions AS v (tenant_id, version) VALUES (tenant, 1)
            ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
        PERFORM pg_notify('toolgate_permissions', tenant);
    END LOOP;
END $$;

CREATE FUNCTION permissions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        PERFORM announce_permission_change(ARRAY(SELECT DISTINCT tenant_id FROM new_rows));
    END IF;
    IF TG_OP IN ('UPDATE', 'DELETE') THEN
        PERFORM announce_permission_change(ARRAY(SELECT DISTINCT tenant_id FROM old_rows));
    END IF;
    IF TG_OP = 'TRUNCATE' THEN
        PERFORM announce_permission_change(ARRAY(SELECT tenant_id FROM permission_versions));
    END IF;
    RETURN NULL;
END $$;

DO $$
DECLARE
    watched TEXT;
BEGIN
    FOREACH watched IN ARRAY ARRAY['agent_tool_permissions', 'group_tool_permissions', 'agent_group_members'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_inserted AFTER INSERT ON %1$s REFERENCING NEW TABLE AS new_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed()', watched);
        EXECUTE format('CREATE TRIGGER %1$s_updated AFTER UPDATE ON %1$s
                        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed()', watched);
        EXECUTE format('CREATE TRIGGER %1$s_deleted AFTER DELETE ON %1$s REFERENCING OLD TABLE AS old_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed()', watched);
        EXECUTE format('CREATE TRIGGER %1$s_truncated AFTER TRUNCATE ON %1$s
                        FOR EACH STATEMENT EXECUTE FUNCTION permissions_changed()', watched);
    END LOOP;
END $$;
