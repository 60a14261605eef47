CREATE SEQUENCE mcp_server_revisions;

-- MCP servers behind the gate, by tenant. The settings have names of secrets, never secrets: those stay where the
-- installation keeps them, and are looked up when they are used.
CREATE TABLE mcp_servers (
    tenant_id  VARCHAR(100) NOT NULL REFERENCES tenants,
    name       VARCHAR(32) NOT NULL,
    -- api: added by somebody through the API; settings: from the file of settings, where alone it can be changed.
    source     VARCHAR(20) NOT NULL CHECK (source IN ('api', 'settings')),
    settings   JSONB NOT NULL,
    -- Another one with every change of the settings, and never used twice, so that nothing of the server as it was before
    -- is taken for the one of now, not even after it was removed and added again.
    revision   BIGINT NOT NULL DEFAULT nextval('mcp_server_revisions'),
    -- When its tools were listed for the first time; what it offers later waits for a person.
    listed_at  TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    created_by VARCHAR(100) NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_by VARCHAR(100) NOT NULL,
    PRIMARY KEY (tenant_id, name)
);

-- The definitions of their tools that a person has agreed to, and those that wait for it. A definition is text, as JSON in
-- the database would lose characters and digits that its hash is about.
CREATE TABLE mcp_tools (
    tenant_id          VARCHAR(100) NOT NULL,
    server_name        VARCHAR(32) NOT NULL,
    tool_name          VARCHAR(128) NOT NULL,
    state              VARCHAR(20) NOT NULL CHECK (state IN ('agreed', 'new', 'changed', 'refused', 'gone')),
    agreed_definition  TEXT,
    agreed_hash        CHAR(64),
    agreed_by          VARCHAR(100),
    agreed_at          TIMESTAMPTZ,
    waiting_definition TEXT,
    waiting_hash       CHAR(64),
    waiting_since      TIMESTAMPTZ,
    refused_by         VARCHAR(100),
    PRIMARY KEY (tenant_id, server_name, tool_name),
    FOREIGN KEY (tenant_id, server_name) REFERENCES mcp_servers ON DELETE CASCADE,
    CHECK (state <> 'agreed' OR (agreed_definition IS NOT NULL AND waiting_definition IS NULL)),
    CHECK ((agreed_definition IS NULL) = (agreed_hash IS NULL)),
    CHECK ((waiting_definition IS NULL) = (waiting_hash IS NULL))
);

-- As permission_versions: one number per tenant that grows with every change.
CREATE TABLE mcp_server_versions (
    tenant_id VARCHAR(100) PRIMARY KEY,
    version   BIGINT NOT NULL
);

CREATE FUNCTION announce_mcp_server_change(changed VARCHAR[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    tenant VARCHAR;
BEGIN
    FOR tenant IN SELECT DISTINCT unnest(changed) ORDER BY 1 LOOP
        INSERT INTO mcp_server_versions AS v (tenant_id, version) VALUES (tenant, 1)
            ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
        PERFORM pg_notify('toolgate_mcp_servers', tenant);
    END LOOP;
END $$;

CREATE FUNCTION mcp_servers_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        PERFORM announce_mcp_server_change(ARRAY(SELECT DISTINCT tenant_id FROM new_rows));
    ELSE
        PERFORM announce_mcp_server_change(ARRAY(SELECT DISTINCT tenant_id FROM old_rows));
    END IF;
    RETURN NULL;
END $$;

DO $$
DECLARE
    watched TEXT;
BEGIN
    FOREACH watched IN ARRAY ARRAY['mcp_servers', 'mcp_tools'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_inserted AFTER INSERT ON %1$s REFERENCING NEW TABLE AS new_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed()', watched);
        EXECUTE format('CREATE TRIGGER %1$s_updated AFTER UPDATE ON %1$s REFERENCING NEW TABLE AS new_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed()', watched);
        EXECUTE format('CREATE TRIGGER %1$s_deleted AFTER DELETE ON %1$s REFERENCING OLD TABLE AS old_rows
                        FOR EACH STATEMENT EXECUTE FUNCTION mcp_servers_changed()', watched);
    END LOOP;
END $$;
