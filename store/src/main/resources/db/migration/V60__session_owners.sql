-- Who started a session. A session goes with its agent, so that a later agent of the same name does not find it.
ALTER TABLE sessions ADD COLUMN created_by TEXT;
ALTER TABLE sessions ADD FOREIGN KEY (tenant_id, agent_id) REFERENCES agents ON DELETE CASCADE;

CREATE INDEX idx_sessions_agent ON sessions (tenant_id, agent_id);
