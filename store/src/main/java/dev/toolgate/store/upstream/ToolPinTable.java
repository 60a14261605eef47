package dev.toolgate.store.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.connection.Timestamps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The table of the tools of MCP servers with their pinned definitions; {@link McpServerRepository} decides what is written. */
final class ToolPinTable {
    private static final String COLUMNS = "tenant_id, server_name, tool_name, state, agreed_definition, agreed_by,"
            + " agreed_at, waiting_definition, waiting_since, refused_by";

    private ToolPinTable() {}

    /** The tools of one server, sorted by name. */
    static List<ToolPin> ofServer(Handle handle, TenantId tenant, ServerName name) {
        return handle.createQuery("SELECT " + COLUMNS + " FROM mcp_tools"
                        + " WHERE tenant_id = :tenant AND server_name = :name ORDER BY tool_name COLLATE \"C\"")
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .map((row, _) -> pin(row))
                .list();
    }

    /** The tools of all servers of a tenant. */
    static Map<ServerName, List<ToolPin>> byServer(Handle handle, TenantId tenant) {
        Map<ServerName, List<ToolPin>> tools = new LinkedHashMap<>();
        handle.createQuery("SELECT " + COLUMNS
                        + " FROM mcp_tools WHERE tenant_id = :tenant ORDER BY server_name, tool_name COLLATE \"C\"")
                .bind("tenant", tenant.value())
                .map((row, _) -> Map.entry(new ServerName(row.getString("server_name")), pin(row)))
                .forEach(pin -> tools.computeIfAbsent(pin.getKey(), _ -> new ArrayList<>())
                        .add(pin.getValue()));
        return tools;
    }

    /** Inserts tools or replaces what is stored of them. */
    static void write(Handle handle, TenantId tenant, ServerName name, List<ToolPin> pins) {
        for (ToolPin pin : pins) {
            handle.createUpdate("""
                            INSERT INTO mcp_tools (tenant_id, server_name, tool_name, state, agreed_definition, agreed_hash,
                                agreed_by, agreed_at, waiting_definition, waiting_hash, waiting_since, refused_by)
                            VALUES (:tenant, :server, :tool, :state, :agreed, :agreedHash, :agreedBy, :agreedAt,
                                :waiting, :waitingHash, :waitingSince, :refusedBy)
                            ON CONFLICT (tenant_id, server_name, tool_name) DO UPDATE SET
                                state = excluded.state, agreed_definition = excluded.agreed_definition,
                                agreed_hash = excluded.agreed_hash, agreed_by = excluded.agreed_by,
                                agreed_at = excluded.agreed_at, waiting_definition = excluded.waiting_definition,
                                waiting_hash = excluded.waiting_hash, waiting_since = excluded.waiting_since,
                                refused_by = excluded.refused_by""")
                    .bind("tenant", tenant.value())
                    .bind("server", name.value())
                    .bind("tool", pin.tool())
                    .bind("state", pin.state().wireName())
                    .bind("agreed", pin.agreed() == null ? null : pin.agreed().text())
                    .bind(
                            "agreedHash",
                            pin.agreed() == null ? null : pin.agreed().hash())
                    .bind("agreedBy", pin.agreedBy())
                    .bind("agreedAt", time(pin.agreedAt()))
                    .bind(
                            "waiting",
                            pin.waiting() == null ? null : pin.waiting().text())
                    .bind(
                            "waitingHash",
                            pin.waiting() == null ? null : pin.waiting().hash())
                    .bind("waitingSince", time(pin.waitingSince()))
                    .bind("refusedBy", pin.refusedBy())
                    .execute();
        }
    }

    static void delete(Handle handle, TenantId tenant, ServerName name, List<String> tools) {
        if (!tools.isEmpty()) {
            handle.createUpdate("""
                            DELETE FROM mcp_tools
                            WHERE tenant_id = :tenant AND server_name = :name AND tool_name = ANY (:tools)""")
                    .bind("tenant", tenant.value())
                    .bind("name", name.value())
                    .bindArray("tools", String.class, tools)
                    .execute();
        }
    }

    private static ToolPin pin(ResultSet row) throws SQLException {
        String tool = row.getString("tool_name");
        return new ToolPin(
                tool,
                ToolPin.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                definition(tool, row.getString("agreed_definition")),
                row.getString("agreed_by"),
                Timestamps.readNullable(row, "agreed_at"),
                definition(tool, row.getString("waiting_definition")),
                Timestamps.readNullable(row, "waiting_since"),
                row.getString("refused_by"));
    }

    // Hashed again: agents are offered the text, so the hash must be that of the text.
    private static @Nullable PinnedDefinition definition(String tool, @Nullable String text) {
        return text == null ? null : PinnedDefinition.ofCanonical(tool, text);
    }

    private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
        return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
    }
}
