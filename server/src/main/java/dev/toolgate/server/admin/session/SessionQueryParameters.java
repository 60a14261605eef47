package dev.toolgate.server.admin.session;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.store.session.SessionFilter;
import dev.toolgate.store.session.StoredSession;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the filters, the order and the page of a list of sessions from a request. */
final class SessionQueryParameters {
    static final List<String> FILTERS = List.of("agent_id", "status", "order");

    private SessionQueryParameters() {}

    /** The requested filter, limited to the agents the principal is bound to, if any. */
    static SessionFilter filter(Exchange exchange, Instant now) {
        return new SessionFilter(agents(exchange), status(exchange), now, order(exchange));
    }

    // A principal bound to agents never sees sessions of other agents.
    private static @Nullable Set<AgentId> agents(Exchange exchange) {
        Principal principal = exchange.principal();
        Set<AgentId> own = principal.boundTo().orElse(null);
        AgentId wanted = exchange.query().text("agent_id").map(PathIds::agent).orElse(null);
        if (wanted == null) {
            return own;
        }
        return own == null || own.contains(wanted) ? Set.of(wanted) : Set.of();
    }

    private static SessionFilter.@Nullable Status status(Exchange exchange) {
        return exchange.query()
                .text("status")
                .map(wanted -> switch (wanted) {
                    case "active" -> SessionFilter.Status.ACTIVE;
                    case "expired" -> SessionFilter.Status.EXPIRED;
                    case "ended" -> SessionFilter.Status.ENDED;
                    default -> throw new BadRequest("The query parameter 'status' must be active, expired or ended.");
                })
                .orElse(null);
    }

    private static SessionFilter.Order order(Exchange exchange) {
        return switch (exchange.query().text("order").orElse("id")) {
            case "id" -> SessionFilter.Order.BY_ID;
            case "newest" -> SessionFilter.Order.NEWEST_FIRST;
            default -> throw new BadRequest("The query parameter 'order' must be id or newest.");
        };
    }

    /** The cursor after a session, as {@link #place} reads it. */
    static String token(SessionFilter.Order order, StoredSession last) {
        String id = last.session().bundle().sessionId().value();
        return switch (order) {
            case BY_ID -> id;
            case NEWEST_FIRST -> ChronoUnit.MICROS.between(Instant.EPOCH, last.createdAt()) + "-" + id;
        };
    }

    static SessionFilter.Place place(SessionFilter.Order order, String token) {
        return switch (order) {
            case BY_ID -> new SessionFilter.Place(Instant.EPOCH, PathIds.session(token));
            case NEWEST_FIRST -> {
                int dash = token.indexOf('-');
                try {
                    long micros = Long.parseLong(token.substring(0, Math.max(dash, 0)));
                    yield new SessionFilter.Place(
                            Instant.EPOCH.plus(Math.clamp(micros, 0, 1L << 52), ChronoUnit.MICROS),
                            PathIds.session(token.substring(dash + 1)));
                } catch (NumberFormatException | DateTimeException malformed) {
                    throw HttpFailure.conflict(
                            "The query parameter 'after' must come from the Link header of a page in the same order.");
                }
            }
        };
    }
}
