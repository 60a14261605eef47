-- Counts of the audit records of a tenant by time, for histograms, facets and usage. It can be rebuilt from the records at
-- any time, and proves nothing.
CREATE TABLE audit_rollup (
    tenant_id   VARCHAR(100) NOT NULL,
    -- What a row is about: all records of an hour, those of a tool, those of an agent and a tool; or of a day. Agent and tool
    -- are empty where a row is about all of them.
    grain       VARCHAR(10) NOT NULL CHECK (grain IN ('hour', 'tool_hour', 'cell_hour', 'tool_day', 'agent_day')),
    agent_id    VARCHAR(100) NOT NULL,
    tool_name   VARCHAR(200) NOT NULL,
    since       TIMESTAMPTZ NOT NULL,
    kind        VARCHAR(20) NOT NULL,
    status      VARCHAR(20) NOT NULL,
    allowed     BOOLEAN NOT NULL,
    -- Empty without one.
    error_code  VARCHAR(50) NOT NULL,
    records     BIGINT NOT NULL,
    last_at     TIMESTAMPTZ NOT NULL,
    -- The sums of those records that have a duration or a cost.
    timed       BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    cost        NUMERIC NOT NULL,
    PRIMARY KEY (tenant_id, grain, agent_id, tool_name, since, kind, status, allowed, error_code)
);

CREATE INDEX idx_audit_rollup_time ON audit_rollup (tenant_id, grain, since);

-- Up to where each chain is counted. Changes with the counts in one transaction, so that no record is counted twice or left out.
CREATE TABLE audit_rollup_positions (
    instance_id UUID PRIMARY KEY,
    sequence    BIGINT NOT NULL
);
