-- Whose an artifact is decides who may read it: the agent that made it, which is known already, and the session it was
-- made in. Artifacts from before this column have no session; those without an agent either are for roles only.
ALTER TABLE artifacts ADD COLUMN session_id VARCHAR(100);

-- Agents list their own artifacts among those of many others.
CREATE INDEX idx_artifacts_of_agent ON artifacts (tenant_id, workspace_id, agent_id, created_at DESC, artifact_id DESC);
CREATE INDEX idx_artifacts_of_session ON artifacts (tenant_id, workspace_id, session_id, created_at DESC, artifact_id DESC)
    WHERE session_id IS NOT NULL;
