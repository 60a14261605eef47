package dev.toolgate.store.audit.write;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.store.audit.record.CleanText;
import org.jspecify.annotations.Nullable;

/**
 * A request key and the outcome for repeated calls with it.
 *
 * @param outcome as JSON; {@code null} if it is not stored
 * @param held whether the key was taken earlier, by the intent or the approval request
 */
public record KeyOutcome(RequestKey key, @Nullable String outcome, boolean held, AuditLog.Progress progress) {

    public static @Nullable KeyOutcome of(AuditLog.@Nullable KeptAnswer answer) {
        return answer == null || answer.claim() == AuditLog.Claim.NONE
                ? null
                : new KeyOutcome(
                        answer.key(), json(answer.outcome()), answer.claim() == AuditLog.Claim.HELD, answer.progress());
    }

    private static @Nullable String json(@Nullable Outcome outcome) {
        return outcome == null ? null : CleanText.clean(OutcomeJson.write(outcome));
    }

    int weight() {
        return outcome == null ? 0 : outcome.length();
    }
}
