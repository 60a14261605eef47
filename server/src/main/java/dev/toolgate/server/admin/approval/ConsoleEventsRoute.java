package dev.toolgate.server.admin.approval;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.operate.health.HealthReport;
import dev.toolgate.store.heldcall.ApprovalEvent;
import dev.toolgate.store.heldcall.ApprovalFeed;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/** One stream of everything that a page of the console shows: approvals, the version of permissions, health. */
public final class ConsoleEventsRoute {
    private static final Pattern ID = Pattern.compile("[0-9]{1,18}");

    private final ApprovalFeed feed;
    private final ToLongFunction<TenantId> version;
    private final Supplier<HealthReport> health;
    private final InstantSource clock;

    /**
     * @param version the version of a tenant's permissions
     */
    public ConsoleEventsRoute(
            ApprovalFeed feed, ToLongFunction<TenantId> version, Supplier<HealthReport> health, InstantSource clock) {
        this.feed = feed;
        this.version = version;
        this.health = health;
        this.clock = clock;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.get("/api/v1/console/events", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::events));
    }

    private Response events(Exchange exchange) {
        TenantId tenant = exchange.principal().tenant();
        Optional<Duration> missed = exchange.header("Last-Event-ID")
                .filter(id -> !id.isEmpty())
                .map(ConsoleEventsRoute::time)
                .map(last -> Duration.between(last, clock.instant()));
        Predicate<ApprovalEvent> own =
                event -> event.request().caller().tenant().equals(tenant);
        return exchange.follow(() -> {
            boolean isRepeated = missed.isPresent() && missed.get().compareTo(ApprovalFeed.MAX_MISSED) <= 0;
            return new ConsoleFeed(
                    isRepeated ? feed.resume(own, missed.get()) : feed.subscribe(own),
                    () -> version.applyAsLong(tenant),
                    health,
                    clock,
                    missed.isEmpty() || isRepeated ? ConsoleFeed.Missed.REPEATED : ConsoleFeed.Missed.LOST);
        });
    }

    private static Instant time(String id) {
        if (!ID.matcher(id).matches()) {
            throw new BadRequest("The header 'Last-Event-ID' must be the id of an event of this stream; leave it out to"
                    + " start with the current state.");
        }
        return Instant.EPOCH.plus(Long.parseLong(id), ChronoUnit.MICROS);
    }
}
