package dev.toolgate.store.version;

/**
 * A table with one number per tenant that grows with every change, in the same transaction.
 *
 * @param name the table, with the columns {@code tenant_id} and {@code version}
 * @param channel where the tenant of every change is announced
 * @param subject what changes, as messages call it
 */
public record VersionTable(String name, String channel, String subject) {
    public static final VersionTable PERMISSIONS =
            new VersionTable("permission_versions", "toolgate_permissions", "permissions");
    public static final VersionTable KEYS = new VersionTable("key_versions", "toolgate_keys", "keys");
}
