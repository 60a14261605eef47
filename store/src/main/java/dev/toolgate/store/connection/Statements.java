package dev.toolgate.store.connection;

import dev.toolgate.core.call.Unavailable;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/** Runs statements, and throws {@link Unavailable} if the database cannot be reached. */
public final class Statements {
    /** SQL state classes: connection exception, transaction rollback, insufficient resources, operator intervention. */
    private static final Set<String> TRANSIENT_CLASSES = Set.of("08", "40", "53", "57");

    private static final String UNREACHABLE = "The database cannot be reached now; try again shortly.";

    private final Jdbi jdbi;

    public Statements(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Runs statements in autocommit mode. */
    public <T extends @Nullable Object> T run(HandleCallback<T, RuntimeException> work) {
        return answered(() -> jdbi.withHandle(work));
    }

    /** A query that a call waits for, with a timeout of 1.5 seconds. */
    public <T extends @Nullable Object> T query(HandleCallback<T, RuntimeException> question) {
        return answered(() -> jdbi.withHandle(handle -> {
            limit(handle);
            return question.withHandle(handle);
        }));
    }

    private static void limit(Handle handle) {
        try {
            ShortTimeoutConnection.limit(handle.getConnection());
        } catch (SQLException lost) {
            throw new Unavailable(UNREACHABLE, lost);
        }
    }

    /** Runs statements in one transaction. */
    public <T extends @Nullable Object> T inTransaction(HandleCallback<T, RuntimeException> work) {
        return answered(() -> jdbi.inTransaction(work));
    }

    /** Runs queries in one snapshot of the database. */
    public <T extends @Nullable Object> T inSnapshot(HandleCallback<T, RuntimeException> work) {
        return answered(() -> jdbi.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, work));
    }

    /** The exception for a query by JDBC alone that failed. */
    public static RuntimeException failure(SQLException failed) {
        return isTransient(failed)
                ? new Unavailable(UNREACHABLE, failed)
                : new IllegalStateException("A query failed: " + failed.getMessage(), failed);
    }

    private static <T extends @Nullable Object> T answered(Supplier<T> work) {
        try {
            return work.get();
        } catch (JdbiException failed) {
            if (failed.getCause() instanceof SQLException cause && isTransient(cause)) {
                throw new Unavailable(UNREACHABLE, failed);
            }
            throw failed;
        }
    }

    private static boolean isTransient(SQLException cause) {
        String state = cause.getSQLState();
        return cause instanceof SQLTransientException
                || state == null
                || (state.length() > 2 && TRANSIENT_CLASSES.contains(state.substring(0, 2)));
    }
}
