package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.store.heldcall.ApprovalRepository.OtherInstances;
import dev.toolgate.store.heldcall.ApprovalRepository.TakenOver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over held calls that no instance continues: answered ones whose caller has left or whose instance is
 * dead, and those that a dead instance had started. Not thread-safe.
 */
final class HeldCallRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(HeldCallRecovery.class);
    private static final Duration CLEANUP_INTERVAL = Duration.ofSeconds(5);
    // After an outage all instances seem dead until they have sent a heartbeat.
    private static final Duration DISCOVERY_TIME = Duration.ofSeconds(3);

    private final UUID instance;
    private final QuestionFactory questions;
    private final long started = System.nanoTime();
    private long lastCleanup = started;

    /** Creates a question from a row. */
    interface QuestionFactory {
        HeldQuestion create(UUID id, Instant expiresAt);
    }

    private record Held(Call call, HeldQuestion question, Approvals.Answer answer) {}

    HeldCallRecovery(UUID instance, QuestionFactory questions) {
        this.instance = instance;
        this.questions = questions;
    }

    void recover(ApprovalRepository approvals, HeldCallResumer resumer) {
        int capacity = resumer.capacity();
        if (capacity > 0) {
            approvals.withdrawAbandoned(instance, others());
            read(approvals, approvals.takeOverAnswered(instance, capacity, others()))
                    .forEach(held -> resumer.resume(held.call(), held.question(), held.answer()));
        }
        if (System.nanoTime() - lastCleanup > CLEANUP_INTERVAL.toNanos()) {
            lastCleanup = System.nanoTime();
            approvals.endRecorded();
            int left = resumer.capacity();
            if (left > 0 && others() == OtherInstances.KNOWN) {
                read(approvals, approvals.takeOverClaimed(instance, left)).forEach(held -> close(resumer, held));
            }
        }
    }

    // Without approval it cannot have started; it was withdrawn by an instance that died before recording that.
    private static void close(HeldCallResumer resumer, Held held) {
        if (held.answer().verdict() == Approvals.Verdict.APPROVED) {
            resumer.interrupted(held.call(), held.question());
        } else {
            resumer.resume(held.call(), held.question(), held.answer());
        }
    }

    private OtherInstances others() {
        return System.nanoTime() - started > DISCOVERY_TIME.toNanos() ? OtherInstances.KNOWN : OtherInstances.UNKNOWN;
    }

    private List<Held> read(ApprovalRepository approvals, List<TakenOver> rows) {
        List<Held> taken = new ArrayList<>();
        List<UUID> unreadable = new ArrayList<>();
        for (TakenOver row : rows) {
            try {
                if (row.call() == null || row.answer() == null) {
                    throw new IllegalStateException("The row has no call or no answer.");
                }
                taken.add(
                        new Held(CallJson.read(row.call()), questions.create(row.id(), row.expiresAt()), row.answer()));
            } catch (RuntimeException broken) {
                LOG.error("Held call of approval {} cannot be read and is dropped", row.id(), broken);
                unreadable.add(row.id());
            }
        }
        if (!unreadable.isEmpty()) {
            approvals.end(unreadable);
        }
        return taken;
    }
}
