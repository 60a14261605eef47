package dev.toolgate.server.door.hook;

import dev.toolgate.core.audit.Permits;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.config.ExternalToolSettings;
import dev.toolgate.server.door.ActingAgent;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.OutcomeReports;
import dev.toolgate.store.mcp.PendingCalls;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Routes for the hooks of coding agents: before a tool runs they request a permit, and afterwards they report the
 * outcome. Claude Code treats every status other than 2xx as a failed hook and by default runs the tool anyway, so
 * every failure of a permit request after authentication is a 200 response that denies the call.
 */
public final class HookRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(HookRoutes.class);

    private final HookPermits hookPermits;
    private final OutcomeReports reports;
    private final Permits permits;
    private final ExternalToolSettings settings;
    private final int maxBodyBytes;

    /**
     * @param settings how long permits are valid
     * @param maxBodyBytes the maximum size of a request body
     */
    public HookRoutes(
            Gate gate,
            HttpCalls calls,
            Permits permits,
            PendingCalls pending,
            ExternalToolSettings settings,
            int maxBodyBytes) {
        this.hookPermits = new HookPermits(gate, calls, permits, pending);
        this.reports = new OutcomeReports(gate, permits);
        this.permits = permits;
        this.settings = settings;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The routes, one for each coding agent. */
    public List<Route> all() {
        return Arrays.stream(HookClient.values()).map(this::route).toList();
    }

    private Route route(HookClient client) {
        return Route.post(
                        client.path(),
                        RouteAccess.anyPrincipal(),
                        Dialect.STANDARD,
                        exchange -> answer(exchange, client.read(exchange)))
                .withMaxBodyBytes(maxBodyBytes)
                .recorded(Recording.BY_GATE);
    }

    private Response answer(Exchange exchange, HookEvent event) {
        HookCall call = event.call();
        return Response.json(
                switch (event) {
                    case HookEvent.Before _ -> decision(exchange, call);
                    case HookEvent.After after ->
                        isRecorded(exchange, call, after.outcome(), after.took()) ? nothing() : unknown(call);
                    case HookEvent.NotRun denied -> {
                        boolean _ = isRecorded(exchange, call, denied.outcome(), null); // most have no permit
                        yield nothing();
                    }
                });
    }

    private ObjectNode decision(Exchange exchange, HookCall call) {
        try {
            AgentId agent = ActingAgent.required(exchange);
            return switch (hookPermits.decide(exchange, agent, call, settings.permit())) {
                case HookPermits.Verdict.Allowed allowed ->
                    call.client().allow("Toolgate permits this call (" + allowed.request() + ").");
                case HookPermits.Verdict.Waiting waiting ->
                    call.client()
                            .deny("The call was not made, because a person must approve it first (approval "
                                    + waiting.held().question() + ", open until "
                                    + waiting.held().expiresAt() + "). "
                                    + sentence(waiting.held().reason())
                                    + " Make exactly the same call again later: once it is approved, it runs.");
                case HookPermits.Verdict.Denied denied -> denied(call, denied.why());
            };
        } catch (HttpFailure refused) {
            return denied(call, Failure.of(refused.code(), String.valueOf(refused.getMessage())));
        } catch (Unavailable unreachable) {
            LOG.warn("Hook of tool '{}': dependency unavailable: {}", call.tool(), unreachable.getMessage());
            return denied(call, Failure.of(ErrorCode.SERVICE_UNAVAILABLE, "The permission check is unavailable"));
        } catch (RuntimeException unexpected) {
            LOG.error("Hook of tool '{}' failed unexpectedly", call.tool(), unexpected);
            return denied(call, Failure.of(ErrorCode.INTERNAL_ERROR, "The permission check failed"));
        }
    }

    private static ObjectNode denied(HookCall call, Failure why) {
        return call.client()
                .deny("Toolgate denies this call. " + sentence(why.message()) + " "
                        + why.code().remediation());
    }

    private boolean isRecorded(Exchange exchange, HookCall call, Outcome outcome, @Nullable Duration took) {
        AgentId agent = ActingAgent.required(exchange);
        HttpCalls.requireActing(exchange.principal(), agent);
        return permits.open(exchange.principal().tenant(), agent, call.id()).stream()
                .filter(permit -> permit.intent().tool().equals(call.tool()))
                .anyMatch(permit ->
                        reports.report(exchange.principal(), permit.key().requestId(), agent, outcome, took)
                                instanceof OutcomeReports.Result.Recorded);
    }

    private static ObjectNode unknown(HookCall call) {
        LOG.warn("Tool '{}' ran as call '{}' without an open permit, according to its hook", call.tool(), call.id());
        return call.client()
                .warn("Toolgate has no open permit for this call of '" + call.tool() + "', so its outcome is not on"
                        + " record; check that the hook is configured to be asked before the tool runs too.");
    }

    private static ObjectNode nothing() {
        return Json.MAPPER.createObjectNode();
    }

    private static String sentence(String text) {
        return text.isEmpty() || text.endsWith(".") ? text : text + ".";
    }
}
