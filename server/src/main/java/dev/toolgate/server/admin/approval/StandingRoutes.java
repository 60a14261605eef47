package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.StandingApproval;
import dev.toolgate.core.identity.Right;
import dev.toolgate.http.error.Dialect;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import dev.toolgate.http.routing.Route;
import dev.toolgate.http.routing.RouteAccess;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.Page;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes to list and revoke standing approvals, which apply to more than one call. */
public final class StandingRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(StandingRoutes.class);
    private static final String ALL = "/api/v1/approvals/standing";

    private final ApprovalDesk desk;
    private final Administration administration;

    public StandingRoutes(ApprovalDesk desk, Administration administration) {
        this.desk = desk;
        this.administration = administration;
    }

    /** The routes. */
    public List<Route> all() {
        return List.of(
                Route.get(ALL, RouteAccess.needs(Right.READ_PERMISSIONS), Dialect.STANDARD, this::list)
                        .withQuery("limit", "after"),
                Route.delete(
                                ALL + "/{standing_id}",
                                RouteAccess.needs(Right.ANSWER_APPROVALS),
                                Dialect.STANDARD,
                                administration.handler("standing_approvals", "revoke", this::revoke))
                        .withQuery("reason"));
    }

    private Response list(Exchange exchange) {
        Page page = Page.of(exchange);
        List<StandingApproval> found =
                desk.standing(exchange.principal().tenant(), page.after(ApprovalIds::afterId), page.limitPlusOne());
        return page.answer(ALL, found, standing -> standing.id().toString(), StandingAnswer::of);
    }

    private Response revoke(Exchange exchange, Change change) {
        UUID id = ApprovalIds.id(exchange.path("standing_id"));
        StandingApproval before = desk.standing(exchange.principal().tenant(), id)
                .orElseThrow(() -> HttpFailure.notFound("There is no standing approval with this id."));
        change.because(exchange.query().text("reason").orElse(null)).begin(StandingAnswer.of(before));
        if (!desk.revoke(exchange.principal().tenant(), id, exchange.principal().name())) {
            throw HttpFailure.notFound("There is no standing approval with this id.");
        }
        LOG.info(
                "Standing approval {} was revoked by {}",
                id,
                exchange.principal().name());
        return Response.empty();
    }

    private record StandingAnswer(
            String standingId,
            String agentId,
            String toolName,
            @Nullable String sessionId,
            String grantedBy,
            @Nullable String reason,
            Instant createdAt,
            @Nullable Instant expiresAt,
            List<ApprovalAnswer.CauseAnswer> causes) {

        static StandingAnswer of(StandingApproval standing) {
            return new StandingAnswer(
                    standing.id().toString(),
                    standing.agent().value(),
                    standing.tool(),
                    standing.session() == null ? null : standing.session().value(),
                    standing.by(),
                    standing.reason(),
                    standing.createdAt(),
                    standing.expiresAt(),
                    standing.causes().stream()
                            .map(ApprovalAnswer.CauseAnswer::of)
                            .toList());
        }
    }
}
