package dev.toolgate.store.audit;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.RequestKey;
import org.jspecify.annotations.Nullable;

/**
 * A key and what a repeated call with it is answered with.
 *
 * @param outcome as JSON; {@code null} if it is not kept
 * @param held whether the key was taken before, by the intent or the question
 */
record KeyAnswer(RequestKey key, @Nullable String outcome, boolean held, AuditLog.Progress progress) {

    static @Nullable KeyAnswer of(AuditLog.@Nullable KeptAnswer answer) {
        return answer == null || answer.claim() == AuditLog.Claim.NONE
                ? null
                : new KeyAnswer(
                        answer.key(), json(answer.outcome()), answer.claim() == AuditLog.Claim.HELD, answer.progress());
    }

    private static @Nullable String json(@Nullable Outcome outcome) {
        return outcome == null ? null : CleanText.clean(OutcomeJson.write(outcome));
    }

    int weight() {
        return outcome == null ? 0 : outcome.length();
    }
}
