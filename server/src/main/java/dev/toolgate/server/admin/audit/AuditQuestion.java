package dev.toolgate.server.admin.audit;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.request.Query;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditPosition;
import dev.toolgate.store.audit.query.AuditReading;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Which records a request asks for. */
final class AuditQuestion {
    static final List<String> FILTERS = List.of(
            "agent_id",
            "project_id",
            "tool_name",
            "request_id",
            "correlation_id",
            "conversation_id",
            "kind",
            "allowed",
            "q",
            "start_date",
            "end_date");
    private static final String EVERY_KIND = "all";

    /** The query parameter that says which record comes first. */
    static final String ORDER = "order";

    private AuditQuestion() {}

    /** In which order, and whose: those who act for agents without the right to read everything read of agents only. */
    static AuditReading reading(Exchange exchange) {
        AuditReading.Order order =
                switch (exchange.query().text(ORDER).orElse("desc")) {
                    case "desc" -> AuditReading.Order.NEWEST_FIRST;
                    case "asc" -> AuditReading.Order.OLDEST_FIRST;
                    default -> throw new BadRequest("The query parameter 'order' must be asc or desc.");
                };
        return new AuditReading(
                order,
                exchange.principal().may(Right.READ_AUDIT)
                        ? AuditReading.Scope.EVERYTHING
                        : AuditReading.Scope.KNOWN_AGENTS);
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
                .kind(kind(query))
                .allowed(query.flag("allowed").orElse(null))
                .text(query.text("q").orElse(null))
                .between(
                        query.time("start_date").orElse(null),
                        query.time("end_date").orElse(null));
    }

    // Calls alone unless asked for, so that clients which know of nothing else see nothing else.
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

    static @Nullable AuditPosition position(Query query) {
        try {
            return query.text("page").map(AuditPosition::parse).orElse(null);
        } catch (IllegalArgumentException madeUp) {
            throw new BadRequest("The query parameter 'page' must come from the Link header of the page before.");
        }
    }

    /** The same question for the page that follows. */
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
