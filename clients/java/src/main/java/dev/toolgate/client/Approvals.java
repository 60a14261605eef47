package dev.toolgate.client;

import dev.toolgate.client.model.Approval;
import dev.toolgate.client.model.ApprovalAnswer;
import dev.toolgate.client.model.ApprovalEvent;
import dev.toolgate.client.model.StandingApproval;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Calls that wait for an approval. */
public final class Approvals {
    private static final String PATH = "/api/v1/approvals";

    private final Connection connection;

    Approvals(Connection connection) {
        this.connection = connection;
    }

    /** Approval requests in any state, newest first. */
    public Stream<Approval> list() {
        return Pages.of(connection, PATH, Approval.class);
    }

    /** Open approval requests. */
    public Stream<Approval> pending() {
        return Pages.of(connection, Request.query(PATH, "state", "pending"), Approval.class);
    }

    /** One approval request. */
    public Approval get(String approvalId) {
        return approval(Request.get(Request.path(PATH, approvalId)));
    }

    /** Approves exactly this call. */
    public Approval approve(String approvalId, String reason) {
        return answer(approvalId, ApprovalAnswer.approve().because(reason));
    }

    /** Refuses this call. */
    public Approval deny(String approvalId, String reason) {
        return answer(approvalId, ApprovalAnswer.deny().because(reason));
    }

    /** Answers an approval request; only the first answer takes effect. */
    public Approval answer(String approvalId, ApprovalAnswer answer) {
        return approval(Request.post(Request.path(PATH, approvalId), answer.fields()));
    }

    /** Requests and answers as they happen, until either side ends the stream; the caller must close it. */
    public Stream<ApprovalEvent> stream() {
        return Events.of(connection, PATH + "/stream").map(event -> {
            JsonNode data = Json.parse(event.data().getBytes(StandardCharsets.UTF_8));
            Approval approval = data.path("approval_id").isString() ? Json.read(data, Approval.class) : null;
            return new ApprovalEvent(event.name(), approval, event.data());
        });
    }

    /** Valid approvals of further calls. */
    public Stream<StandingApproval> standing() {
        return Pages.of(connection, PATH + "/standing", StandingApproval.class);
    }

    /** Revokes an approval of further calls. */
    public void revokeStanding(String standingId, @Nullable String reason) {
        connection.send(Request.delete(Request.query(Request.path(PATH + "/standing", standingId), "reason", reason)));
    }

    private Approval approval(Request request) {
        return Json.read(connection.send(request).json(), Approval.class);
    }
}
