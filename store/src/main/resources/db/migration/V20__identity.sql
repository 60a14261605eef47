-- Keys that are known to be current, where they came from, and people logged in with them.

-- request: made by somebody through the API; setting: TOOLGATE_ADMIN_KEY; home: the file in the data folder.
ALTER TABLE api_keys ADD COLUMN origin VARCHAR(20) NOT NULL DEFAULT 'request'
    CHECK (origin IN ('request', 'setting', 'home'));

-- As permission_versions: one number per tenant that grows when a key that may be in memory changes.
-- A new key is in nobody's memory, and when a key was last used decides nothing, so neither counts.
CREATE TABLE key_versions (
    tenant_id VARCHAR(100) PRIMARY KEY,
    version   BIGINT NOT NULL
);

CREATE FUNCTION announce_key_change(changed VARCHAR[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    tenant VARCHAR;
BEGIN
    FOR tenant IN SELECT DISTINCT unnest(changed) ORDER BY 1 LOOP
        INSERT INTO key_versions AS v (tenant_id, version) VALUES (tenant, 1)
            ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1;
        PERFORM pg_notify('toolgate_keys', tenant);
    END LOOP;
END $$;

CREATE FUNCTION keys_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        PERFORM announce_key_change(ARRAY(SELECT DISTINCT tenant_id FROM (
            SELECT tenant_id, key_id, key_hash, role, agent_id, expires_at, revoked_at FROM old_rows
            EXCEPT
            SELECT tenant_id, key_id, key_hash, role, agent_id, expires_at, revoked_at FROM new_rows) AS gone));
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM announce_key_change(ARRAY(SELECT DISTINCT tenant_id FROM old_rows));
    ELSE
        PERFORM announce_key_change(ARRAY(SELECT tenant_id FROM tenants));
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER api_keys_updated AFTER UPDATE ON api_keys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
CREATE TRIGGER api_keys_truncated AFTER TRUNCATE ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();

-- Somebody logged in to the console with a key. Only the digest of what their browser holds is kept.
CREATE TABLE console_sessions (
    session_hash BYTEA PRIMARY KEY CHECK (octet_length(session_hash) = 32),
    tenant_id    VARCHAR(100) NOT NULL REFERENCES tenants,
    key_id       UUID NOT NULL REFERENCES api_keys ON DELETE CASCADE,
    created_at   TIMESTAMPTZ NOT NULL,
    last_seen_at TIMESTAMPTZ NOT NULL
);

CREATE INDEX idx_console_sessions_key ON console_sessions (key_id, created_at);
CREATE INDEX idx_console_sessions_seen ON console_sessions (last_seen_at);
