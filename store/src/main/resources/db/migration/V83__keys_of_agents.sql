-- Request ids belong to an agent of a tenant, and a held call has taken its own.

ALTER TABLE request_keys
    ADD COLUMN agent_id VARCHAR(100),
    -- The question by which the call is held; none while it runs and once it has ended.
    ADD COLUMN held_by UUID;
ALTER TABLE request_keys DROP CONSTRAINT request_keys_pkey;

-- Whose a key is stands in the records, the intents and the questions under its request id.
CREATE TEMPORARY TABLE key_owners ON COMMIT DROP AS
SELECT k.tenant_id, k.request_id, o.agent_id, count(*) OVER (PARTITION BY k.tenant_id, k.request_id) AS owners
FROM request_keys k
JOIN LATERAL (
    SELECT agent_id FROM tool_audit_logs l WHERE l.tenant_id = k.tenant_id AND l.request_id = k.request_id
    UNION
    SELECT agent_id FROM tool_intents i WHERE i.tenant_id = k.tenant_id AND i.request_id = k.request_id
    UNION
    SELECT agent_id FROM approvals a WHERE a.tenant_id = k.tenant_id AND a.request_id = k.request_id) o ON true;

UPDATE request_keys k SET agent_id = o.agent_id FROM key_owners o
WHERE o.owners = 1 AND k.tenant_id = o.tenant_id AND k.request_id = o.request_id;

-- Several agents used the id: the key goes to each of them, without the outcome, which is only one's. A repeated call
-- does not run again, and nobody reads what another agent's call has brought.
INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, created_at, completed_at)
SELECT k.tenant_id, o.agent_id, k.request_id, k.body_digest, k.created_at, k.completed_at
FROM request_keys k JOIN key_owners o ON k.tenant_id = o.tenant_id AND k.request_id = o.request_id
WHERE o.owners > 1 AND k.agent_id IS NULL;

DELETE FROM request_keys WHERE agent_id IS NULL;

ALTER TABLE request_keys ALTER COLUMN agent_id SET NOT NULL;
ALTER TABLE request_keys ADD PRIMARY KEY (tenant_id, agent_id, request_id);

DROP INDEX idx_approvals_held;
CREATE UNIQUE INDEX idx_approvals_held ON approvals (tenant_id, agent_id, request_id) WHERE ended_at IS NULL;
DROP INDEX idx_approvals_request;
CREATE INDEX idx_approvals_request ON approvals (tenant_id, request_id, agent_id);

-- Calls that are held now.
INSERT INTO request_keys (tenant_id, agent_id, request_id, body_digest, held_by)
SELECT tenant_id, agent_id, request_id, arguments_digest, approval_id FROM approvals WHERE ended_at IS NULL
ON CONFLICT DO NOTHING;
