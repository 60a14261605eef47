package dev.toolgate.store.approval;

import dev.toolgate.core.approval.Approvals;
import dev.toolgate.core.approval.HeldQuestion;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallJson;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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

    // Nobody wants these any more: whoever waited cannot come back. Later than others are taken on, since a caller that
    // is only out of sight for a moment would lose its call.
    private static final String ABANDONED = """
            WITH abandoned AS (
                SELECT approval_id FROM approvals a
                WHERE ended_at IS NULL AND verdict IS NULL AND ends_with_waiter
                  AND (waiter IS NULL OR (? AND waiter <> ? AND NOT EXISTS (
                      SELECT FROM approval_instances i
                      WHERE i.instance_id = a.waiter AND i.seen_at > now() - interval '15 seconds')))
                FOR UPDATE SKIP LOCKED)
            UPDATE approvals a SET verdict = 'WITHDRAWN', answered_at = now()
            FROM abandoned WHERE a.approval_id = abandoned.approval_id""";

    // Also one that an instance has had for long and not gone on with, as when the database could not be reached.
    private static final String ANSWERED = """
            WITH due AS (
                SELECT approval_id FROM approvals a
                WHERE ended_at IS NULL AND verdict IS NOT NULL AND claimed_at IS NULL
                  AND (waiter IS NULL
                      OR greatest(answered_at, adopted_at) < now() - interval '30 seconds'
                      OR (? AND NOT EXISTS (
                          SELECT FROM approval_instances i
                          WHERE i.instance_id = a.waiter AND i.seen_at > now() - interval '3 seconds')))
                ORDER BY answered_at LIMIT ? FOR UPDATE SKIP LOCKED)
            UPDATE approvals a SET waiter = ?, adopted_at = now() FROM due WHERE a.approval_id = due.approval_id
            RETURNING a.approval_id, a.held_call, a.expires_at, a.verdict, a.answered_at, a.answered_by, a.answer_reason""";

    private static final String BEGUN = """
            WITH cut AS (
                SELECT approval_id FROM approvals a
                WHERE ended_at IS NULL AND claimed_at IS NOT NULL AND verdict IS NOT NULL AND NOT EXISTS (
                      SELECT FROM approval_instances i
                      WHERE i.instance_id = a.claimed_by AND i.seen_at > now() - interval '15 seconds')
                ORDER BY answered_at LIMIT ? FOR UPDATE SKIP LOCKED)
            UPDATE approvals a SET claimed_by = ? FROM cut WHERE a.approval_id = cut.approval_id
            RETURNING a.approval_id, a.held_call, a.expires_at, a.verdict, a.answered_at, a.answered_by, a.answer_reason""";

    // How such a call ended is on record, and only its end here was not noted.
    private static final String KNOWN = """
            UPDATE approvals a SET ended_at = now(), held_call = NULL FROM request_keys k
            WHERE a.ended_at IS NULL AND a.verdict IS NOT NULL AND a.answered_at < now() - interval '5 seconds'
              AND k.tenant_id = a.tenant_id AND k.agent_id = a.agent_id AND k.request_id = a.request_id
              AND k.body_digest = a.arguments_digest AND k.completed_at IS NOT NULL""";

    private static final String FORGET = "DELETE FROM approval_instances WHERE seen_at < now() - interval '1 day'";

    private final Connection connection;
    private final UUID instance;
    private final QuestionOf questionOf;
    private final long begun = System.nanoTime();
    private long cleanedUp = begun;

    /** Makes a question of a row. */
    interface QuestionOf {
        HeldQuestion of(UUID id, ResultSet row) throws SQLException;
    }

    private record Held(Call call, HeldQuestion question, Approvals.Answer answer) {}

    HeldCalls(Connection connection, UUID instance, QuestionOf questionOf) {
        this.connection = connection;
        this.instance = instance;
        this.questionOf = questionOf;
    }

    void takeOn(Resumption resumption) throws SQLException {
        int room = resumption.room();
        if (room > 0) {
            withdrawAbandoned();
            answered(room).forEach(held -> resumption.resume(held.call(), held.question(), held.answer()));
        }
        if (System.nanoTime() - cleanedUp > CLEAN_UP.toNanos()) {
            cleanedUp = System.nanoTime();
            try (Statement statement = connection.createStatement()) {
                statement.execute(KNOWN);
                statement.execute(FORGET);
            }
            int left = resumption.room();
            if (left > 0 && knowsOthers()) {
                begun(left).forEach(held -> close(resumption, held));
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

    private void withdrawAbandoned() throws SQLException {
        try (PreparedStatement withdraw = connection.prepareStatement(ABANDONED)) {
            withdraw.setBoolean(1, knowsOthers());
            withdraw.setObject(2, instance);
            withdraw.executeUpdate();
        }
    }

    private boolean knowsOthers() {
        return System.nanoTime() - begun > GET_TO_KNOW.toNanos();
    }

    private List<Held> answered(int most) throws SQLException {
        try (PreparedStatement take = connection.prepareStatement(ANSWERED)) {
            take.setBoolean(1, knowsOthers());
            take.setInt(2, most);
            take.setObject(3, instance);
            return read(take);
        }
    }

    private List<Held> begun(int most) throws SQLException {
        try (PreparedStatement take = connection.prepareStatement(BEGUN)) {
            take.setInt(1, most);
            take.setObject(2, instance);
            return read(take);
        }
    }

    private List<Held> read(PreparedStatement take) throws SQLException {
        List<Held> taken = new ArrayList<>();
        List<UUID> unreadable = new ArrayList<>();
        try (ResultSet rows = take.executeQuery()) {
            while (rows.next()) {
                UUID id = rows.getObject("approval_id", UUID.class);
                String call = rows.getString("held_call");
                Approvals.Answer answer = ApprovalRows.answer(rows);
                try {
                    if (call == null || answer == null) {
                        throw new IllegalStateException("It is not there.");
                    }
                    taken.add(new Held(CallJson.read(call), questionOf.of(id, rows), answer));
                } catch (RuntimeException broken) {
                    LOG.error("The call that question {} was asked for cannot be read, so it is dropped", id, broken);
                    unreadable.add(id);
                }
            }
        }
        if (!unreadable.isEmpty()) {
            try (PreparedStatement end = connection.prepareStatement(
                    "UPDATE approvals SET ended_at = now(), held_call = NULL WHERE approval_id = ANY (?)")) {
                end.setArray(1, connection.createArrayOf("uuid", unreadable.toArray()));
                end.executeUpdate();
            }
        }
        return taken;
    }
}
