package dev.toolgate.store.approval;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What is left to be noted about questions, many at once and no sooner than the database can be reached. If it is
 * never noted, because the instance dies first, others find out by themselves.
 */
final class Afterwards {
    /** Nobody can take a yes any more that nobody has taken; to be followed by which questions. */
    static final String WITHDRAW = """
            UPDATE approvals SET verdict = coalesce(verdict, 'WITHDRAWN'), answered_at = coalesce(answered_at, now()),
                claimed_by = CASE WHEN claimed_at IS NULL THEN :me ELSE claimed_by END,
                claimed_at = coalesce(claimed_at, now())
            WHERE ended_at IS NULL AND approval_id""";

    private static final String END =
            "UPDATE approvals SET ended_at = coalesce(ended_at, now()), held_call = NULL WHERE approval_id = ANY (?)";
    private static final String GIVE_BACK = """
            UPDATE approvals SET claimed_by = NULL, claimed_at = NULL WHERE ended_at IS NULL AND approval_id = ANY (?)""";
    // Only where this instance is noted: another may have come in between.
    private static final String LEAVE = """
            UPDATE approvals SET waiter = NULL
            WHERE claimed_at IS NULL AND ended_at IS NULL AND waiter = ? AND approval_id = ANY (?)""";

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

    void write(Connection connection, UUID me, WaitingQuestions waiting) throws SQLException {
        write(connection, withdrawn, WITHDRAW.replace(":me", "?") + " = ANY (?)", me);
        write(connection, ended, END, null);
        write(connection, givenBack, GIVE_BACK, null);
        left.removeIf(waiting::has);
        write(connection, left, LEAVE, me);
    }

    private static void write(Connection connection, Queue<UUID> ids, String statement, @Nullable UUID me)
            throws SQLException {
        List<UUID> some = new ArrayList<>(ids);
        if (some.isEmpty()) {
            return;
        }
        try (PreparedStatement update = connection.prepareStatement(statement)) {
            int place = 1;
            if (me != null) {
                update.setObject(place++, me);
            }
            update.setArray(place, connection.createArrayOf("uuid", some.toArray()));
            update.executeUpdate();
        }
        some.forEach(ids::remove);
    }
}
