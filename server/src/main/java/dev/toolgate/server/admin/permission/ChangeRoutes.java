package dev.toolgate.server.admin.permission;

import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.store.grant.ChangeFilter;
import dev.toolgate.store.grant.PermissionChange;
import dev.toolgate.store.grant.PermissionHistory;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Route to the history of permission changes, newest first. */
public final class ChangeRoutes {
    private static final String CHANGES = "/api/v1/permissions/changes";
    private static final List<String> FILTERS =
            List.of("agent_id", "tool_name", "group_id", "changed_by", "start_date", "end_date");

    private final PermissionHistory history;
    private final ToolCatalog catalog;

    public ChangeRoutes(PermissionHistory history, ToolCatalog catalog) {
        this.history = history;
        this.catalog = catalog;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(Route.get(CHANGES, RouteAccess.needs(Right.READ_PERMISSIONS), Dialect.STANDARD, this::list)
                .withQuery(
                        "agent_id", "tool_name", "group_id", "changed_by", "start_date", "end_date", "limit", "after"));
    }

    private Response list(Exchange exchange) {
        Page page = Page.of(exchange);
        ChangeFilter filter = new ChangeFilter(
                exchange.query().text("agent_id").map(PathIds::agent).orElse(null),
                exchange.query().text("group_id").map(PathIds::group).orElse(null),
                exchange.query()
                        .text("tool_name")
                        .map(new ToolNameFields(catalog, exchange.principal().tenant())::canonical)
                        .orElse(null),
                exchange.query().text("changed_by").orElse(null),
                exchange.query().time("start_date").orElse(null),
                exchange.query().time("end_date").orElse(null));
        List<PermissionChange> found = history.changes(
                exchange.principal().tenant(), filter, page.after(ChangeRoutes::id), page.limitPlusOne());
        Map<String, String> filters = new LinkedHashMap<>();
        FILTERS.forEach(name -> exchange.query().text(name).ifPresent(value -> filters.put(name, value)));
        return new Response.Json(
                200,
                found.stream().limit(page.limit()).map(ChangeAnswer::of).toList(),
                page.next(CHANGES, found, change -> Long.toString(change.id()), filters));
    }

    private static long id(String text) {
        try {
            long id = Long.parseLong(text);
            if (id >= 0) {
                return id;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new BadRequest("The query parameter 'after' must be the id of a change.");
    }

    /**
     * @param toolName the tool, or {@code *} for the start or end of an agent or a membership
     * @param details the terms of a grant
     */
    private record ChangeAnswer(
            long id,
            @Nullable String agentId,
            @Nullable String groupId,
            String toolName,
            @Nullable Boolean previousState,
            boolean newState,
            String changedBy,
            Instant changedAt,
            @Nullable String reason,
            JsonNode details) {

        static ChangeAnswer of(PermissionChange change) {
            return new ChangeAnswer(
                    change.id(),
                    change.agentId(),
                    change.groupId(),
                    change.toolName(),
                    change.previousState(),
                    change.newState(),
                    change.changedBy(),
                    change.changedAt(),
                    change.reason(),
                    Json.MAPPER.readTree(change.details()));
        }
    }
}
