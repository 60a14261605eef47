package dev.toolgate.server.admin.approval;

import dev.toolgate.core.approval.ApprovalDesk;
import dev.toolgate.core.approval.ApprovalRequest;
import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.server.admin.Administration;
import dev.toolgate.server.admin.Change;
import dev.toolgate.server.door.FailureMapping;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Takes people's answers to approval requests, from HTTP and from chats. */
public final class ApprovalAnswerHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ApprovalAnswerHandler.class);

    private final ApprovalDesk desk;
    private final Administration administration;

    public ApprovalAnswerHandler(ApprovalDesk desk, Administration administration) {
        this.desk = desk;
        this.administration = administration;
    }

    /**
     * Refuses roles that never answer approval requests, before the request is looked up.
     *
     * @throws HttpFailure if the role may not answer
     */
    public static void requireAnswerer(Principal principal) {
        if (!principal.may(Right.ANSWER_APPROVALS) && !principal.may(Right.ANSWER_OWN_QUESTIONS)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName()
                            + " may not approve calls; the approval request stays open for an operator or admin.");
        }
    }

    /**
     * Answers an approval request, if the principal may: any of the tenant, or only those of the principal's own
     * conversations. Recorded when this returns.
     *
     * @param correlationId of the HTTP request or socket that carried the answer
     * @throws HttpFailure if the answer is not accepted
     */
    public ApprovalRequest answer(Principal principal, String correlationId, UUID id, ApprovalDesk.Vote vote) {
        Change change = administration.change(principal, correlationId, "approvals", "answer");
        return change.recorded(() -> answer(principal, id, vote, change));
    }

    private ApprovalRequest answer(Principal principal, UUID id, ApprovalDesk.Vote vote, Change change) {
        requireAnswerer(principal);
        ApprovalRequest request = desk.find(principal.tenant(), id)
                .filter(found -> ApprovalVisibility.maySee(principal, found))
                .orElseThrow(ApprovalIds::none);
        if (!principal.may(Right.ANSWER_APPROVALS) && vote.scope() != ApprovalDesk.Scope.ONCE) {
            // An approval for a session or an agent would also apply to other people's conversations.
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName()
                            + " may approve one call at a time only; leave out the scope, or send 'once'.");
        }
        if (request.caller().agent().equals(principal.agent())) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED, "An agent may not answer an approval request for its own call.");
        }
        change.about("approval_id", id.toString())
                .about("request_id", request.requestId().value())
                .about("agent_id", request.caller().agent().value())
                .about("tool_name", request.tool())
                .because(vote.reason())
                .begin(RecordedAnswer.of(request));
        ApprovalDesk.VoteResult result =
                FailureMapping.unknownAsConflict(() -> desk.answer(principal.tenant(), id, vote));
        return switch (result) {
            case ApprovalDesk.VoteResult.Decided counted -> {
                LOG.info(
                        "Call {} of agent {} was {} by {}",
                        request.requestId(),
                        request.caller().agent(),
                        counted.request().state().wireName(),
                        principal.name());
                change.changedTo(RecordedAnswer.of(counted.request()));
                yield counted.request();
            }
            case ApprovalDesk.VoteResult.MoreVotesNeeded noted -> {
                LOG.info(
                        "Call {} of agent {} has {} of {} approvals, the last one by {}",
                        request.requestId(),
                        request.caller().agent(),
                        noted.request().yeses().size(),
                        noted.request().terms().approvers(),
                        principal.name());
                change.changedTo(RecordedAnswer.of(noted.request()));
                yield noted.request();
            }
            case ApprovalDesk.VoteResult.OwnCall own ->
                throw HttpFailure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "The caller may not approve its own call (approvals.four_eyes); another person has to.");
            case ApprovalDesk.VoteResult.AlreadyVoted before -> throw saidBefore(before.request());
            case ApprovalDesk.VoteResult.TooLate late -> throw tooLate(late.request());
            case ApprovalDesk.VoteResult.Unknown unknown -> throw ApprovalIds.none();
        };
    }

    /** The state of an approval request as recorded; the call itself has its own audit record. */
    private record RecordedAnswer(
            String state,
            int approvals,
            @Nullable String scope,
            @Nullable String answeredBy) {
        static RecordedAnswer of(ApprovalRequest request) {
            Approvals.Answer answer = request.answer();
            return new RecordedAnswer(
                    request.state().wireName(),
                    request.yeses().size(),
                    request.scope() == null ? null : request.scope().wireName(),
                    answer == null ? null : answer.by());
        }
    }

    private static HttpFailure saidBefore(ApprovalRequest request) {
        ObjectNode details = Json.MAPPER.createObjectNode();
        details.put("state", request.state().wireName());
        details.put("approvals_given", request.yeses().size());
        details.put("approvals_needed", request.terms().approvers());
        return new HttpFailure(
                409,
                ErrorCode.INVALID_REQUEST,
                "You have approved this call already; it also needs the approval of another person.",
                Map.of(),
                details);
    }

    private static HttpFailure tooLate(ApprovalRequest request) {
        Approvals.Answer answer = request.answer();
        ObjectNode details = Json.MAPPER.createObjectNode();
        details.put("state", request.state().wireName());
        details.put("answered_by", answer == null ? null : answer.by());
        details.put(
                "answered_at",
                answer == null || answer.at() == null ? null : answer.at().toString());
        String how =
                switch (request.state()) {
                    case PENDING, TIMED_OUT -> "timed out at " + request.expiresAt();
                    case WITHDRAWN -> "was withdrawn by its caller";
                    case APPROVED, DENIED ->
                        "was " + request.state().wireName() + " by " + (answer == null ? "somebody" : answer.by());
                };
        return new HttpFailure(
                409,
                ErrorCode.INVALID_REQUEST,
                "This answer was not accepted, because the approval request " + how + " already.",
                Map.of(),
                details);
    }
}
