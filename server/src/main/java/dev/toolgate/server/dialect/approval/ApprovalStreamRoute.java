package dev.toolgate.server.dialect.approval;

import dev.toolgate.core.schema.Json;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.store.approval.ApprovalEvent;
import dev.toolgate.store.approval.ApprovalFeed;
import dev.toolgate.store.approval.ApprovalSubscription;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** What is asked and answered, as it happens, for whoever keeps listening. */
public final class ApprovalStreamRoute {
    private static final Duration ROUND = Duration.ofSeconds(60);
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
        return List.of(Route.get("/api/v1/approvals/stream", Access.anyPrincipal(), Dialect.STANDARD, this::stream));
    }

    private Response stream(Exchange exchange) {
        Principal principal = exchange.principal();
        // Before the answer begins, so that nothing is missed by whoever has seen it begin.
        ApprovalSubscription begun =
                feed.subscribe(event -> event.request().caller().tenant().equals(principal.tenant())
                        && Readers.maySee(principal, event.request()));
        return Response.events(sender -> {
            try (ApprovalSubscription subscription = begun) {
                while (true) {
                    Optional<ApprovalEvent> next = subscription.next(ROUND);
                    if (next.isPresent()) {
                        String kind = next.get().kind().name().toLowerCase(Locale.ROOT);
                        sender.send(
                                next.get().request().id() + "-" + kind,
                                kind,
                                RECORDS.writeValueAsString(
                                        ApprovalAnswer.of(next.get().request())));
                    }
                }
            } catch (ApprovalSubscription.TooSlow cutOff) {
                sender.send(null, "cut", String.valueOf(cutOff.getMessage()));
            }
        });
    }
}
