-- Conversations, what people were asked in them, what they stored and what they remember.

CREATE TABLE sessions (
    tenant_id     VARCHAR(100) NOT NULL REFERENCES tenants,
    session_id    VARCHAR(100) NOT NULL,
    agent_id      VARCHAR(100),
    workspace_id  VARCHAR(100),
    policy_bundle JSONB NOT NULL,
    expires_at    TIMESTAMPTZ NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at    TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ended_at      TIMESTAMPTZ,
    PRIMARY KEY (tenant_id, session_id)
);

CREATE INDEX idx_sessions_expiry ON sessions (expires_at);

CREATE TRIGGER sessions_updated_at BEFORE UPDATE ON sessions
    FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

CREATE TABLE approvals (
    approval_id      UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id        VARCHAR(100) NOT NULL REFERENCES tenants,
    request_id       VARCHAR(100) NOT NULL,
    agent_id         VARCHAR(100) NOT NULL,
    session_id       VARCHAR(100),
    tool_name        VARCHAR(200) NOT NULL,
    arguments        JSONB NOT NULL,
    arguments_digest BYTEA NOT NULL,
    reason           TEXT NOT NULL,
    approval_rule_id VARCHAR(100),
    preview          TEXT,
    verdict          VARCHAR(20) CHECK (verdict IN ('APPROVED', 'DENIED', 'TIMED_OUT')),
    asked_at         TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at       TIMESTAMPTZ NOT NULL,
    answered_at      TIMESTAMPTZ,
    answered_by      VARCHAR(100),
    answer_reason    TEXT,
    CHECK ((verdict IS NULL) = (answered_at IS NULL))
);

CREATE INDEX idx_approvals_open ON approvals (tenant_id, asked_at) WHERE verdict IS NULL;
CREATE INDEX idx_approvals_request ON approvals (tenant_id, request_id);

-- What is stored where; the content itself lives on disk or in an object store.
CREATE TABLE artifacts (
    tenant_id    VARCHAR(100) NOT NULL REFERENCES tenants,
    workspace_id VARCHAR(100) NOT NULL,
    artifact_id  VARCHAR(100) NOT NULL,
    request_id   VARCHAR(100),
    agent_id     VARCHAR(100),
    type         VARCHAR(100) NOT NULL,
    media_type   VARCHAR(200) NOT NULL,
    name         TEXT,
    size_bytes   BIGINT NOT NULL CHECK (size_bytes >= 0),
    sha256       BYTEA,
    location     TEXT NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (tenant_id, workspace_id, artifact_id)
);

CREATE TABLE memory_items (
    tenant_id  VARCHAR(100) NOT NULL REFERENCES tenants,
    agent_id   VARCHAR(100) NOT NULL,
    key        VARCHAR(200) NOT NULL,
    value      JSONB NOT NULL,
    tags       TEXT[] NOT NULL DEFAULT '{}',
    created_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMPTZ,
    PRIMARY KEY (tenant_id, agent_id, key)
);

CREATE INDEX idx_memory_tags ON memory_items USING gin (tags);

CREATE TRIGGER memory_items_updated_at BEFORE UPDATE ON memory_items
    FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
