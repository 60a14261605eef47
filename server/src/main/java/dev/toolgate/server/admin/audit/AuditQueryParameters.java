package dev.toolgate.server.admin.audit;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.request.Query;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditPosition;
import dev.toolgate.store.audit.query.AuditReadOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the filters and paging of an audit query from a request. */
final class AuditQueryParameters {
    static final List<String> FILTERS = List.of(
            "agent_id",
            "project_id",
            "tool_name",
            "request_id",
            "correlation_id",
            "conversation_id",
            "session_id",
            "status",
            "error_code",
            "principal",
            "kind",
            "allowed",
            "q",
            "start_date",
            "end_date");
    private static final String EVERY_KIND = "all";

    /** The query parameter for the sort order. */
    static final String ORDER = "order";

    private AuditQueryParameters() {}

    /** The order and the scope of reading: without the right to read all records, only those of agents. */
    static AuditReadOptions reading(Exchange exchange) {
        AuditReadOptions.Order order =
                switch (exchange.query().text(ORDER).orElse("desc")) {
                    case "desc" -> AuditReadOptions.Order.NEWEST_FIRST;
                    case "asc" -> AuditReadOptions.Order.OLDEST_FIRST;
                    default -> throw new BadRequest("The query parameter 'order' must be asc or desc.");
                };
        return new AuditReadOptions(order, scope(exchange));
    }

    /** Without the right to read all records, only those of agents. */
    static AuditReadOptions.Scope scope(Exchange exchange) {
        return exchange.principal().may(Right.READ_AUDIT)
                ? AuditReadOptions.Scope.EVERYTHING
                : AuditReadOptions.Scope.KNOWN_AGENTS;
    }

    static AuditFilter filter(Exchange exchange) {
        Query query = exchange.query();
        return AuditFilter.of(exchange.principal().tenant())
                .agent(query.text("agent_id").orElse(null))
                .project(query.text("project_id").orElse(null))
                .tool(query.text("tool_name").orElse(null))
                .request(query.text("request_id").orElse(null))
                .correlation(query.text("correlation_id").orElse(null))
                .conversation(query.text("conversation_id").orElse(null))
                .session(query.text("session_id").orElse(null))
                .status(status(query))
                .error(errorCode(query))
                .principal(query.text("principal").orElse(null))
                .kind(kind(query))
                .allowed(query.flag("allowed").orElse(null))
                .text(query.text("q").orElse(null))
                .between(
                        query.time("start_date").orElse(null),
                        query.time("end_date").orElse(null));
    }

    // Only calls by default: clients written before other kinds existed must not see them.
    private static AuditLog.@Nullable Kind kind(Query query) {
        String wanted = query.text("kind").orElse(AuditLog.Kind.CALL.wireName());
        if (wanted.equals(EVERY_KIND)) {
            return null;
        }
        return Arrays.stream(AuditLog.Kind.values())
                .filter(kind -> kind.wireName().equals(wanted))
                .findFirst()
                .orElseThrow(
                        () -> new BadRequest("The query parameter 'kind' must be 'call', 'administration' or 'all'."));
    }

    private static AuditLog.@Nullable Status status(Query query) {
        return constant(query, "status", AuditLog.Status.values());
    }

    private static @Nullable String errorCode(Query query) {
        ErrorCode code = constant(query, "error_code", ErrorCode.values());
        return code == null ? null : code.name();
    }

    /** A constant by its name. */
    private static <E extends Enum<E>> @Nullable E constant(Query query, String name, E[] all) {
        String wanted = query.text(name).orElse(null);
        if (wanted == null) {
            return null;
        }
        return Arrays.stream(all)
                .filter(one -> one.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new BadRequest("The query parameter '" + name + "' must be one of "
                        + Arrays.stream(all).map(Enum::name).collect(Collectors.joining(", ")) + "."));
    }

    static @Nullable AuditPosition position(Query query) {
        try {
            return query.text("page").map(AuditPosition::parse).orElse(null);
        } catch (IllegalArgumentException malformed) {
            throw new BadRequest("The query parameter 'page' must come from the Link header of the page before.");
        }
    }

    /** The Link header for the next page of the same query. */
    static String next(Exchange exchange, int limit, AuditPosition position) {
        StringJoiner link = new StringJoiner("&", "</api/v1/audit/logs?", ">; rel=\"next\"");
        for (String name : FILTERS) {
            exchange.query()
                    .text(name)
                    .ifPresent(value -> link.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
        }
        exchange.query().text(ORDER).ifPresent(order -> link.add(ORDER + "=" + order));
        return link.add("limit=" + limit).add("page=" + position.token()).toString();
    }
}
