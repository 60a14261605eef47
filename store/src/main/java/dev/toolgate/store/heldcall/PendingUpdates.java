package dev.toolgate.store.heldcall;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Updates of held calls that no caller waits for, written in batches when the database can be reached. If the instance
 * dies before one is written, other instances recover the call.
 */
final class PendingUpdates {
    private final Queue<UUID> ended = new ConcurrentLinkedQueue<>();
    private final Queue<UUID> givenBack = new ConcurrentLinkedQueue<>();
    private final Queue<UUID> withdrawn = new ConcurrentLinkedQueue<>();
    private final Queue<UUID> left = new ConcurrentLinkedQueue<>();

    void end(UUID id) {
        ended.add(id);
    }

    void giveBack(UUID id) {
        givenBack.add(id);
    }

    void withdraw(UUID id) {
        withdrawn.add(id);
    }

    void leave(UUID id) {
        left.add(id);
    }

    void write(ApprovalRepository approvals, UUID me, AnswerWaiters waiting) {
        write(withdrawn, ids -> approvals.withdraw(ids, me));
        write(ended, approvals::end);
        write(givenBack, ids -> approvals.giveBack(ids, me));
        left.removeIf(waiting::has);
        write(left, ids -> approvals.leave(ids, me));
    }

    private static void write(Queue<UUID> ids, Consumer<List<UUID>> update) {
        List<UUID> some = new ArrayList<>(ids);
        if (!some.isEmpty()) {
            update.accept(some);
            some.forEach(ids::remove);
        }
    }
}
