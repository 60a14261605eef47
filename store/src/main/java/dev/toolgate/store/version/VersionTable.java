package dev.toolgate.store.version;

/**
 * A table with a version number per tenant, which is incremented in the transaction of every change.
 *
 * @param name the table, with the columns {@code tenant_id} and {@code version}
 * @param channel the notification channel; the payload is the tenant
 * @param subject what changes, for messages
 */
public record VersionTable(String name, String channel, String subject) {
    public static final VersionTable PERMISSIONS =
            new VersionTable("permission_versions", "toolgate_permissions", "permissions");
    public static final VersionTable KEYS = new VersionTable("key_versions", "toolgate_keys", "keys");
    public static final VersionTable MCP_SERVERS =
            new VersionTable("mcp_server_versions", "toolgate_mcp_servers", "MCP servers");
    public static final VersionTable EXTERNAL_TOOLS =
            new VersionTable("external_tool_versions", "toolgate_external_tools", "external tools");
}
