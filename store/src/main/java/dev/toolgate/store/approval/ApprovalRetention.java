package dev.toolgate.store.approval;

import java.time.Duration;
import org.jdbi.v3.core.Jdbi;

/** Forgets questions, and yeses that were taken back, when the records of their calls go. A few rows at a time. */
public final class ApprovalRetention {
    private static final int ROWS = 10_000;

    private final Jdbi jdbi;
    private final Duration keep;

    public ApprovalRetention(Jdbi jdbi, Duration keep) {
        this.jdbi = jdbi;
        this.keep = keep;
    }

    /** Forgets what is old enough. */
    public void run() {
        repeat("""
                DELETE FROM approvals WHERE approval_id = ANY (ARRAY(
                    SELECT approval_id FROM approvals
                    WHERE ended_at IS NOT NULL AND asked_at < now() - make_interval(secs => :age) LIMIT :rows))""");
        repeat("""
                DELETE FROM standing_approvals WHERE standing_id = ANY (ARRAY(
                    SELECT standing_id FROM standing_approvals
                    WHERE least(revoked_at, expires_at) < now() - make_interval(secs => :age) LIMIT :rows))""");
    }

    private void repeat(String deletion) {
        int deleted = ROWS;
        while (deleted == ROWS) {
            deleted = jdbi.withHandle(handle -> handle.createUpdate(deletion)
                    .bind("age", (double) keep.toSeconds())
                    .bind("rows", ROWS)
                    .execute());
        }
    }
}
