package dev.toolgate.server.dialect.access;

import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Right;
import dev.toolgate.store.audit.AuditFeed;
import dev.toolgate.store.audit.AuditRecord;
import dev.toolgate.store.audit.AuditRecordJson;
import dev.toolgate.store.audit.AuditSubscription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** New records as they are written, for whoever keeps listening. */
public final class AuditStreamRoute {
    private static final Duration ROUND = Duration.ofSeconds(60);

    private final AuditFeed feed;

    public AuditStreamRoute(AuditFeed feed) {
        this.feed = feed;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get("/api/v1/audit/stream", Access.needs(Right.READ_AUDIT), Dialect.STANDARD, this::stream)
                .withQuery(AuditRoutes.filtersAnd()));
    }

    private Response stream(Exchange exchange) {
        // Before the answer begins, so that nothing is missed by whoever has seen it begin.
        AuditSubscription begun = feed.subscribe(AuditQuestion.filter(exchange));
        return Response.events(sender -> {
            try (AuditSubscription subscription = begun) {
                while (true) {
                    Optional<AuditRecord> next = subscription.next(ROUND);
                    if (next.isPresent()) {
                        String id = next.get().link().instanceId() + "-"
                                + next.get().link().sequence();
                        sender.send(
                                id, "record", AuditRecordJson.write(next.get()).toString());
                    }
                }
            } catch (AuditSubscription.TooSlow cutOff) {
                sender.send(null, "cut", String.valueOf(cutOff.getMessage()));
            }
        });
    }
}
