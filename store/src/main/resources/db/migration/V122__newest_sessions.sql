-- Pages of sessions, the newest first.
CREATE INDEX idx_sessions_newest ON sessions (tenant_id, created_at, session_id);
