package dev.toolgate.server.gate;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.store.heldcall.CollectedCalls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the outcome of a call for whoever comes back for it. */
public final class CallCollector {
    private final Gate gate;
    private final CollectedCalls calls;

    public CallCollector(Gate gate, CollectedCalls calls) {
        this.gate = gate;
        this.calls = calls;
    }

    /** What is known of a call. */
    public sealed interface Found {
        /** It has ended; the answer is its outcome, or says why it may not be read any more. */
        record Ended(Call call, Answer answer) implements Found {}

        /** It waits for a person. */
        record Held(Answer.Held held) implements Found {}

        /** The tool is at work. */
        record Running() implements Found {}

        /** It has ended, and its outcome is no longer kept. */
        record Forgotten() implements Found {}

        /** There is no such call for this principal. */
        record Nothing() implements Found {}

        /** Several agents have a call under this request id. */
        record Several() implements Found {}
    }

    /** Whether a principal collects the outcomes of calls at all. */
    public static boolean mayCollect(Principal principal) {
        return principal.may(Right.CALL_AS_ITSELF)
                || principal.may(Right.CALL_FOR_ANY_AGENT)
                || principal.may(Right.ANSWER_APPROVALS);
    }

    /**
     * The call under a request id.
     *
     * @param wanted whose call; {@code null} if any agent's that has one under this id
     */
    public Found collect(Principal principal, RequestId request, @Nullable AgentId wanted) {
        if (!mayCollect(principal)) {
            return new Found.Nothing();
        }
        List<CollectedCalls.Collected> found = calls.find(principal.tenant(), request, wanted).stream()
                .filter(call -> mayCollect(principal, call.agent()))
                .toList();
        return switch (found.size()) {
            case 0 -> new Found.Nothing();
            case 1 -> found(principal, request, found.getFirst());
            default -> new Found.Several();
        };
    }

    private static boolean mayCollect(Principal principal, AgentId agent) {
        return Callers.objection(principal, agent).isEmpty() || principal.may(Right.ANSWER_APPROVALS);
    }

    private Found found(Principal principal, RequestId request, CollectedCalls.Collected call) {
        return switch (call.standing()) {
            case HELD ->
                call.question() == null || call.expiresAt() == null
                        ? new Found.Running()
                        : new Found.Held(new Answer.Held(request, call.question(), call.expiresAt(), ""));
            case RUNNING -> new Found.Running();
            case ENDED ->
                call.outcome() == null ? new Found.Running() : ended(principal, request, call, call.outcome());
            case FORGOTTEN -> new Found.Forgotten();
        };
    }

    private Found ended(Principal principal, RequestId request, CollectedCalls.Collected found, Outcome outcome) {
        Call call = Call.of(
                        Callers.of(principal, found.agent(), null, WorkspaceId.DEFAULT),
                        found.tool(),
                        Json.MAPPER.createObjectNode())
                .as(request);
        return new Found.Ended(call, gate.collect(call, outcome, found.tools()));
    }
}
