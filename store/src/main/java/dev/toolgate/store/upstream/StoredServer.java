package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A registered MCP server.
 *
 * @param revision changes with every change of the settings; unique across all servers
 * @param listedAt when its tools were listed for the first time; null if they never were
 */
public record StoredServer(
        TenantId tenant,
        ServerName name,
        Source source,
        McpServerSettings settings,
        long revision,
        @Nullable Instant listedAt,
        Instant createdAt,
        String createdBy,
        Instant updatedAt,
        String updatedBy) {

    /** Where a server is administered. */
    public enum Source {
        API,
        SETTINGS
    }
}
