-- Held calls: a question is stored before anybody waits for its answer, and outlives whoever does.

ALTER TABLE approvals DROP CONSTRAINT approvals_verdict_check;
ALTER TABLE approvals ADD CONSTRAINT approvals_verdict_check
    CHECK (verdict IN ('APPROVED', 'DENIED', 'TIMED_OUT', 'WITHDRAWN'));

ALTER TABLE approvals
    -- What people see: free of secrets, and as text because JSONB cannot hold every character.
    ALTER COLUMN arguments TYPE TEXT USING arguments::text,
    ALTER COLUMN answered_by TYPE VARCHAR(200),
    ADD COLUMN principal VARCHAR(200) NOT NULL DEFAULT '',
    ADD COLUMN workspace_id VARCHAR(100) NOT NULL DEFAULT 'default',
    ADD COLUMN project_id VARCHAR(100),
    ADD COLUMN operation VARCHAR(100) NOT NULL DEFAULT 'execute',
    ADD COLUMN scope VARCHAR(20) CHECK (scope IN ('once', 'session', 'agent')),
    -- The call itself, so that anybody can make it; gone once it has ended.
    ADD COLUMN held_call TEXT,
    -- The instance that will go on with the call; none, or one that is gone, leaves it to whoever comes first.
    ADD COLUMN waiter UUID,
    ADD COLUMN adopted_at TIMESTAMPTZ,
    -- Who took the yes. Only one can, and only whoever has it may make the call.
    ADD COLUMN claimed_by UUID,
    ADD COLUMN claimed_at TIMESTAMPTZ,
    -- How the call ended is on record.
    ADD COLUMN ended_at TIMESTAMPTZ;

-- While a call is held, its request id is its own.
CREATE UNIQUE INDEX idx_approvals_held ON approvals (tenant_id, request_id) WHERE ended_at IS NULL;
CREATE INDEX idx_approvals_list ON approvals (tenant_id, asked_at, approval_id);
CREATE INDEX idx_approvals_expiry ON approvals (expires_at) WHERE verdict IS NULL;
CREATE INDEX idx_approvals_due ON approvals (answered_at) WHERE ended_at IS NULL AND verdict IS NOT NULL;
CREATE INDEX idx_approvals_asked ON approvals (asked_at);
CREATE INDEX idx_approvals_answered ON approvals (answered_at) WHERE answered_at IS NOT NULL;

-- Whoever waits for answers says now and then that it is still there.
CREATE TABLE approval_instances (
    instance_id UUID PRIMARY KEY,
    seen_at     TIMESTAMPTZ NOT NULL
);

-- A yes to every call of a tool by an agent; it ends with the agent, so that a new one of the same name has none.
CREATE TABLE standing_approvals (
    standing_id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    tenant_id   VARCHAR(100) NOT NULL,
    agent_id    VARCHAR(100) NOT NULL,
    tool_name   VARCHAR(200) NOT NULL,
    session_id  VARCHAR(100),
    approval_id UUID NOT NULL,
    granted_by  VARCHAR(200) NOT NULL,
    reason      TEXT,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at  TIMESTAMPTZ,
    revoked_at  TIMESTAMPTZ,
    revoked_by  VARCHAR(200),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
);

CREATE INDEX idx_standing_approvals ON standing_approvals (tenant_id, agent_id, tool_name) WHERE revoked_at IS NULL;
CREATE INDEX idx_standing_approvals_list ON standing_approvals (tenant_id, created_at, standing_id);

-- How far those who talk with an agent let it go by itself; tools ask for the rest.
ALTER TABLE agents ADD COLUMN trust_level VARCHAR(20) NOT NULL DEFAULT 'guided'
    CHECK (trust_level IN ('supervised', 'guided', 'autonomous'));
