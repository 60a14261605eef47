package dev.toolgate.server.admin.review;

import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Route to proposed changes that remove unused permissions. */
public final class ProposalRoute {
    private static final int MAX_DAYS = 365;
    private static final int DEFAULT_DAYS = 90;
    private static final int MAX_AT_ONCE = 2;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Semaphore running = new Semaphore(MAX_AT_ONCE);
    private final Proposals proposals;
    private final InstantSource clock;

    public ProposalRoute(Proposals proposals, InstantSource clock) {
        this.proposals = proposals;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(Route.get(
                        "/api/v1/permissions/proposals",
                        RouteAccess.needs(Right.READ_PERMISSIONS),
                        Dialect.STANDARD,
                        this::propose)
                .withQuery("days"));
    }

    private Response propose(Exchange exchange) {
        int days = exchange.query().number("days", 1, MAX_DAYS).orElse(DEFAULT_DAYS);
        if (!running.tryAcquire()) {
            throw HttpFailure.rateLimited(
                    "Other proposals are being made on this server; try again when they are finished.", RETRY_AFTER);
        }
        try {
            return Response.json(proposals.of(exchange.principal().tenant(), days, clock.instant()));
        } finally {
            running.release();
        }
    }
}
