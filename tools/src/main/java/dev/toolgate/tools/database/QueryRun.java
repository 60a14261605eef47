package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one query on a pooled connection. It runs on its own thread, because an interrupt would close the driver's
 * socket and leave the query running on the server; so a query is cancelled on the server first.
 */
final class QueryRun {
    private static final Logger LOG = LoggerFactory.getLogger(QueryRun.class);
    private static final long CANCEL_TIMEOUT_MS = 2_000;

    private final Pools pools;
    private final Pools.Key key;
    private final DatabaseTarget target;
    private volatile @Nullable ReadOnlyTransaction transaction;
    private volatile @Nullable Connection connection;
    private volatile boolean stopped;

    QueryRun(Pools pools, Pools.Key key, DatabaseTarget target) {
        this.pools = pools;
        this.key = key;
        this.target = target;
    }

    /** The work in a transaction. */
    interface Work<T> {
        T with(ReadOnlyTransaction transaction) throws SQLException, ToolFailure;
    }

    <T> T run(@Nullable String password, Duration limit, Work<T> work) throws ToolFailure, InterruptedException {
        FutureTask<T> task = new FutureTask<>(() -> inTransaction(password, limit, work));
        Thread.ofVirtual().name("toolgate-query").start(task);
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLong) {
            stop(task);
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                    "The query ran longer than " + limit.toSeconds() + " seconds and was cancelled; narrow it down");
        } catch (InterruptedException cancelled) {
            stop(task);
            throw cancelled;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ToolFailure expected) {
                throw expected;
            }
            if (failed.getCause() instanceof SQLException problem) {
                throw SqlProblem.of(problem, key.name());
            }
            throw new IllegalStateException("A query failed unexpectedly.", failed.getCause());
        }
    }

    private <T> T inTransaction(@Nullable String password, Duration limit, Work<T> work)
            throws SQLException, ToolFailure {
        Connection borrowed = pools.borrow(key, target, password);
        try (borrowed) {
            connection = borrowed;
            ReadOnlyTransaction opened =
                    switch (target.url().engine()) {
                        case POSTGRESQL -> new PostgresTransaction(borrowed, target.accounts());
                        case MARIADB -> new MariaDbTransaction(borrowed, target.accounts());
                    };
            transaction = opened;
            try {
                if (stopped) {
                    throw new SQLException("The call was cancelled.");
                }
                opened.begin(limit);
                return work.with(opened);
            } finally {
                end(opened, borrowed);
            }
        }
    }

    // A connection that cannot be reset is not reused.
    private void end(ReadOnlyTransaction opened, Connection borrowed) {
        try {
            opened.end();
        } catch (SQLException unusable) {
            LOG.debug("A connection to {} could not be reset and is discarded", key, unusable);
            pools.discard(key, borrowed);
        }
    }

    private void stop(FutureTask<?> task) {
        stopped = true;
        FutureTask<@Nullable Void> cancelling = new FutureTask<>(() -> {
            ReadOnlyTransaction now = transaction;
            if (now != null) {
                now.cancel();
            }
            return null;
        });
        Thread.ofVirtual().name("toolgate-query-cancel").start(cancelling);
        if (!ended(cancelling) || !ended(task)) {
            Connection lost = connection;
            if (lost != null) {
                try {
                    lost.abort(Runnable::run);
                } catch (SQLException alreadyGone) {
                    LOG.debug("A connection to {} was already closed", key, alreadyGone);
                }
            }
        }
    }

    private static boolean ended(FutureTask<?> task) {
        try {
            task.get(CANCEL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException ended) {
            return true;
        } catch (TimeoutException stillRunning) {
            return false;
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
