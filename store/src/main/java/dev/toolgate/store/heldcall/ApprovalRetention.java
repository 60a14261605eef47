package dev.toolgate.store.heldcall;

import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** Deletes ended questions and standing approvals when the records of their calls go, a few rows at a time. */
public final class ApprovalRetention {
    private final Jdbi jdbi;
    private final Duration keep;

    public ApprovalRetention(Jdbi jdbi, Duration keep) {
        this.jdbi = jdbi;
        this.keep = keep;
    }

    /** Deletes what is old enough; each step by itself, so that nobody waits for all of them. */
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
