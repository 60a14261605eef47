package dev.toolgate.server.admin.review;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.store.audit.query.RecordedCalls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sorts replayed calls by how a draft changes the decision about them. */
final class Comparison {
    private final int maxExamples;
    private final Kept denied = new Kept();
    private final Kept allowed = new Kept();
    private final Kept held = new Kept();
    private final Kept unknown = new Kept();
    private int unchanged;
    private int withoutTool;

    Comparison(int maxExamples) {
        this.maxExamples = maxExamples;
    }

    /**
     * A call whose decision changes.
     *
     * @param before the decision now; {@code null} if unknown
     * @param after the decision under the draft; {@code null} if unknown
     * @param reason why it is denied or held under the draft
     */
    record Example(
            String requestId,
            Instant timestamp,
            String agentId,
            String toolName,
            AuditLog.Status recorded,
            @Nullable String before,
            @Nullable String after,
            @Nullable String reason) {}

    /** How many calls there are of a kind, and some of them, the oldest first. */
    record Group(int count, List<Example> examples) {}

    private final class Kept {
        private final List<Example> examples = new ArrayList<>();
        private int count;

        void add(Example example) {
            count++;
            if (examples.size() < maxExamples) {
                examples.add(example);
            }
        }

        Group group() {
            return new Group(count, List.copyOf(examples));
        }
    }

    void add(RecordedCalls.Recorded call, Decision before, Decision after) {
        if (before.getClass() == after.getClass()) {
            unchanged++;
            return;
        }
        switch (after) {
            case Decision.Allow allow -> allowed.add(example(call, before, after, null));
            case Decision.NeedsApproval needed -> held.add(example(call, before, after, needed.reason()));
            case Decision.Deny deny -> denied.add(example(call, before, after, deny.reason()));
        }
    }

    /** Counts a call whose record lacks what the decision depends on. */
    void unknown(RecordedCalls.Recorded call) {
        unknown.add(new Example(
                call.requestId(), call.timestamp(), call.agentId(), call.toolName(), call.status(), null, null, null));
    }

    /** Counts a call of a tool that no longer exists. */
    void withoutTool() {
        withoutTool++;
    }

    private static Example example(
            RecordedCalls.Recorded call, Decision before, Decision after, @Nullable String reason) {
        return new Example(
                call.requestId(),
                call.timestamp(),
                call.agentId(),
                call.toolName(),
                call.status(),
                ExplainAnswer.word(before),
                ExplainAnswer.word(after),
                reason);
    }

    Group newlyDenied() {
        return denied.group();
    }

    Group newlyAllowed() {
        return allowed.group();
    }

    Group newlyHeld() {
        return held.group();
    }

    Group notKnown() {
        return unknown.group();
    }

    int unchanged() {
        return unchanged;
    }

    int callsWithoutTool() {
        return withoutTool;
    }
}
