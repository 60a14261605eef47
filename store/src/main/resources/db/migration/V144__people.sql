-- People who log in through an OpenID Connect provider. Who somebody is is said by the issuer and its subject; the name
-- in records is made at the first log-in and stays, so that nobody becomes a second person by another display name.
CREATE TABLE people (
    person_id      UUID PRIMARY KEY,
    tenant_id      VARCHAR(100) NOT NULL REFERENCES tenants,
    issuer         TEXT NOT NULL,
    subject        VARCHAR(255) NOT NULL,
    name           VARCHAR(100) NOT NULL UNIQUE,
    display_name   VARCHAR(200) NOT NULL,
    first_login_at TIMESTAMPTZ NOT NULL,
    last_login_at  TIMESTAMPTZ NOT NULL,
    UNIQUE (issuer, subject)
);
CREATE INDEX idx_people_tenant ON people (tenant_id, person_id);

-- A log-in belongs to a key or to a person. A person's has the groups that count for a role; which role that is, the
-- settings say at every request. The identity token is encrypted with the browser's cookie, and only used to sign out.
ALTER TABLE console_sessions
    ALTER COLUMN key_id DROP NOT NULL,
    ADD COLUMN person_id UUID REFERENCES people ON DELETE CASCADE,
    ADD COLUMN groups TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN token_key_id VARCHAR(16),
    ADD COLUMN token_sealed BYTEA,
    ADD CONSTRAINT console_sessions_owner CHECK ((key_id IS NULL) <> (person_id IS NULL)),
    ADD CONSTRAINT console_sessions_token CHECK ((token_key_id IS NULL) = (token_sealed IS NULL));
CREATE INDEX idx_console_sessions_person ON console_sessions (person_id, created_at);

-- Log-ins that a browser has begun at the provider. Each is used once, by that browser.
CREATE TABLE login_requests (
    state_hash   BYTEA PRIMARY KEY CHECK (octet_length(state_hash) = 32),
    browser_hash BYTEA NOT NULL CHECK (octet_length(browser_hash) = 32),
    network      VARCHAR(100) NOT NULL,
    issuer       TEXT NOT NULL,
    client_id    TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    return_to    VARCHAR(1000) NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL
);
CREATE INDEX idx_login_requests_network ON login_requests (network, expires_at);
CREATE INDEX idx_login_requests_age ON login_requests (expires_at);
