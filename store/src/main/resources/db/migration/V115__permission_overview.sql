-- An overview of all permissions is made again only when something has changed. These find what changes without anybody
-- changing it: grants that expire, and grants that are used up. The last index leaves out the number of uses, so that
-- counting a use stays as cheap as it is.
CREATE INDEX idx_agent_permissions_expiry ON agent_tool_permissions (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX idx_group_permissions_expiry ON group_tool_permissions (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX idx_grant_uses_tenant ON grant_uses (tenant_id);
