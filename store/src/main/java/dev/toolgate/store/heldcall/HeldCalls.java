package dev.toolgate.store.heldcall;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.store.heldcall.ApprovalRepository.Others;
import dev.toolgate.store.heldcall.ApprovalRepository.TakenOver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds calls that nobody goes on with, and takes them on: answered ones whose caller went away or whose instance is
 * gone, and ones that an instance had begun which is gone. Used by one thread.
 */
final class HeldCalls {
    private static final Logger LOG = LoggerFactory.getLogger(HeldCalls.class);
    private static final Duration CLEAN_UP = Duration.ofSeconds(5);
    // After an outage everybody seems gone until they have said that they are there.
    private static final Duration GET_TO_KNOW = Duration.ofSeconds(3);

    private final UUID instance;
    private final QuestionOf questionOf;
    private final long begun = System.nanoTime();
    private long cleanedUp = begun;

    /** Makes a question of a row. */
    interface QuestionOf {
        HeldQuestion of(UUID id, Instant expiresAt);
    }

    private record Held(Call call, HeldQuestion question, Approvals.Answer answer) {}

    HeldCalls(UUID instance, QuestionOf questionOf) {
        this.instance = instance;
        this.questionOf = questionOf;
    }

    void takeOn(ApprovalRepository approvals, Resumption resumption) {
        int room = resumption.room();
        if (room > 0) {
            approvals.withdrawAbandoned(instance, others());
            read(approvals, approvals.takeOverAnswered(instance, room, others()))
                    .forEach(held -> resumption.resume(held.call(), held.question(), held.answer()));
        }
        if (System.nanoTime() - cleanedUp > CLEAN_UP.toNanos()) {
            cleanedUp = System.nanoTime();
            approvals.endRecorded();
            int left = resumption.room();
            if (left > 0 && others() == Others.KNOWN) {
                read(approvals, approvals.takeOverClaimed(instance, left)).forEach(held -> close(resumption, held));
            }
        }
    }

    // Without a yes it cannot have begun; it was withdrawn by somebody who did not come to record that.
    private static void close(Resumption resumption, Held held) {
        if (held.answer().verdict() == Approvals.Verdict.APPROVED) {
            resumption.interrupted(held.call(), held.question());
        } else {
            resumption.resume(held.call(), held.question(), held.answer());
        }
    }

    private Others others() {
        return System.nanoTime() - begun > GET_TO_KNOW.toNanos() ? Others.KNOWN : Others.UNKNOWN;
    }

    private List<Held> read(ApprovalRepository approvals, List<TakenOver> rows) {
        List<Held> taken = new ArrayList<>();
        List<UUID> unreadable = new ArrayList<>();
        for (TakenOver row : rows) {
            try {
                if (row.call() == null || row.answer() == null) {
                    throw new IllegalStateException("The call or its answer is missing.");
                }
                taken.add(new Held(CallJson.read(row.call()), questionOf.of(row.id(), row.expiresAt()), row.answer()));
            } catch (RuntimeException broken) {
                LOG.error("The call of question {} cannot be read, so it is dropped", row.id(), broken);
                unreadable.add(row.id());
            }
        }
        if (!unreadable.isEmpty()) {
            approvals.end(unreadable);
        }
        return taken;
    }
}
