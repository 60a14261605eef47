package dev.toolgate.server.admin.audit;

import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.Urls;
import dev.toolgate.store.audit.rollup.ToolUsage;
import dev.toolgate.store.audit.rollup.UsageQuery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;

/** The route that reports how agents have used tools. */
public final class UsageRoutes {
    private static final String USAGE = "/api/v1/permissions/usage";
    private static final List<String> FILTERS = List.of("agent_id", "tool_name");
    private static final Duration DEFAULT_PERIOD = Duration.ofDays(90);
    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;

    private final Jdbi jdbi;
    private final InstantSource clock;

    public UsageRoutes(Jdbi jdbi, InstantSource clock) {
        this.jdbi = jdbi;
        this.clock = clock;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get(USAGE, RouteAccess.needs(Right.READ_AGENT_AUDIT), Dialect.STANDARD, this::usage)
                .withQuery("since", "agent_id", "tool_name", "limit", "page"));
    }

    private Response usage(Exchange exchange) {
        int limit = exchange.query().number("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT);
        Instant since =
                exchange.query().time("since").orElseGet(() -> clock.instant().minus(DEFAULT_PERIOD));
        UsageQuery query = new UsageQuery(
                exchange.principal().tenant(),
                AuditQueryParameters.scope(exchange),
                since.isBefore(FIRST) ? FIRST : since,
                exchange.query().text("agent_id").orElse(null),
                exchange.query().text("tool_name").orElse(null),
                exchange.query().text("page").map(UsageRoutes::place).orElse(null));
        UsageQuery.Page found = query.read(jdbi, limit + 1);
        List<ToolUsage> page = found.usage().stream().limit(limit).toList();
        boolean isLast = found.usage().size() <= limit;
        return new Response.Json(
                200,
                new UsageAnswer(query.since(), found.approximate(), page),
                isLast ? Map.of() : next(exchange, query.since(), limit, page.getLast()));
    }

    private static Map<String, String> next(Exchange exchange, Instant since, int limit, ToolUsage last) {
        Map<String, String> query = new LinkedHashMap<>();
        FILTERS.forEach(name -> exchange.query().text(name).ifPresent(value -> query.put(name, value)));
        query.put("since", since.toString());
        query.put("limit", Integer.toString(limit));
        query.put(
                "page",
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString((last.agentId() + "\n" + last.toolName()).getBytes(StandardCharsets.UTF_8)));
        return Map.of("Link", "<" + Urls.of(USAGE, query) + ">; rel=\"next\"");
    }

    private static UsageQuery.Place place(String token) {
        try {
            // PostgreSQL rejects text with a NUL character.
            String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).replace('\0', ' ');
            int end = text.indexOf('\n');
            return end < 0
                    ? new UsageQuery.Place(text, "")
                    : new UsageQuery.Place(text.substring(0, end), text.substring(end + 1));
        } catch (IllegalArgumentException malformed) {
            throw new BadRequest("The query parameter 'page' must come from the Link header of the page before.");
        }
    }

    private record UsageAnswer(Instant since, boolean approximate, List<ToolUsage> usage) {}
}
