package dev.toolgate.server.dialect.approval;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.core.port.ApprovalRequest;
import dev.toolgate.core.port.Approvals;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.dialect.access.Refusals;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.identity.Principal;
import dev.toolgate.server.identity.Right;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** Takes the answers of people, whichever door they came in by. */
public final class Answering {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    private final ApprovalDesk desk;

    public Answering(ApprovalDesk desk) {
        this.desk = desk;
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
     * their own conversations.
     *
     * @throws HttpFailure if the answer does not count
     */
    public ApprovalRequest answer(Principal principal, UUID id, ApprovalDesk.Say say) {
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
        ApprovalDesk.Ruling ruling = Refusals.ofBody(() -> desk.answer(principal.tenant(), id, say));
        return switch (ruling) {
            case ApprovalDesk.Ruling.Counted counted -> {
                LOG.info(
                        "Call {} of agent {} was {} by {}",
                        request.requestId(),
                        request.caller().agent(),
                        counted.request().state().wireName(),
                        principal.name());
                yield counted.request();
            }
            case ApprovalDesk.Ruling.TooLate late -> throw tooLate(late.request());
            case ApprovalDesk.Ruling.Unknown unknown -> throw Questions.none();
        };
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
