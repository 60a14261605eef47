package dev.toolgate.server.admin.audit;

import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.events.EventSender;
import dev.toolgate.http.events.LiveFeed;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.store.audit.query.AuditFeed;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditSubscription;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditRecordJson;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** New records as they are written, for whoever keeps listening. */
public final class AuditStreamRoute {
    private final AuditFeed feed;

    public AuditStreamRoute(AuditFeed feed) {
        this.feed = feed;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(
                Route.get("/api/v1/audit/stream", RouteAccess.needs(Right.READ_AUDIT), Dialect.STANDARD, this::stream)
                        .withQuery(AuditRoutes.filtersAnd()));
    }

    private Response stream(Exchange exchange) {
        AuditFilter wanted = AuditQuestion.filter(exchange);
        return exchange.follow(() -> new Records(feed.subscribe(wanted)));
    }

    /** The records of one tenant that match. */
    private record Records(AuditSubscription subscription) implements LiveFeed<AuditRecord> {
        @Override
        public Optional<AuditRecord> next(Duration patience) throws InterruptedException, CutOff {
            try {
                return subscription.next(patience);
            } catch (AuditSubscription.TooSlow missed) {
                throw new CutOff(missed);
            }
        }

        @Override
        public boolean isFor(Principal reader, AuditRecord event) {
            return reader.may(Right.READ_AUDIT);
        }

        @Override
        public void send(AuditRecord event, EventSender client) throws IOException {
            client.send(
                    event.link().instanceId() + "-" + event.link().sequence(),
                    "record",
                    AuditRecordJson.write(event).toString());
        }

        @Override
        public void close() {
            subscription.close();
        }
    }
}
