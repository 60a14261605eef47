package dev.toolgate.core.audit;

import dev.toolgate.core.call.RequestKey;
import java.time.Duration;
import java.time.Instant;

/**
 * A permit whose outcome has not been reported yet, as it is stored.
 *
 * @param intent what was permitted, with secrets masked
 * @param approval the approval of the call, if it needed one
 */
public record OpenPermit(AuditLog.Intent intent, RequestKey key, AuditLog.Approval approval, Instant until) {
    /** The time since it was given. */
    public Duration openFor(Instant now) {
        Duration since = Duration.between(intent.at(), now);
        return since.isNegative() ? Duration.ZERO : since;
    }
}
