-- The record of every call. Nothing here refers to agents or tenants: records outlive them.

-- Whoever writes records. An instance holds an advisory lock (class 21607, its number) while it
-- lives. Its row carries the head of its chain and changes in the same transaction as the records,
-- so an instance that was declared dead can never write again under the same name.
CREATE TABLE audit_instances (
    instance_id     UUID PRIMARY KEY,
    number          INTEGER GENERATED ALWAYS AS IDENTITY UNIQUE,
    process_id      BIGINT NOT NULL,
    started_at      TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    ended_at        TIMESTAMPTZ,
    last_sequence   BIGINT NOT NULL DEFAULT 0,
    last_hash       BYTEA NOT NULL,
    -- Records up to here have been removed by retention; the chain goes on from this hash.
    pruned_sequence BIGINT NOT NULL DEFAULT 0,
    pruned_hash     BYTEA NOT NULL
);

CREATE INDEX idx_audit_instances_open ON audit_instances (number) WHERE ended_at IS NULL;

CREATE TABLE tool_audit_logs (
    id                BIGINT GENERATED ALWAYS AS IDENTITY,
    tenant_id         VARCHAR(100) NOT NULL,
    request_id        VARCHAR(100) NOT NULL,
    timestamp         TIMESTAMPTZ NOT NULL,
    agent_id          VARCHAR(100) NOT NULL,
    session_id        VARCHAR(100),
    workspace_id      VARCHAR(100) NOT NULL,
    project_id        VARCHAR(100),
    tool_name         VARCHAR(200) NOT NULL,
    operation         VARCHAR(100) NOT NULL,
    parameters        JSONB NOT NULL,
    allowed           BOOLEAN NOT NULL,
    status            VARCHAR(20) NOT NULL CHECK (status IN ('COMPLETED', 'FAILED', 'REFUSED', 'INTERRUPTED')),
    error_code        VARCHAR(50),
    denial_reason     TEXT,
    approved_by       VARCHAR(100),
    execution_time_ms INTEGER,
    result_summary    TEXT,
    cost              NUMERIC(18, 6),
    instance_id       UUID NOT NULL,
    sequence          BIGINT NOT NULL,
    previous_hash     BYTEA NOT NULL,
    hash              BYTEA NOT NULL,
    created_at        TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    PRIMARY KEY (instance_id, sequence, timestamp)
) PARTITION BY RANGE (timestamp);

-- Every index ends in (timestamp, id), so that each filter can be read newest first, page by page.
CREATE INDEX idx_audit_timestamp ON tool_audit_logs (tenant_id, timestamp, id);
CREATE INDEX idx_audit_agent ON tool_audit_logs (tenant_id, agent_id, timestamp, id);
CREATE INDEX idx_audit_tool ON tool_audit_logs (tenant_id, tool_name, timestamp, id);
CREATE INDEX idx_audit_project ON tool_audit_logs (tenant_id, project_id, timestamp, id) WHERE project_id IS NOT NULL;
CREATE INDEX idx_audit_allowed ON tool_audit_logs (tenant_id, timestamp, id) WHERE NOT allowed;
CREATE INDEX idx_audit_request ON tool_audit_logs (tenant_id, request_id);

-- Catches what no month catches, and keeps the refused calls of months that retention has dropped.
CREATE TABLE tool_audit_logs_rest PARTITION OF tool_audit_logs DEFAULT;

-- A month that already has records in the default partition is left there: still found, still pruned.
CREATE FUNCTION create_audit_partitions(first_day DATE, months INTEGER) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
    lower TIMESTAMPTZ;
    upper TIMESTAMPTZ;
    name TEXT;
    created INTEGER := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(21607, 0);
    FOR i IN 0 .. months - 1 LOOP
        lower := (date_trunc('month', first_day::timestamp) + make_interval(months => i)) AT TIME ZONE 'UTC';
        upper := (date_trunc('month', first_day::timestamp) + make_interval(months => i + 1)) AT TIME ZONE 'UTC';
        name := 'tool_audit_logs_' || to_char(lower AT TIME ZONE 'UTC', 'YYYY_MM');
        IF to_regclass(name) IS NULL
           AND NOT EXISTS (SELECT FROM tool_audit_logs_rest WHERE timestamp >= lower AND timestamp < upper) THEN
            EXECUTE format('CREATE TABLE %I PARTITION OF tool_audit_logs FOR VALUES FROM (%L) TO (%L)',
                           name, lower, upper);
            created := created + 1;
        END IF;
    END LOOP;
    RETURN created;
END $$;

SELECT create_audit_partitions((CURRENT_TIMESTAMP AT TIME ZONE 'UTC')::date, 3);

-- Calls that were about to change something and whose outcome is not on record yet.
CREATE TABLE tool_intents (
    instance_id  UUID NOT NULL REFERENCES audit_instances,
    number       BIGINT NOT NULL,
    tenant_id    VARCHAR(100) NOT NULL,
    request_id   VARCHAR(100) NOT NULL,
    timestamp    TIMESTAMPTZ NOT NULL,
    agent_id     VARCHAR(100) NOT NULL,
    session_id   VARCHAR(100),
    workspace_id VARCHAR(100) NOT NULL,
    project_id   VARCHAR(100),
    tool_name    VARCHAR(200) NOT NULL,
    operation    VARCHAR(100) NOT NULL,
    parameters   JSONB NOT NULL,
    PRIMARY KEY (instance_id, number)
);

-- A partitioned table cannot keep request_id unique by itself.
CREATE TABLE request_keys (
    tenant_id    VARCHAR(100) NOT NULL,
    request_id   VARCHAR(100) NOT NULL,
    body_digest  BYTEA NOT NULL,
    outcome      JSONB,
    created_at   TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP,
    completed_at TIMESTAMPTZ,
    PRIMARY KEY (tenant_id, request_id)
);

CREATE INDEX idx_request_keys_age ON request_keys (created_at);
