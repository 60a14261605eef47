package dev.toolgate.store.approval;

import dev.toolgate.core.approval.Approvals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;

/** What is done for all questions of an instance in every round, each with one statement. Used by one thread. */
final class QuestionRounds {
    private static final String HERE = """
            INSERT INTO approval_instances (instance_id, seen_at) VALUES (?, now())
            ON CONFLICT (instance_id) DO UPDATE SET seen_at = now()""";
    private static final String OVERDUE = """
            WITH over AS (
                UPDATE approvals SET verdict = 'TIMED_OUT', answered_at = now()
                WHERE verdict IS NULL AND expires_at <= now() RETURNING 1)
            SELECT pg_notify('toolgate_approvals', '') FROM over LIMIT 1""";
    private static final String ANSWERS = """
            SELECT approval_id, verdict, answered_at, answered_by, answer_reason FROM approvals
            WHERE approval_id = ANY (?) AND verdict IS NOT NULL""";

    private final Connection connection;
    private final UUID instance;

    QuestionRounds(Connection connection, UUID instance) {
        this.connection = connection;
        this.instance = instance;
    }

    void sayHere() throws SQLException {
        withInstance(HERE);
    }

    /** Leaves everything that is held, and is no more. */
    void sayGone() throws SQLException {
        withInstance("UPDATE approvals SET waiter = NULL WHERE waiter = ? AND ended_at IS NULL AND claimed_at IS NULL");
        withInstance("DELETE FROM approval_instances WHERE instance_id = ?");
    }

    private void withInstance(String statement) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(statement)) {
            update.setObject(1, instance);
            update.executeUpdate();
        }
    }

    void endOverdue() throws SQLException {
        try (Statement update = connection.createStatement()) {
            update.execute(OVERDUE);
        }
    }

    void answers(Set<UUID> wanted, BiConsumer<UUID, Approvals.Answer> taker) throws SQLException {
        if (wanted.isEmpty()) {
            return;
        }
        try (PreparedStatement query = connection.prepareStatement(ANSWERS)) {
            query.setArray(1, connection.createArrayOf("uuid", wanted.toArray()));
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    Approvals.Answer answer = ApprovalRows.answer(rows);
                    if (answer != null) {
                        taker.accept(rows.getObject(1, UUID.class), answer);
                    }
                }
            }
        }
    }

    int open() throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("SELECT count(*) FROM approvals WHERE verdict IS NULL")) {
            row.next();
            return row.getInt(1);
        }
    }
}
