package dev.toolgate.server.admin.approval;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.events.EventSender;
import dev.toolgate.http.events.LiveFeed;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.store.heldcall.ApprovalEvent;
import dev.toolgate.store.heldcall.ApprovalFeed;
import dev.toolgate.store.heldcall.ApprovalSubscription;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Streams approval requests and their answers as server-sent events. */
public final class ApprovalStreamRoute {
    private static final JsonMapper RECORDS = Json.MAPPER
            .rebuild()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private final ApprovalFeed feed;

    public ApprovalStreamRoute(ApprovalFeed feed) {
        this.feed = feed;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(
                Route.get("/api/v1/approvals/stream", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::stream));
    }

    private Response stream(Exchange exchange) {
        TenantId tenant = exchange.principal().tenant();
        return exchange.follow(() -> new Events(
                feed.subscribe(event -> event.request().caller().tenant().equals(tenant))));
    }

    /** The approval events of one tenant. */
    private record Events(ApprovalSubscription subscription) implements LiveFeed<ApprovalEvent> {
        @Override
        public Optional<ApprovalEvent> next(Duration timeout) throws InterruptedException, SlowConsumer {
            try {
                return subscription.next(timeout);
            } catch (ApprovalSubscription.TooSlow missed) {
                throw new SlowConsumer(missed);
            }
        }

        @Override
        public boolean isFor(Principal reader, ApprovalEvent event) {
            return ApprovalVisibility.maySee(reader, event.request());
        }

        @Override
        public void send(ApprovalEvent event, EventSender client) throws IOException {
            ApprovalStreamEventType type = ApprovalStreamEventType.of(event.kind());
            client.send(
                    event.request().id() + "-" + type.wireName(),
                    type,
                    RECORDS.writeValueAsString(ApprovalAnswer.of(event.request())));
        }

        @Override
        public void close() {
            subscription.close();
        }
    }
}
