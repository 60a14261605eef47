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
import org.jspecify.annotations.Nullable;

/** Runs statements, and says {@link Unavailable} when the database cannot answer them now. */
public final class Statements {
    /** Connection lost; to be tried again; no resources left; an operator intervened. */
    private static final Set<String> PASSING_CLASSES = Set.of("08", "40", "53", "57");

    private final Jdbi jdbi;

    public Statements(Jdbi jdbi) {
        this.jdbi = jdbi;
    }

    /** Each statement by itself. */
    public <T extends @Nullable Object> T run(HandleCallback<T, RuntimeException> work) {
        return answered(() -> jdbi.withHandle(work));
    }

    /** A question that a call waits for: without an answer within a second and a half there is none. */
    public <T extends @Nullable Object> T ask(HandleCallback<T, RuntimeException> question) {
        return answered(() -> jdbi.withHandle(handle -> {
            limit(handle);
            return question.withHandle(handle);
        }));
    }

    private static void limit(Handle handle) {
        try {
            PromptConnection.limit(handle.getConnection());
        } catch (SQLException lost) {
            throw new Unavailable("The database cannot be reached now; try again shortly.", lost);
        }
    }

    /** All statements, or none. */
    public <T extends @Nullable Object> T runTogether(HandleCallback<T, RuntimeException> work) {
        return answered(() -> jdbi.inTransaction(work));
    }

    private static <T extends @Nullable Object> T answered(Supplier<T> work) {
        try {
            return work.get();
        } catch (JdbiException failed) {
            if (failed.getCause() instanceof SQLException cause && passes(cause)) {
                throw new Unavailable("The database cannot be reached now; try again shortly.", failed);
            }
            throw failed;
        }
    }

    private static boolean passes(SQLException cause) {
        String state = cause.getSQLState();
        return cause instanceof SQLTransientException
                || state == null
                || (state.length() > 2 && PASSING_CLASSES.contains(state.substring(0, 2)));
    }
}
