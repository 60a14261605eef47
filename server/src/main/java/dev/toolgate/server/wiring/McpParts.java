package dev.toolgate.server.wiring;

import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.approval.ApprovalAnswerHandler;
import dev.toolgate.server.config.DialectSettings;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.door.artifact.ArtifactReads;
import dev.toolgate.server.door.mcp.McpDoor;
import dev.toolgate.server.door.mcp.McpRoutes;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.operate.Release;
import dev.toolgate.store.mcp.McpSessionTable;
import dev.toolgate.store.mcp.PendingCalls;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** Wires the door for MCP clients. */
final class McpParts {
    private static final int MAX_SESSIONS_PER_TENANT = 20_000;
    private static final Duration PENDING_CALLS_KEPT = Duration.ofDays(7);

    private McpParts() {}

    static List<Route> routes(
            ServerSettings settings,
            StoreParts store,
            Gate gate,
            CallCollector collector,
            ToolCatalog catalog,
            ArtifactReads artifacts,
            Administration administration,
            RouteAccess access,
            PublicAddress address,
            InstantSource clock,
            Resources resources) {
        DialectSettings.Mcp mcp = settings.dialect().mcp();
        if (!mcp.enabled()) {
            return List.of();
        }
        int maxBodyBytes = Math.toIntExact(settings.http().maxBody().bytes());
        McpDoor door = resources.register(McpDoor.open(
                gate,
                collector,
                catalog,
                artifacts,
                new ApprovalAnswerHandler(store.desk(), administration),
                store.database(),
                sessions(settings, store),
                store.grants()::changed,
                address,
                Release.version(),
                Set.copyOf(mcp.allowedOrigins()),
                maxBodyBytes,
                clock));
        return new McpRoutes(door, access, maxBodyBytes, mcp.searchAgents()).all();
    }

    private static McpSessionTable sessions(ServerSettings settings, StoreParts store) {
        return new McpSessionTable(
                store.database().jdbi(), settings.dialect().mcp().sessionIdle(), MAX_SESSIONS_PER_TENANT);
    }

    /** Deletes idle sessions, and pending calls that were never collected. */
    static void deleteOld(ServerSettings settings, StoreParts store) {
        sessions(settings, store).deleteIdle();
        Duration longest = settings.approvals().expireAfter().plus(PENDING_CALLS_KEPT);
        new PendingCalls(store.database().jdbi()).deleteOlderThan(longest);
    }
}
