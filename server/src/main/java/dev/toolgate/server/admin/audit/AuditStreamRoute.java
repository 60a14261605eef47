package dev.toolgate.server.admin.audit;

import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.BadRequest;
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

/** Streams new audit records as server-sent events. */
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
        AuditFilter wanted = AuditQueryParameters.filter(exchange);
        Optional<String> last = exchange.header("Last-Event-ID").filter(id -> !id.isEmpty());
        last.ifPresent(AuditStreamRoute::requirePosition);
        return exchange.follow(() -> new Records(
                last.map(position -> feed.resume(wanted, position)).orElseGet(() -> feed.subscribe(wanted))));
    }

    private static void requirePosition(String id) {
        if (!AuditFeed.isPosition(id)) {
            throw new BadRequest("The header 'Last-Event-ID' must be the id of an event of this stream; leave it out to"
                    + " start with new records.");
        }
    }

    /** The matching records of one tenant. */
    private record Records(AuditSubscription subscription) implements LiveFeed<AuditRecord> {
        @Override
        public Optional<AuditRecord> next(Duration timeout) throws InterruptedException, SlowConsumer {
            try {
                return subscription.next(timeout);
            } catch (AuditSubscription.TooSlow missed) {
                throw new SlowConsumer(missed);
            }
        }

        @Override
        public boolean isFor(Principal reader, AuditRecord event) {
            return reader.may(Right.READ_AUDIT);
        }

        @Override
        public void send(AuditRecord event, EventSender client) throws IOException {
            client.send(
                    subscription.position(),
                    AuditStreamEventType.RECORD,
                    AuditRecordJson.write(event).toString());
        }

        @Override
        public void close() {
            subscription.close();
        }
    }
}
