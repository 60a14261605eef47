-- How often a grant with a number of uses has been used. It has a table of its own because a use changes
-- no permission: what instances hold in memory stays good. Whoever changes a grant, by whatever way,
-- starts the count anew under a new number, so that a use under the old terms finds nothing to count.

CREATE TABLE grant_uses (
    uses_id             BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id           VARCHAR(100) NOT NULL,
    agent_permission_id BIGINT UNIQUE REFERENCES agent_tool_permissions ON DELETE CASCADE,
    group_permission_id BIGINT UNIQUE REFERENCES group_tool_permissions ON DELETE CASCADE,
    max_uses            INTEGER NOT NULL CHECK (max_uses > 0),
    uses                INTEGER NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND max_uses),
    CHECK (num_nonnulls(agent_permission_id, group_permission_id) = 1)
);

CREATE FUNCTION restart_agent_grant_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM grant_uses WHERE agent_permission_id = NEW.id;
    IF NEW.max_uses IS NOT NULL THEN
        INSERT INTO grant_uses (tenant_id, agent_permission_id, max_uses) VALUES (NEW.tenant_id, NEW.id, NEW.max_uses);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION restart_group_grant_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM grant_uses WHERE group_permission_id = NEW.id;
    IF NEW.max_uses IS NOT NULL THEN
        INSERT INTO grant_uses (tenant_id, group_permission_id, max_uses) VALUES (NEW.tenant_id, NEW.id, NEW.max_uses);
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER agent_tool_permissions_uses AFTER INSERT OR UPDATE ON agent_tool_permissions
    FOR EACH ROW EXECUTE FUNCTION restart_agent_grant_uses();
CREATE TRIGGER group_tool_permissions_uses AFTER INSERT OR UPDATE ON group_tool_permissions
    FOR EACH ROW EXECUTE FUNCTION restart_group_grant_uses();

INSERT INTO grant_uses (tenant_id, agent_permission_id, max_uses)
    SELECT tenant_id, id, max_uses FROM agent_tool_permissions WHERE max_uses IS NOT NULL;
INSERT INTO grant_uses (tenant_id, group_permission_id, max_uses)
    SELECT tenant_id, id, max_uses FROM group_tool_permissions WHERE max_uses IS NOT NULL;

ALTER TABLE agent_tool_permissions DROP COLUMN uses;
ALTER TABLE group_tool_permissions DROP COLUMN uses;

-- The history can be asked about one tool or one group.
CREATE INDEX idx_permission_changes_tool ON permission_change_log (tenant_id, tool_name, id);
CREATE INDEX idx_permission_changes_group ON permission_change_log (tenant_id, group_id, id)
    WHERE group_id IS NOT NULL;

-- Examples are given back as they were written, and may hold characters that JSONB does not know.
ALTER TABLE agent_tool_permissions ALTER COLUMN condition_examples TYPE JSON;
ALTER TABLE group_tool_permissions ALTER COLUMN condition_examples TYPE JSON;
