package dev.toolgate.store.audit;

import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.port.RequestKeys.Earlier;
import dev.toolgate.store.Sessions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Answers many questions about request ids with one statement. Used by one thread. */
final class RequestKeyReader implements AutoCloseable {
    private static final int NETWORK_PATIENCE_MS = 2_000;
    private static final Executor ON_THE_SPOT = Runnable::run;
    private static final String COLUMNS =
            "SELECT k.tenant_id, k.request_id, encode(k.body_digest, 'hex'), k.completed_at IS NOT NULL, k.outcome ";
    /** Looks neighbours up together, at a third of the price of the other. */
    private static final String FIND_OF_ONE_TENANT =
            COLUMNS + "FROM request_keys k WHERE k.tenant_id = ? AND k.request_id = ANY (?::text[])";

    private static final String FIND = COLUMNS + """
            FROM unnest(?::text[], ?::text[]) AS wanted (tenant_id, request_id)
            JOIN request_keys k ON k.tenant_id = wanted.tenant_id AND k.request_id = wanted.request_id""";

    private final Sessions sessions;
    private @Nullable Connection connection;

    RequestKeyReader(Sessions sessions) {
        this.sessions = sessions;
    }

    void answer(List<Question> questions) throws SQLException {
        boolean fresh = connection == null;
        try {
            ask(questions);
        } catch (SQLException failed) {
            close();
            if (fresh) {
                throw failed;
            }
            ask(questions); // the connection was lost some time ago
        }
    }

    private void ask(List<Question> questions) throws SQLException {
        Connection current = connection();
        String tenant = questions.getFirst().tenant();
        boolean ofOneTenant =
                questions.stream().allMatch(question -> question.tenant().equals(tenant));
        try (PreparedStatement find = current.prepareStatement(ofOneTenant ? FIND_OF_ONE_TENANT : FIND)) {
            if (ofOneTenant) {
                find.setString(1, tenant);
            } else {
                new ColumnArrays<>(current, find, 1, questions).column(Question::tenant);
            }
            new ColumnArrays<>(current, find, 2, questions).column(Question::requestId);
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    answer(questions, rows);
                }
            }
        } catch (SQLException failed) {
            close();
            throw failed;
        }
        // All that have no answer yet. From a virtual thread, which wakes others of its kind at less cost.
        Thread.startVirtualThread(() -> questions.forEach(question -> question.answer(new Earlier.Nothing())));
    }

    // Few questions have an answer at all, so looking through them is no loss.
    private static void answer(List<Question> questions, ResultSet row) throws SQLException {
        String tenant = row.getString(1);
        String requestId = row.getString(2);
        for (Question question : questions) {
            if (question.requestId().equals(requestId) && question.tenant().equals(tenant)) {
                answer(question, row);
            }
        }
    }

    private static void answer(Question question, ResultSet row) throws SQLException {
        try {
            question.answer(read(row, question));
        } catch (RuntimeException unreadable) {
            question.failed(unreadable);
        }
    }

    private static Earlier read(ResultSet row, Question question) throws SQLException {
        if (!row.getString(3).equals(question.key().digest())) {
            return new Earlier.OtherCall();
        }
        if (!row.getBoolean(4)) {
            return new Earlier.StillRunning();
        }
        String outcome = row.getString(5);
        return outcome == null ? new Earlier.Forgotten() : new Earlier.SameCall(OutcomeJson.read(outcome));
    }

    private Connection connection() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = sessions.open();
            connection = current;
            current.setNetworkTimeout(ON_THE_SPOT, NETWORK_PATIENCE_MS);
            try (Statement settings = current.createStatement()) {
                // The index is the right way from the first row on, before any statistics say so.
                settings.execute("SET enable_seqscan = off");
                settings.execute("SET enable_hashjoin = off");
                settings.execute("SET enable_mergejoin = off");
            }
        }
        return current;
    }

    @Override
    public void close() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException alreadyLost) {
                // Then it is closed.
            }
        }
    }
}
