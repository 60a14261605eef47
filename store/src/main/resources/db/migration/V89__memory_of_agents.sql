-- Memory ends with its agent, and an agent of the same name begins with none, also if a last call wrote after the end.

CREATE FUNCTION forget_memory_of_agents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM memory_items m USING changed_agents a
        WHERE m.tenant_id = a.tenant_id AND m.agent_id = a.agent_id;
    RETURN NULL;
END $$;

CREATE TRIGGER agents_deleted_memory AFTER DELETE ON agents REFERENCING OLD TABLE AS changed_agents
    FOR EACH STATEMENT EXECUTE FUNCTION forget_memory_of_agents();
CREATE TRIGGER agents_created_memory AFTER INSERT ON agents REFERENCING NEW TABLE AS changed_agents
    FOR EACH STATEMENT EXECUTE FUNCTION forget_memory_of_agents();

DELETE FROM memory_items m
    WHERE NOT EXISTS (SELECT FROM agents a WHERE a.tenant_id = m.tenant_id AND a.agent_id = m.agent_id);
