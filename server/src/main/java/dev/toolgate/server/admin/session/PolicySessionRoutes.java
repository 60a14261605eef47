package dev.toolgate.server.admin.session;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.json.JsonRecord;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.runtime.tools.file.SessionChanges;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.Authors;
import dev.toolgate.server.door.FailureMapping;
import dev.toolgate.server.door.Page;
import dev.toolgate.server.door.PathIds;
import dev.toolgate.server.door.Urls;
import dev.toolgate.store.session.SessionFilter;
import dev.toolgate.store.session.Sessions;
import dev.toolgate.store.session.StoredSession;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Routes to administer policy sessions. Agents cannot start sessions, because a bundle written by the agent itself
 * would limit nothing; they see and end their own. Users see those of the agents they chat as.
 */
public final class PolicySessionRoutes {
    private static final String ALL = "/api/v1/sessions";
    private static final String SESSIONS = "sessions";
    private static final String ONE = ALL + "/{session_id}";
    private static final String CHANGES = ONE + "/changes";

    private final JsonRecord<WantedSession> wantedSession = JsonRecord.of(WantedSession.class);
    private final Sessions sessions;
    private final Administration administration;
    private final InstantSource clock;
    private final ChangeSource changes;
    private final Redactor redactor;

    /** Finds what a session has changed in its tenant's workspace. */
    @FunctionalInterface
    public interface ChangeSource {
        SessionChanges of(TenantId tenant, SessionId session) throws InterruptedException;
    }

    public PolicySessionRoutes(
            Sessions sessions,
            Administration administration,
            InstantSource clock,
            ChangeSource changes,
            Redactor redactor) {
        this.changes = changes;
        this.redactor = redactor;
        this.sessions = sessions;
        this.administration = administration;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::list)
                        .withQuery("agent_id", "status", "order", "limit", "after"),
                Route.post(
                                ALL,
                                RouteAccess.needs(Right.MANAGE_SESSIONS),
                                Dialect.STANDARD,
                                administration.handler(SESSIONS, "create", this::create))
                        .withQuery(Authors.REASON),
                Route.get(ONE, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::show)
                        .withSlashesIn("session_id"),
                Route.get(CHANGES, RouteAccess.anyPrincipal(), Dialect.STANDARD, this::changes)
                        .withSlashesIn("session_id"),
                Route.delete(
                                ONE,
                                RouteAccess.anyPrincipal(),
                                Dialect.STANDARD,
                                administration.handler(SESSIONS, "end", this::end))
                        .withSlashesIn("session_id")
                        .withQuery(Authors.REASON));
    }

    private Response list(Exchange exchange) {
        Principal principal = exchange.principal();
        Page page = Page.of(exchange);
        Instant now = clock.instant();
        SessionFilter filter = SessionQueryParameters.filter(exchange, now);
        Map<String, String> filters = new LinkedHashMap<>();
        SessionQueryParameters.FILTERS.forEach(
                name -> exchange.query().text(name).ifPresent(value -> filters.put(name, value)));
        return page.answer(
                ALL,
                sessions.list(
                        principal.tenant(),
                        filter,
                        page.after(token -> SessionQueryParameters.place(filter.order(), token)),
                        page.limitPlusOne()),
                kept -> SessionQueryParameters.token(filter.order(), kept),
                kept -> PolicySessionAnswer.of(kept, now),
                filters);
    }

    private Response create(Exchange exchange, Change change) {
        WantedSession wanted = exchange.json(wantedSession);
        Principal principal = exchange.principal();
        Instant now = clock.instant();
        PolicyBundle bundle = bundle(wanted.policyBundle());
        bundle.refusal(principal.tenant(), now).ifPresent(failure -> {
            throw refusal(bundle, failure);
        });
        change.about("session_id", bundle.sessionId().value())
                .because(Authors.of(exchange).reason())
                .begin(null);
        StoredSession made = FailureMapping.unknownAsConflict(
                        () -> sessions.create(bundle, wanted.agentId(), wanted.workspaceId(), principal.name()))
                .orElseThrow(() -> HttpFailure.conflict(
                        "There is or was a session '" + bundle.sessionId() + "' already; choose a new id."));
        ObjectNode answer = PolicySessionAnswer.of(made, now);
        change.changedTo(answer);
        return new Response.Json(
                201, answer, Map.of("Location", Urls.of(ALL, bundle.sessionId().value())));
    }

    private Response show(Exchange exchange) {
        return Response.json(PolicySessionAnswer.of(visible(exchange), clock.instant()));
    }

    private Response changes(Exchange exchange) {
        StoredSession session = visible(exchange);
        try {
            return Response.json(SessionChangesAnswer.of(
                    session.session().bundle().sessionId(),
                    changes.of(
                            exchange.principal().tenant(),
                            session.session().bundle().sessionId()),
                    redactor.of(exchange.principal().tenant())));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw HttpFailure.of(ErrorCode.SERVICE_UNAVAILABLE, "The server is stopping; try again later.");
        }
    }

    private Response end(Exchange exchange, Change change) {
        Principal principal = exchange.principal();
        if (principal.agent() == null && !principal.may(Right.MANAGE_SESSIONS)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName()
                            + " may not end sessions; use a key whose role has the right manage_sessions.");
        }
        StoredSession before = visible(exchange);
        SessionId session = before.session().bundle().sessionId();
        change.because(Authors.of(exchange).reason()).begin(PolicySessionAnswer.of(before, clock.instant()));
        if (!sessions.end(principal.tenant(), session)) {
            throw HttpFailure.notFound("The session '" + session + "' has ended already.");
        }
        sessions.find(principal.tenant(), session)
                .ifPresent(ended -> change.changedTo(PolicySessionAnswer.of(ended, clock.instant())));
        return Response.empty();
    }

    /** The session in the path; for a principal bound to agents, sessions of other agents are not found. */
    private StoredSession visible(Exchange exchange) {
        Principal principal = exchange.principal();
        SessionId id = PathIds.session(exchange.path("session_id"));
        return sessions.find(principal.tenant(), id)
                .filter(kept -> principal
                        .boundTo()
                        .map(agents -> agents.contains(kept.session().agent()))
                        .orElse(true))
                .orElseThrow(() -> HttpFailure.notFound("There is no session '" + id + "'."));
    }

    private static PolicyBundle bundle(ObjectNode json) {
        try {
            return PolicyBundleJson.read(json.toString());
        } catch (IllegalArgumentException wrong) {
            throw HttpFailure.of(ErrorCode.POLICY_BUNDLE_INVALID, String.valueOf(wrong.getMessage()));
        }
    }

    /** A well-formed bundle of another tenant is a conflict (409), not a malformed request. */
    private static HttpFailure refusal(PolicyBundle bundle, Failure failure) {
        boolean ofAnotherTenant = failure.code() == ErrorCode.POLICY_BUNDLE_INVALID
                && bundle.schemaVersion().equals(PolicyBundle.SCHEMA_VERSION);
        return new HttpFailure(ofAnotherTenant ? 409 : failure.code().httpStatus(), failure.code(), failure.message());
    }

    private record WantedSession(AgentId agentId, @Nullable WorkspaceId workspaceId, ObjectNode policyBundle) {}
}
