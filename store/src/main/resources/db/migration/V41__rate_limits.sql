-- How many calls are left to whom, shared by all instances. A limit for a whole tenant names no agent, one
-- for all tools of an agent names no tool. The terms are part of the key: other settings, other buckets.
-- Not logged: what a crash of the database forgets is that somebody had to wait.

CREATE UNLOGGED TABLE rate_limit_buckets (
    tenant_id  VARCHAR(100) NOT NULL,
    agent_id   VARCHAR(100) NOT NULL,
    tool_name  VARCHAR(200) NOT NULL,
    terms      VARCHAR(100) NOT NULL,
    state      BYTEA NOT NULL,
    full_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, tool_name, terms)
) WITH (fillfactor = 50);
