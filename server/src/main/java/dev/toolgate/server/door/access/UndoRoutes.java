package dev.toolgate.server.door.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.decision.GrantAdvice;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Recording;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.door.HttpCalls;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.server.gate.Submitted;
import dev.toolgate.server.undo.RecordedChanges;
import dev.toolgate.server.undo.UndoCall;
import dev.toolgate.server.undo.UndoPreview;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.query.AuditReadOptions;
import dev.toolgate.store.audit.record.AuditRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Routes to undo the change of an audit record, and to preview the undo. */
public final class UndoRoutes {
    private static final String PATH = "/api/v1/audit/logs/{record_id}/undo";

    private final JsonRecord<UndoRequest> undoRequest = JsonRecord.of(UndoRequest.class);
    private final AuditQueries records;
    private final RecordedChanges changes;
    private final UndoCall undoing;
    private final UndoPreview previews;
    private final HttpCalls calls;
    private final ExecuteAnswer answers;

    public UndoRoutes(
            AuditQueries records,
            RecordedChanges changes,
            UndoCall undoing,
            UndoPreview previews,
            HttpCalls calls,
            Grants grants,
            GrantAdvice advice) {
        this.records = records;
        this.changes = changes;
        this.undoing = undoing;
        this.previews = previews;
        this.calls = calls;
        this.answers = new ExecuteAnswer(grants, advice);
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(PATH, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::preview),
                Route.post(PATH, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::undo)
                        .recorded(Recording.BY_GATE));
    }

    private Response preview(Exchange exchange) {
        Principal principal = exchange.principal();
        AuditRecord record = visible(exchange);
        AgentId agent = new AgentId(record.call().agentId());
        Callers.objection(principal, agent, CallRequest.Acting.UNDOING).ifPresent(why -> {
            throw HttpFailure.of(why.code(), why.message());
        });
        return Response.json(
                switch (changes.of(record)) {
                    case RecordedChanges.Undoable change -> previews.of(principal, record, change);
                    case RecordedChanges.NotUndoable(String reason) ->
                        Json.MAPPER
                                .createObjectNode()
                                .put("record_id", record.id())
                                .put("undoable", false)
                                .put("reason", reason);
                });
    }

    private Response undo(Exchange exchange) {
        UndoRequest body = exchange.json(undoRequest);
        AuditRecord record = visible(exchange);
        return switch (changes.of(record)) {
            case RecordedChanges.Undoable change -> submit(exchange, record, change, body);
            case RecordedChanges.NotUndoable(String reason) -> throw HttpFailure.conflict(reason);
        };
    }

    private Response submit(Exchange exchange, AuditRecord record, RecordedChanges.Undoable change, UndoRequest body) {
        Caller caller = undoing.caller(exchange.principal(), record);
        CallRequest request =
                undoing.request(caller, record, change, body.reason()).named(body.requestId());
        return switch (calls.submit(exchange, request)) {
            case Submitted.Taken taken ->
                taken.answer() instanceof Answer.Ended(RequestId id, Outcome.Failed failed)
                        ? failed(exchange.principal(), record, change, id, failed.failure())
                        : answers.encode(taken.call(), taken.answer());
            case Impersonation attempt ->
                throw attempt.answer().logged()
                        ? HttpFailure.of(attempt.why().code(), attempt.why().message())
                        : HttpFailure.unavailable("The attempt could not be recorded");
        };
    }

    // Unlike a failed call of an agent, a failed undo is reported as an HTTP error.
    private Response failed(
            Principal principal,
            AuditRecord record,
            RecordedChanges.Undoable change,
            RequestId request,
            Failure failure) {
        ObjectNode details = Json.MAPPER.createObjectNode();
        details.put("request_id", request.value());
        if (failure.code() == ErrorCode.CHANGED_SINCE) {
            previews.differences(details, principal, record, change);
        }
        throw new HttpFailure(failure.code().httpStatus(), failure.code(), failure.message() + ".", Map.of(), details);
    }

    // An agent gets the same error for records of other agents as for unknown ones.
    private AuditRecord visible(Exchange exchange) {
        Principal principal = exchange.principal();
        boolean reader = principal.may(Right.READ_AGENT_AUDIT);
        AuditReadOptions.Scope scope = !reader || principal.may(Right.READ_AUDIT)
                ? AuditReadOptions.Scope.EVERYTHING
                : AuditReadOptions.Scope.KNOWN_AGENTS;
        return id(exchange.path("record_id"))
                .flatMap(id -> records.find(principal.tenant(), scope, id))
                .filter(found ->
                        reader || principal.mayActAs(new AgentId(found.call().agentId())))
                .orElseThrow(() -> HttpFailure.notFound(
                        "There is no audit record with this id that you may see; list them with /api/v1/audit/logs."));
    }

    private static Optional<Long> id(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
    }
}
