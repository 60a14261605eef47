-- The role user: a person who chats as the agents named for their key.

ALTER TABLE api_keys DROP CONSTRAINT api_keys_role_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_role_check
    CHECK (role IN ('admin', 'operator', 'auditor', 'orchestrator', 'agent', 'user'));

-- An agent that goes takes its place in a key with it, so that a later agent of the same name is not reached by it.
CREATE TABLE key_agents (
    key_id    UUID NOT NULL REFERENCES api_keys ON DELETE CASCADE,
    tenant_id VARCHAR(100) NOT NULL,
    agent_id  VARCHAR(100) NOT NULL,
    PRIMARY KEY (key_id, agent_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE
);

CREATE INDEX idx_key_agents_agent ON key_agents (tenant_id, agent_id);

CREATE TRIGGER key_agents_deleted AFTER DELETE ON key_agents REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION keys_changed();
