package dev.toolgate.store.audit;

import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.port.AuditLog;
import dev.toolgate.core.port.RequestKey;
import org.jspecify.annotations.Nullable;

/**
 * A key and what a repeated call with it is answered with.
 *
 * @param outcome as JSON
 * @param held whether the key was taken before, by the intent
 */
record KeyAnswer(RequestKey key, String outcome, boolean held) {

    static @Nullable KeyAnswer of(AuditLog.@Nullable KeptAnswer answer) {
        return answer == null
                ? null
                : new KeyAnswer(
                        answer.key(),
                        CleanText.clean(OutcomeJson.write(answer.outcome())),
                        answer.claim() == AuditLog.Claim.HELD);
    }
}
