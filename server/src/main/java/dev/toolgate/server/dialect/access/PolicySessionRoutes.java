package dev.toolgate.server.dialect.access;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import dev.toolgate.server.http.Access;
import dev.toolgate.server.http.Dialect;
import dev.toolgate.server.http.Exchange;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.http.JsonRecord;
import dev.toolgate.server.http.Response;
import dev.toolgate.server.http.Route;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.identity.Right;
import dev.toolgate.store.policy.KeptSession;
import dev.toolgate.store.policy.Sessions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sessions and the policy bundles that bind them. Agents start none: a bundle is what others set an agent as limits,
 * and one that it wrote itself would limit nothing. They see their own and may end them; users see those of the agents
 * they chat as.
 */
public final class PolicySessionRoutes {
    private static final String ALL = "/api/v1/sessions";
    private static final String ONE = ALL + "/{session_id}";

    private final JsonRecord<WantedSession> wantedSession = JsonRecord.of(WantedSession.class);
    private final Sessions sessions;
    private final InstantSource clock;

    public PolicySessionRoutes(Sessions sessions, InstantSource clock) {
        this.sessions = sessions;
        this.clock = clock;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, Access.anyPrincipal(), Dialect.STANDARD, this::list)
                        .withQuery("limit", "after"),
                Route.post(ALL, Access.needs(Right.MANAGE_SESSIONS), Dialect.STANDARD, this::create),
                Route.get(ONE, Access.anyPrincipal(), Dialect.STANDARD, this::show)
                        .withSlashesIn("session_id"),
                Route.delete(ONE, Access.anyPrincipal(), Dialect.STANDARD, this::end)
                        .withSlashesIn("session_id"));
    }

    private Response list(Exchange exchange) {
        Principal principal = exchange.principal();
        Page page = Page.of(exchange);
        Instant now = clock.instant();
        return page.answer(
                ALL,
                sessions.list(principal.tenant(), principal.boundTo().orElse(null), page.after(Ids::session), page.andOneMore()),
                kept -> kept.session().bundle().sessionId().value(),
                kept -> PolicySessionAnswer.of(kept, now));
    }

    private Response create(Exchange exchange) {
        WantedSession wanted = exchange.json(wantedSession);
        Principal principal = exchange.principal();
        Instant now = clock.instant();
        PolicyBundle bundle = bundle(wanted.policyBundle());
        bundle.refusal(principal.tenant(), now).ifPresent(PolicySessionRoutes::refuse);
        KeptSession made = Refusals.ofBody(
                        () -> sessions.create(bundle, wanted.agentId(), wanted.workspaceId(), principal.name()))
                .orElseThrow(() -> HttpFailure.conflict("There is or was a session '" + bundle.sessionId()
                        + "' already; a new session needs an id of its own."));
        return new Response.Json(
                201,
                PolicySessionAnswer.of(made, now),
                Map.of("Location", Addresses.of(ALL, bundle.sessionId().value())));
    }

    private Response show(Exchange exchange) {
        return Response.json(PolicySessionAnswer.of(visible(exchange), clock.instant()));
    }

    private Response end(Exchange exchange) {
        Principal principal = exchange.principal();
        if (principal.agent() == null && !principal.may(Right.MANAGE_SESSIONS)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName() + " lacks the right manage_sessions, which this needs.");
        }
        SessionId session = visible(exchange).session().bundle().sessionId();
        if (!sessions.end(principal.tenant(), session)) {
            throw HttpFailure.notFound("The session '" + session + "' has been ended already.");
        }
        return Response.empty();
    }

    /** The session of the path; to those bound to agents the sessions of others are not there. */
    private KeptSession visible(Exchange exchange) {
        Principal principal = exchange.principal();
        SessionId id = Ids.session(exchange.path("session_id"));
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

    private static void refuse(Failure failure) {
        throw HttpFailure.of(failure.code(), failure.message());
    }

    private record WantedSession(AgentId agentId, @Nullable WorkspaceId workspaceId, ObjectNode policyBundle) {}
}
