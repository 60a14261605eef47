package dev.toolgate.server.admin.approval;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.events.EventSender;
import dev.toolgate.http.events.LiveFeed;
import dev.toolgate.server.operate.health.HealthReport;
import dev.toolgate.store.heldcall.ApprovalEvent;
import dev.toolgate.store.heldcall.ApprovalSubscription;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * The events for one page of the console: first the current state, then each change. Approvals come from a bounded
 * queue; of permissions and health only the newest state is sent, so these are never missed.
 */
final class ConsoleFeed implements LiveFeed<ConsoleEvent> {
    private static final JsonMapper RECORDS = Json.MAPPER
            .rebuild()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final ApprovalSubscription approvals;
    private final LongSupplier version;
    private final Supplier<HealthReport> health;
    private final InstantSource clock;
    private boolean resetPending;
    private @Nullable Long sentVersion;
    private @Nullable HealthReport sentHealth;

    /**
     * @param missed whether everything that was missed is repeated
     */
    ConsoleFeed(
            ApprovalSubscription approvals,
            LongSupplier version,
            Supplier<HealthReport> health,
            InstantSource clock,
            Missed missed) {
        this.approvals = approvals;
        this.version = version;
        this.health = health;
        this.clock = clock;
        this.resetPending = missed == Missed.LOST;
    }

    /** Whether the events that a client has missed are repeated. */
    enum Missed {
        REPEATED,
        LOST
    }

    @Override
    public Optional<ConsoleEvent> next(Duration timeout) throws InterruptedException, SlowConsumer {
        long end = System.nanoTime() + timeout.toNanos();
        if (resetPending) {
            resetPending = false;
            return Optional.of(new ConsoleEvent.Reset());
        }
        while (true) {
            Optional<ConsoleEvent> changed = changedState();
            if (changed.isPresent()) {
                return changed;
            }
            long left = end - System.nanoTime();
            Optional<ApprovalEvent> event = approval(Duration.ofNanos(Math.clamp(left, 0, POLL_INTERVAL.toNanos())));
            if (event.isPresent() || left <= 0) {
                return event.map(ConsoleEvent.Approval::new);
            }
        }
    }

    private Optional<ApprovalEvent> approval(Duration timeout) throws InterruptedException, SlowConsumer {
        try {
            return approvals.next(timeout);
        } catch (ApprovalSubscription.TooSlow missed) {
            throw new SlowConsumer(missed);
        }
    }

    private Optional<ConsoleEvent> changedState() {
        OptionalLong current = currentVersion();
        if (current.isPresent() && (sentVersion == null || sentVersion != current.getAsLong())) {
            sentVersion = current.getAsLong();
            return Optional.of(new ConsoleEvent.Permissions(sentVersion));
        }
        HealthReport report = health.get();
        if (sentHealth == null || !sentHealth.checks().equals(report.checks())) {
            sentHealth = report;
            return Optional.of(new ConsoleEvent.ServerState(report));
        }
        return Optional.empty();
    }

    // While the database is unavailable, the health event says so.
    private OptionalLong currentVersion() {
        try {
            return OptionalLong.of(version.getAsLong());
        } catch (Unavailable unknown) {
            return OptionalLong.empty();
        }
    }

    @Override
    public boolean isFor(Principal reader, ConsoleEvent event) {
        return event.isFor(reader);
    }

    @Override
    public void send(ConsoleEvent event, EventSender client) throws IOException {
        Instant now = clock.instant();
        String id = Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, now));
        switch (event) {
            case ConsoleEvent.Approval approval ->
                client.send(
                        id,
                        ConsoleStreamEventType.of(approval.event().kind()),
                        RECORDS.writeValueAsString(
                                ApprovalAnswer.of(approval.event().request())));
            case ConsoleEvent.Permissions permissions ->
                client.send(
                        id,
                        ConsoleStreamEventType.PERMISSIONS,
                        Json.MAPPER
                                .createObjectNode()
                                .put("version", permissions.version())
                                .toString());
            case ConsoleEvent.ServerState state ->
                client.send(
                        id,
                        ConsoleStreamEventType.HEALTH,
                        state.report().json(now).toString());
            case ConsoleEvent.Reset reset -> client.send(id, ConsoleStreamEventType.RESET, "{}");
        }
    }

    @Override
    public void close() {
        approvals.close();
    }
}
