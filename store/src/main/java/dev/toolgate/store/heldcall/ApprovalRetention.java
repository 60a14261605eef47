package dev.toolgate.store.heldcall;

import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** Deletes ended approval requests and standing approvals after the retention period of audit records, in batches. */
public final class ApprovalRetention {
    private final Jdbi jdbi;
    private final Duration keep;

    public ApprovalRetention(Jdbi jdbi, Duration keep) {
        this.jdbi = jdbi;
        this.keep = keep;
    }

    /** Deletes old rows, each batch in its own transaction, so that locks are short. */
    public void run() {
        int deleted;
        do {
            deleted = jdbi.withHandle(handle -> {
                ApprovalRepository approvals = ApprovalRepository.in(handle);
                return approvals.deleteEnded(keep) + approvals.deleteStanding(keep);
            });
        } while (deleted > 0);
    }
}
