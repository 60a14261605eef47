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
import dev.toolgate.store.heldcall.CallLookup;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the outcome of a call that its caller collects later. */
public final class CallCollector {
    private final Gate gate;
    private final CallLookup calls;

    public CallCollector(Gate gate, CallLookup calls) {
        this.gate = gate;
        this.calls = calls;
    }

    /** The state of a call. */
    public sealed interface Found {
        /** It has an answer: its outcome, a permit, or a refusal if the caller may no longer have it. */
        record Ended(Call call, Answer answer) implements Found {}

        /** It waits for an approval. */
        record Held(Answer.Held held) implements Found {}

        /** Its caller has a permit and has not reported the outcome yet. */
        record Permitted(RequestId request, Instant until) implements Found {}

        /** The tool is running. */
        record Running() implements Found {}

        /** It has ended, and its outcome is no longer kept. */
        record Forgotten() implements Found {}

        /** The principal has no such call. */
        record Nothing() implements Found {}

        /** Several agents have a call with this request id. */
        record Several() implements Found {}
    }

    /** Whether a principal may collect outcomes at all. */
    public static boolean mayCollect(Principal principal) {
        return principal.may(Right.CALL_AS_ITSELF)
                || principal.may(Right.CALL_FOR_ANY_AGENT)
                || principal.may(Right.ANSWER_APPROVALS);
    }

    /**
     * Finds the call with a request id.
     *
     * @param wanted the agent whose call it is; {@code null} for any agent
     */
    public Found collect(Principal principal, RequestId request, @Nullable AgentId wanted) {
        if (!mayCollect(principal)) {
            return new Found.Nothing();
        }
        List<CallLookup.FoundCall> found = calls.find(principal.tenant(), request, wanted).stream()
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

    private Found found(Principal principal, RequestId request, CallLookup.FoundCall call) {
        return switch (call.state()) {
            case HELD ->
                call.question() == null || call.expiresAt() == null
                        ? new Found.Running()
                        : new Found.Held(new Answer.Held(request, call.question(), call.expiresAt(), ""));
            case APPROVED -> call.approved() == null ? new Found.Running() : permit(principal, call.approved());
            case PERMITTED ->
                call.permitUntil() == null ? new Found.Running() : new Found.Permitted(request, call.permitUntil());
            case RUNNING -> new Found.Running();
            case ENDED ->
                call.outcome() == null ? new Found.Running() : ended(principal, request, call, call.outcome());
            case FORGOTTEN -> new Found.Forgotten();
        };
    }

    // A principal that may only answer approvals must not use up the permit.
    private Found permit(Principal principal, Call approved) {
        return Callers.objection(principal, approved.caller().agent()).isEmpty()
                ? new Found.Ended(approved, gate.sendAgain(approved))
                : new Found.Running();
    }

    private Found ended(Principal principal, RequestId request, CallLookup.FoundCall found, Outcome outcome) {
        Call call = Call.of(
                        Callers.of(principal, found.agent(), null, WorkspaceId.DEFAULT),
                        found.tool(),
                        Json.MAPPER.createObjectNode())
                .as(request);
        return new Found.Ended(call, gate.collect(call, outcome, found.tools()));
    }
}
