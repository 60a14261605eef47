package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.gate.OutcomeReports;
import java.util.List;

/** Route to report the outcome of a call that its caller ran with a permit. */
public final class OutcomeRoutes {
    private final JsonRecord<ReportedOutcome> reportedOutcome = JsonRecord.of(ReportedOutcome.class);
    private final OutcomeReports reports;
    private final HttpCalls calls;
    private final ExecuteAnswer answers;
    private final int maxBodyBytes;

    /**
     * @param maxBodyBytes the maximum size of a request body
     */
    public OutcomeRoutes(OutcomeReports reports, HttpCalls calls, Grants grants, GrantAdvice advice, int maxBodyBytes) {
        this.reports = reports;
        this.calls = calls;
        this.answers = new ExecuteAnswer(grants, advice);
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The route. */
    public List<Route> all() {
        return List.of(Route.post(
                        "/api/v1/calls/{request_id}/outcome",
                        RouteAccess.anyPrincipal(),
                        Dialect.STANDARD,
                        this::report)
                .withSlashesIn("request_id")
                .withQuery("agent_id")
                .withMaxBodyBytes(maxBodyBytes)
                .recorded(Recording.BY_GATE));
    }

    private Response report(Exchange exchange) {
        RequestId request = FailureMapping.unknownAsConflict(() -> new RequestId(exchange.path("request_id")));
        Principal principal = exchange.principal();
        if (!OutcomeReports.mayReport(principal)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role '" + principal.role().wireName() + "' may not report the outcomes of calls.");
        }
        ReportedOutcome reported = exchange.json(reportedOutcome);
        AgentId wanted = exchange.query()
                .text("agent_id")
                .map(text -> FailureMapping.unknownAsConflict(() -> new AgentId(text)))
                .orElse(principal.agent());
        return switch (reports.report(principal, request, wanted, reported.outcome(), reported.took())) {
            case OutcomeReports.Result.Recorded recorded ->
                answers.encode(
                        Call.of(
                                Callers.of(principal, wanted, null, WorkspaceId.DEFAULT),
                                "",
                                Json.MAPPER.createObjectNode()),
                        recorded.answer());
            // A report that is retried because its response was lost gets the same response.
            case OutcomeReports.Result.ReportedBefore before ->
                calls.collect(principal, request, before.agent(), answers::encode);
            case OutcomeReports.Result.TooLate late ->
                throw HttpFailure.conflict("The permit of call '" + request + "' expired at " + late.expiredAt()
                        + " before its outcome was reported, so the call is recorded as interrupted; ask for a longer"
                        + " permit with 'expires_in' next time.");
            case OutcomeReports.Result.NoPermit _ ->
                throw HttpFailure.notFound("There is no permit for a call '" + request
                        + "'; ask for one at POST /api/v1/tools/authorize first.");
            case OutcomeReports.Result.Several _ ->
                throw HttpFailure.conflict("Several agents have a permit for a call '" + request
                        + "'; choose one with the query parameter 'agent_id'.");
        };
    }
}
