-- Tools that their callers run, by tenant. The schema is text, as JSON in the database would change numbers.
CREATE TABLE external_tools (
    tenant_id    VARCHAR(100) NOT NULL REFERENCES tenants,
    name         VARCHAR(128) NOT NULL,
    description  VARCHAR(2000) NOT NULL,
    input_schema TEXT NOT NULL,
    capability   VARCHAR(100) NOT NULL,
    danger       VARCHAR(20) NOT NULL CHECK (danger IN ('safe', 'dangerous')),
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_by   VARCHAR(200) NOT NULL,
    PRIMARY KEY (tenant_id, name)
);

-- As permission_versions: one number per tenant that grows with every change.
CREATE TABLE external_tool_versions (
    tenant_id VARCHAR(100) PRIMARY KEY,
    version   BIGINT NOT NULL
);

CREATE FUNCTION external_tools_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    tenant VARCHAR := coalesce(NEW.tenant_id, OLD.tenant_id);
BEGIN
    INSERT INTO external_tool_versions AS v (tenant_id, version) VALUES (tenant, 1)
        ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
    PERFORM pg_notify('toolgate_external_tools', tenant);
    RETURN NULL;
END $$;

CREATE TRIGGER external_tools_changed AFTER INSERT OR UPDATE OR DELETE ON external_tools
    FOR EACH ROW EXECUTE FUNCTION external_tools_changed();
