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
import dev.toolgate.server.door.Refusals;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Takes the answers of people, whichever door they came in by. */
public final class Answering {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    private final ApprovalDesk desk;
    private final Administration administration;

    public Answering(ApprovalDesk desk, Administration administration) {
        this.desk = desk;
        this.administration = administration;
    }

    /**
     * Turns those away who answer nothing, before the question is looked at.
     *
     * @throws HttpFailure if their role does not approve calls
     */
    public static void requireAnswerer(Principal principal) {
        if (!principal.may(Right.ANSWER_APPROVALS) && !principal.may(Right.ANSWER_OWN_QUESTIONS)) {
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName()
                            + " does not approve calls; the question stays open for an operator or admin.");
        }
    }

    /**
     * Answers a question, if this principal may: with the right to answer all of the tenant, or that to answer those of
     * their own conversations; on record when this returns.
     *
     * @param correlationId of the request that brought the answer
     * @throws HttpFailure if the answer does not count
     */
    public ApprovalRequest answer(Principal principal, String correlationId, UUID id, ApprovalDesk.Say say) {
        Change change = administration.change(principal, correlationId, "approvals", "answer");
        return change.recorded(() -> answer(principal, id, say, change));
    }

    private ApprovalRequest answer(Principal principal, UUID id, ApprovalDesk.Say say, Change change) {
        requireAnswerer(principal);
        ApprovalRequest request = desk.find(principal.tenant(), id)
                .filter(found -> Readers.maySee(principal, found))
                .orElseThrow(Questions::none);
        if (!principal.may(Right.ANSWER_APPROVALS) && say.scope() != ApprovalDesk.Scope.ONCE) {
            // A yes for a session or an agent would count in conversations of others.
            throw HttpFailure.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The role " + principal.role().wireName()
                            + " answers for one call at a time; leave out the scope, or give 'once'.");
        }
        if (request.caller().agent().equals(principal.agent())) {
            throw HttpFailure.of(ErrorCode.PERMISSION_DENIED, "Nobody answers for a call of their own.");
        }
        change.about("approval_id", id.toString())
                .about("request_id", request.requestId().value())
                .about("agent_id", request.caller().agent().value())
                .about("tool_name", request.tool())
                .because(say.reason())
                .begins(RecordedAnswer.of(request));
        ApprovalDesk.Ruling ruling = Refusals.ofBody(() -> desk.answer(principal.tenant(), id, say));
        return switch (ruling) {
            case ApprovalDesk.Ruling.Counted counted -> {
                LOG.info(
                        "Call {} of agent {} was {} by {}",
                        request.requestId(),
                        request.caller().agent(),
                        counted.request().state().wireName(),
                        principal.name());
                change.became(RecordedAnswer.of(counted.request()));
                yield counted.request();
            }
            case ApprovalDesk.Ruling.OneOfSeveral noted -> {
                LOG.info(
                        "Call {} of agent {} has {} of {} approvals, the last one by {}",
                        request.requestId(),
                        request.caller().agent(),
                        noted.request().yeses().size(),
                        noted.request().terms().approvers(),
                        principal.name());
                change.became(RecordedAnswer.of(noted.request()));
                yield noted.request();
            }
            case ApprovalDesk.Ruling.OwnCall own ->
                throw HttpFailure.of(
                        ErrorCode.PERMISSION_DENIED,
                        "Whoever made a call may not approve it here (approvals.four_eyes); somebody else has to.");
            case ApprovalDesk.Ruling.SaidBefore before -> throw saidBefore(before.request());
            case ApprovalDesk.Ruling.TooLate late -> throw tooLate(late.request());
            case ApprovalDesk.Ruling.Unknown unknown -> throw Questions.none();
        };
    }

    /** What the record says of a question; what it is about is on the record of the call. */
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
                "This answer does not count, because you have said yes already, and somebody else must say it too.",
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
                "This answer does not count, because the question " + how + " already.",
                Map.of(),
                details);
    }
}
