-- Accounts that people have connected to MCP servers behind the gate. The tokens are encrypted with a key that is not in the
-- database; what is encrypted belongs to its tenant, server and subject, and cannot be opened as that of another.
CREATE TABLE mcp_accounts (
    -- Another one whenever the account is connected anew.
    account_id       UUID PRIMARY KEY,
    tenant_id        VARCHAR(100) NOT NULL,
    server_name      VARCHAR(32) NOT NULL,
    -- Whose calls use it: person: and the principal, or agent: and the agent's id.
    subject          VARCHAR(130) NOT NULL,
    -- Which key it is encrypted with; not the key.
    key_id           VARCHAR(16) NOT NULL,
    sealed           BYTEA NOT NULL,
    issuer           TEXT NOT NULL,
    -- Grows with every renewal of the token, which one instance at a time makes.
    version          BIGINT NOT NULL DEFAULT 1,
    renewing_until   TIMESTAMPTZ,
    connected_by     VARCHAR(100) NOT NULL,
    connected_at     TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    renewed_at       TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    UNIQUE (tenant_id, server_name, subject),
    FOREIGN KEY (tenant_id, server_name) REFERENCES mcp_servers ON DELETE CASCADE
);

-- Authorizations that a person has begun in a browser. Each is used once, by that browser, while its log-in is open.
CREATE TABLE mcp_account_requests (
    state_hash   BYTEA PRIMARY KEY CHECK (octet_length(state_hash) = 32),
    browser_hash BYTEA NOT NULL CHECK (octet_length(browser_hash) = 32),
    login_hash   BYTEA NOT NULL CHECK (octet_length(login_hash) = 32),
    tenant_id    VARCHAR(100) NOT NULL,
    server_name  VARCHAR(32) NOT NULL,
    subject      VARCHAR(130) NOT NULL,
    key_id       VARCHAR(16) NOT NULL,
    sealed       BYTEA NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL,
    FOREIGN KEY (tenant_id, server_name) REFERENCES mcp_servers ON DELETE CASCADE
);
CREATE INDEX idx_mcp_account_requests_login ON mcp_account_requests (login_hash, expires_at);
CREATE INDEX idx_mcp_account_requests_age ON mcp_account_requests (expires_at);

-- The gate as authorization servers have registered it.
CREATE TABLE mcp_oauth_clients (
    tenant_id    VARCHAR(100) NOT NULL REFERENCES tenants,
    issuer       TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    key_id       VARCHAR(16) NOT NULL,
    sealed       BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, issuer, redirect_uri)
);
