-- Sessions of MCP clients of the revisions that have sessions. Some clients make one for every call, so they are cheap: without
-- a write-ahead log. A crash of the database loses them, and clients begin new ones. Whoever uses a session shows a key or
-- token with every request, so a session opens nothing by itself; its id is kept as a hash all the same.
CREATE UNLOGGED TABLE mcp_sessions (
    session_hash BYTEA PRIMARY KEY,
    tenant_id    VARCHAR(100) NOT NULL,
    record       TEXT NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX idx_mcp_sessions_tenant ON mcp_sessions (tenant_id, last_used_at);
CREATE INDEX idx_mcp_sessions_idle ON mcp_sessions (last_used_at);

-- Calls of MCP clients that wait for a person, or have ended and were not collected yet: which request id belongs to the call
-- that a client sends again. MCP has no request ids that last, so a call is found by who makes it and a digest of tool and
-- arguments. A call that was collected keeps its row, without the digest, for as long as it may be asked for as a task.
CREATE TABLE mcp_pending_calls (
    tenant_id   VARCHAR(100) NOT NULL,
    agent_id    VARCHAR(100) NOT NULL,
    principal   TEXT NOT NULL,
    request_id  VARCHAR(100) NOT NULL,
    tool_name   TEXT NOT NULL,
    call_digest BYTEA,
    withdrawn   BOOLEAN NOT NULL DEFAULT false,
    created_at  TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (tenant_id, agent_id, request_id)
);
CREATE UNIQUE INDEX idx_mcp_pending_call ON mcp_pending_calls (tenant_id, agent_id, principal, call_digest)
    WHERE call_digest IS NOT NULL;
CREATE INDEX idx_mcp_pending_age ON mcp_pending_calls (created_at);
