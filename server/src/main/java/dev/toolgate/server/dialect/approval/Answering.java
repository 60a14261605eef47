package dev.toolgate.server.dialect.approval;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.port.ApprovalDesk;
import dev.toolgate.core.port.ApprovalRequest;
import dev.toolgate.core.port.Approvals;
import dev.toolgate.core.schema.Json;
import dev.toolgate.server.dialect.access.Refusals;
import dev.toolgate.server.http.HttpFailure;
import dev.toolgate.server.identity.Principal;
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
     * Answers a question that this principal has the right to answer.
     *
     * @throws HttpFailure if the answer does not count
     */
    public ApprovalRequest answer(Principal principal, UUID id, ApprovalDesk.Say say) {
        ApprovalRequest request = desk.find(principal.tenant(), id).orElseThrow(Questions::none);
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
            case ApprovalDesk.Ruling.OneOfSeveral noted -> {
                LOG.info(
                        "Call {} of agent {} has {} of {} approvals, the last one by {}",
                        request.requestId(),
                        request.caller().agent(),
                        noted.request().yeses().size(),
                        noted.request().terms().approvers(),
                        principal.name());
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
