package dev.toolgate.server.admin.review;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.events.EventSender;
import dev.toolgate.http.json.AnswerJson;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.permission.BulkRequest;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.ToolNameFields;
import dev.toolgate.store.grant.Edit;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.PermissionSnapshots;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Route to try a draft of permission changes on recorded calls. The result is the response or, for clients that accept
 * events, the last event after progress events.
 */
public final class SimulateRoute {
    private static final int MAX_BODY_BYTES = 16 << 20;
    private static final int MAX_AT_ONCE = 2;
    private static final Duration DEFAULT_PERIOD = Duration.ofDays(30);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final JsonRecord<SimulateRequest> simulateRequest = JsonRecord.of(SimulateRequest.class);
    private final Semaphore running = new Semaphore(MAX_AT_ONCE);
    private final Simulation simulation;
    private final GrantAdministration administration;
    private final ToolCatalog catalog;
    private final InstantSource clock;

    public SimulateRoute(
            Simulation simulation, GrantAdministration administration, ToolCatalog catalog, InstantSource clock) {
        this.simulation = simulation;
        this.administration = administration;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(Route.post(
                        "/api/v1/permissions/simulate",
                        RouteAccess.needs(Right.READ_PERMISSIONS),
                        Dialect.STANDARD,
                        this::simulate)
                .withMaxBodyBytes(MAX_BODY_BYTES)
                .recorded(Recording.NOTHING_TO_RECORD));
    }

    private Response simulate(Exchange exchange) throws IOException {
        SimulateRequest request = exchange.json(simulateRequest);
        TenantId tenant = exchange.principal().tenant();
        Instant now = clock.instant();
        List<Edit> draft =
                new BulkRequest(request.changes(), null, null).edits(new ToolNameFields(catalog, tenant), now);
        int _ = FailureMapping.unknownAsConflict(() -> {
            administration.check(tenant, draft);
            return draft.size();
        });
        Simulation.Trial trial = new Simulation.Trial(
                tenant,
                draft,
                request.since() == null ? now.minus(DEFAULT_PERIOD) : request.since(),
                request.wantedExamples(),
                now);
        boolean wantsEvents = exchange.header("Accept")
                .filter(types -> types.contains("text/event-stream"))
                .isPresent();
        return wantsEvents
                ? Response.events(tenant, () -> sender -> send(sender, trial))
                : Response.json(run(trial, (_, _) -> {}));
    }

    private SimulationAnswer run(Simulation.Trial trial, Simulation.Progress progress) throws IOException {
        if (!running.tryAcquire()) {
            throw HttpFailure.rateLimited(
                    "Other simulations are running on this server; try again when they have ended.", RETRY_AFTER);
        }
        try {
            return simulation.run(trial, progress);
        } catch (PermissionSnapshots.TooMany tooMany) {
            throw HttpFailure.conflict(String.valueOf(tooMany.getMessage()));
        } finally {
            running.release();
        }
    }

    private void send(EventSender sender, Simulation.Trial trial) throws IOException {
        try {
            SimulationAnswer answer = run(
                    trial, (replayed, of) -> event(sender, SimulationStreamEventType.PROGRESS, new Step(replayed, of)));
            event(sender, SimulationStreamEventType.RESULT, answer);
        } catch (HttpFailure refused) {
            event(sender, SimulationStreamEventType.ERROR, new Problem(refused.getMessage()));
        }
    }

    private static void event(EventSender sender, SimulationStreamEventType type, Object data) throws IOException {
        sender.send(null, type, AnswerJson.MAPPER.writeValueAsString(data));
    }

    private record Step(int replayed, int of) {}

    private record Problem(@Nullable String message) {}
}
