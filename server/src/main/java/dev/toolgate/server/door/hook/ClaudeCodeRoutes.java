package dev.toolgate.server.door.hook;

import dev.toolgate.core.audit.OpenPermit;
import dev.toolgate.core.audit.Permits;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.FieldNames;
import dev.toolgate.http.json.JsonRecord;
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
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Route for the HTTP hooks of Claude Code: before a tool runs it asks for a permit, and afterwards it reports the
 * outcome. Claude Code takes every status but 2xx for a failed hook, and by default runs the tool then, so whatever goes
 * wrong with a question once its sender is known is a 200 that denies.
 */
public final class ClaudeCodeRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ClaudeCodeRoutes.class);
    private static final String BEFORE = "PreToolUse";
    private static final String AFTER = "PostToolUse";
    private static final String AFTER_FAILURE = "PostToolUseFailure";

    private final JsonRecord<HookEvent> hookEvent =
            JsonRecord.of(HookEvent.class, FieldNames.SNAKE_CASE, JsonRecord.UnknownFields.IGNORED);
    private final HookPermits questions;
    private final OutcomeReports reports;
    private final Permits permits;
    private final ExternalToolSettings settings;
    private final int maxBodyBytes;

    /**
     * @param settings how long permits are valid
     * @param maxBodyBytes the maximum size of a request body
     */
    public ClaudeCodeRoutes(
            Gate gate,
            HttpCalls calls,
            Permits permits,
            PendingCalls pending,
            ExternalToolSettings settings,
            int maxBodyBytes) {
        this.questions = new HookPermits(gate, calls, permits, pending);
        this.reports = new OutcomeReports(gate, permits);
        this.permits = permits;
        this.settings = settings;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.post("/hooks/claude-code", RouteAccess.anyPrincipal(), Dialect.STANDARD, this::take)
                .withMaxBodyBytes(maxBodyBytes)
                .recorded(Recording.BY_GATE));
    }

    private Response take(Exchange exchange) {
        HookEvent event = exchange.json(hookEvent);
        return switch (event.hookEventName()) {
            case BEFORE -> Response.json(decision(exchange, event));
            case AFTER, AFTER_FAILURE -> Response.json(report(exchange, event));
            default ->
                throw new BadRequest("Field 'hook_event_name' must be '" + BEFORE + "', '" + AFTER + "' or '"
                        + AFTER_FAILURE + "'; configure this hook for no other event.");
        };
    }

    private ObjectNode decision(Exchange exchange, HookEvent event) {
        try {
            AgentId agent = ActingAgent.required(exchange);
            return switch (questions.decide(exchange, agent, event, settings.permit())) {
                case HookPermits.Verdict.Allowed allowed ->
                    decision("allow", "Toolgate permits this call (" + allowed.request() + ").");
                case HookPermits.Verdict.Waiting waiting ->
                    decision(
                            "deny",
                            "The call was not made, because a person must approve it first (approval "
                                    + waiting.held().question() + ", open until "
                                    + waiting.held().expiresAt() + "). "
                                    + sentence(waiting.held().reason())
                                    + " Make exactly the same call again later: once it is approved, it runs.");
                case HookPermits.Verdict.Denied denied -> denied(denied.why());
            };
        } catch (HttpFailure refused) {
            return denied(Failure.of(refused.code(), String.valueOf(refused.getMessage())));
        } catch (Unavailable unreachable) {
            LOG.warn("Hook of tool '{}': dependency unavailable: {}", event.tool(), unreachable.getMessage());
            return denied(Failure.of(ErrorCode.SERVICE_UNAVAILABLE, "The permission check is unavailable"));
        } catch (RuntimeException unexpected) {
            LOG.error("Hook of tool '{}' failed unexpectedly", event.tool(), unexpected);
            return denied(Failure.of(ErrorCode.INTERNAL_ERROR, "The permission check failed"));
        }
    }

    private static ObjectNode denied(Failure why) {
        return decision(
                "deny",
                "Toolgate denies this call. " + sentence(why.message()) + " "
                        + why.code().remediation());
    }

    private static ObjectNode decision(String decision, String reason) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.putObject("hookSpecificOutput")
                .put("hookEventName", BEFORE)
                .put("permissionDecision", decision)
                .put("permissionDecisionReason", reason);
        return body;
    }

    private ObjectNode report(Exchange exchange, HookEvent event) {
        AgentId agent = ActingAgent.required(exchange);
        HttpCalls.requireActing(exchange.principal(), agent);
        for (OpenPermit permit : permits.open(exchange.principal().tenant(), agent, event.toolUseId())) {
            if (permit.intent().tool().equals(event.tool())
                    && reports.report(
                                    exchange.principal(),
                                    permit.key().requestId(),
                                    agent,
                                    event.outcome(),
                                    event.took())
                            instanceof OutcomeReports.Result.Recorded) {
                return Json.MAPPER.createObjectNode();
            }
        }
        LOG.warn(
                "Agent '{}' reports that tool '{}' ran as call '{}', for which it has no open permit",
                agent,
                event.tool(),
                event.toolUseId());
        return Json.MAPPER
                .createObjectNode()
                .put(
                        "systemMessage",
                        "Toolgate has no open permit for this call of '" + event.tool() + "', so its outcome is not on"
                                + " record; check that the hook is configured for PreToolUse too.");
    }

    private static String sentence(String text) {
        return text.isEmpty() || text.endsWith(".") ? text : text + ".";
    }
}
