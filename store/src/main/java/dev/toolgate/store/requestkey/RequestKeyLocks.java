package dev.toolgate.store.requestkey;

import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.store.audit.record.ColumnArrays;
import dev.toolgate.store.batch.WakeUp;
import dev.toolgate.store.connection.UnpooledConnections;
import dev.toolgate.store.requestkey.KeyRequest.Mode;
import dev.toolgate.store.requestkey.KeyRequest.StoredId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims and looks up request ids in batches, with one round trip each. A claim is an advisory lock of this connection:
 * all gates on the database see it, nothing is written, and it ends with the gate. Not thread-safe, except
 * {@link #release}.
 */
final class RequestKeyLocks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestKeyLocks.class);
    private static final int NETWORK_TIMEOUT_MS = 2_000;
    private static final Executor SAME_THREAD = Runnable::run;

    /** Releases the first n locks of the list and takes the others; returns those that another connection holds. */
    private static final String LOCK = """
            SELECT lock FROM unnest(?::bigint[]) WITH ORDINALITY AS list (lock, place)
            WHERE CASE WHEN place <= ? THEN pg_advisory_unlock(lock) IS NULL ELSE NOT pg_try_advisory_lock(lock) END;
            """;

    private static final String COLUMNS = """
            SELECT k.tenant_id, k.agent_id, k.request_id, encode(k.body_digest, 'hex'), k.completed_at IS NOT NULL,
                k.held_by IS NOT NULL, k.outcome,
                CASE WHEN k.permit_until > CURRENT_TIMESTAMP THEN k.permit_until END
            """;
    /** Costs a third of the general query. */
    private static final String FIND_OF_ONE_AGENT =
            COLUMNS + "FROM request_keys k WHERE k.tenant_id = ? AND k.agent_id = ? AND k.request_id = ANY (?::text[])";

    private static final String FIND = COLUMNS + """
            FROM unnest(?::text[], ?::text[], ?::text[]) AS wanted (tenant_id, agent_id, request_id)
            JOIN request_keys k ON k.tenant_id = wanted.tenant_id AND k.agent_id = wanted.agent_id
                AND k.request_id = wanted.request_id""";

    private final UnpooledConnections connections;
    private final WakeUp wakeUp = new WakeUp();
    private final Queue<Long> released = new ConcurrentLinkedQueue<>();
    /** How many times each lock is held. */
    private final Map<Long, Integer> held = new HashMap<>();

    private @Nullable Connection connection;
    private @Nullable Backend former;

    /** The server process of a connection. */
    private record Backend(int pid, OffsetDateTime startedAt) {}

    RequestKeyLocks(UnpooledConnections connections) {
        this.connections = connections;
    }

    /** Releases the claim of an ended call with the next round trip. Thread-safe. */
    void release(long lock) {
        released.add(lock);
    }

    /** Processes requests, and unlocks released claims. */
    void answer(List<KeyRequest> requests) throws SQLException {
        boolean fresh = connection == null;
        try {
            ask(requests);
        } catch (SQLException failed) {
            close();
            if (fresh) {
                throw failed;
            }
            ask(requests); // the connection had been lost before
        }
    }

    private void ask(List<KeyRequest> requests) throws SQLException {
        Connection current = connection();
        List<KeyRequest> claims = requests.stream()
                .filter(request -> request.mode() == Mode.CLAIM && !request.isAnswered())
                .toList();
        List<Long> unlocked = takeReleased();
        if (requests.isEmpty() && unlocked.isEmpty()) {
            return; // the released claims had no lock
        }
        Set<Long> elsewhere = new HashSet<>();
        Set<KeyRequest> known = new HashSet<>();
        try {
            exchange(current, requests, claims, unlocked, elsewhere, known);
        } catch (SQLException failed) {
            close();
            throw failed;
        }
        Set<KeyRequest> granted = new HashSet<>();
        for (KeyRequest claim : claims) {
            if (!elsewhere.contains(claim.lock())) {
                held.merge(claim.lock(), 1, Integer::sum);
                if (known.contains(claim)) {
                    release(claim.lock()); // the key is already taken
                } else {
                    granted.add(claim);
                }
            }
        }
        if (!requests.isEmpty()) {
            wakeUp.callers(requests.size(), () -> answerRest(requests, known, granted));
        }
    }

    /** Unlocks released claims when there are no requests. */
    void unlockReleased() throws SQLException {
        if (released.isEmpty()) {
            return;
        }
        if (connection == null) {
            takeReleased(); // their locks ended with the connection
        } else {
            ask(List.of());
        }
    }

    private List<Long> takeReleased() {
        List<Long> unlocked = new ArrayList<>();
        for (Long lock = released.poll(); lock != null; lock = released.poll()) {
            Long number = lock;
            if (held.containsKey(number)) {
                held.computeIfPresent(number, (_, times) -> times == 1 ? null : times - 1);
                unlocked.add(number);
            }
        }
        return unlocked;
    }

    // The lookup is a separate statement after the locks, so that it sees the key of a call that released its claim.
    private static void exchange(
            Connection current,
            List<KeyRequest> requests,
            List<KeyRequest> claims,
            List<Long> unlocked,
            Set<Long> elsewhere,
            Set<KeyRequest> known)
            throws SQLException {
        boolean ofOneAgent = isOfOneAgent(requests);
        boolean locking = !unlocked.isEmpty() || !claims.isEmpty();
        String sql = (locking ? LOCK : "") + (requests.isEmpty() ? "" : ofOneAgent ? FIND_OF_ONE_AGENT : FIND);
        try (PreparedStatement statement = current.prepareStatement(sql)) {
            int next = locking ? bindLocks(current, statement, unlocked, claims) : 1;
            if (!requests.isEmpty()) {
                bind(current, statement, next, requests, ofOneAgent);
            }
            statement.execute();
            if (locking) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        elsewhere.add(rows.getLong(1));
                    }
                }
                statement.getMoreResults();
            }
            if (!requests.isEmpty()) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        answer(requests, rows, known);
                    }
                }
            }
        }
    }

    private static int bindLocks(
            Connection current, PreparedStatement statement, List<Long> unlocked, List<KeyRequest> claims)
            throws SQLException {
        List<Long> all = new ArrayList<>(unlocked);
        claims.forEach(claim -> all.add(claim.lock()));
        int next = new ColumnArrays<>(current, statement, 1, all)
                .numbers(lock -> lock)
                .next();
        statement.setLong(next, unlocked.size());
        return next + 1;
    }

    private static boolean isOfOneAgent(List<KeyRequest> requests) {
        if (requests.isEmpty()) {
            return true;
        }
        StoredId first = requests.getFirst().id();
        return requests.stream()
                .allMatch(request -> request.id().agent().equals(first.agent())
                        && request.id().tenant().equals(first.tenant()));
    }

    private static void bind(
            Connection current, PreparedStatement find, int first, List<KeyRequest> requests, boolean ofOneAgent)
            throws SQLException {
        int next = first;
        if (ofOneAgent) {
            find.setString(next++, requests.getFirst().id().tenant());
            find.setString(next++, requests.getFirst().id().agent());
        } else {
            next = new ColumnArrays<>(current, find, next, requests)
                    .column(request -> request.id().tenant())
                    .column(request -> request.id().agent())
                    .next();
        }
        new ColumnArrays<>(current, find, next, requests)
                .column(request -> request.id().request());
    }

    // Few keys are found, so a linear search is cheap enough.
    private static void answer(List<KeyRequest> requests, ResultSet row, Set<KeyRequest> known) throws SQLException {
        StoredId id = new StoredId(row.getString(1), row.getString(2), row.getString(3));
        for (KeyRequest request : requests) {
            if (request.id().equals(id)) {
                known.add(request);
                try {
                    request.answer(read(row, request));
                } catch (RuntimeException unreadable) {
                    request.failed(unreadable);
                }
            }
        }
    }

    private static Earlier read(ResultSet row, KeyRequest request) throws SQLException {
        if (!row.getString(4).equals(request.key().digest())) {
            return new Earlier.OtherCall();
        }
        if (!row.getBoolean(5)) {
            OffsetDateTime permitUntil = row.getObject(8, OffsetDateTime.class);
            return row.getBoolean(6)
                    ? new Earlier.Held()
                    : permitUntil == null ? new Earlier.StillRunning() : new Earlier.Permitted(permitUntil.toInstant());
        }
        String outcome = row.getString(7);
        return outcome == null ? new Earlier.Forgotten() : new Earlier.SameCall(OutcomeJson.read(outcome));
    }

    private void answerRest(List<KeyRequest> requests, Set<KeyRequest> known, Set<KeyRequest> granted) {
        for (KeyRequest request : requests) {
            if (granted.contains(request)) {
                if (!request.answer(new Earlier.Nothing())) {
                    release(request.lock()); // its caller has stopped waiting
                }
            } else if (!known.contains(request)) {
                request.answer(request.mode() == Mode.FIND ? new Earlier.Nothing() : new Earlier.StillRunning());
            }
        }
    }

    private Connection connection() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = connections.open();
            connection = current;
            current.setNetworkTimeout(SAME_THREAD, NETWORK_TIMEOUT_MS);
            try (Statement settings = current.createStatement()) {
                planOnce(settings);
                // The locks of a gate whose machine is unreachable end within a minute.
                settings.execute("SET tcp_keepalives_idle = 15");
                settings.execute("SET tcp_keepalives_interval = 5");
                settings.execute("SET tcp_keepalives_count = 3");
            }
            reclaim(current);
        }
        return current;
    }

    // Tuning: the index is the right plan even before the table has statistics, for any number of ids. Otherwise every
    // lookup of fewer than ten ids would be planned again, which costs as much as the lookup itself.
    private static void planOnce(Statement settings) throws SQLException {
        settings.execute("SET plan_cache_mode = force_generic_plan");
        settings.execute("SET enable_seqscan = off");
        settings.execute("SET enable_hashjoin = off");
        settings.execute("SET enable_mergejoin = off");
    }

    // Running calls keep their claims when the connection is lost, unless another gate has claimed them since.
    private void reclaim(Connection current) throws SQLException {
        Backend gone = former;
        if (gone != null) {
            try (PreparedStatement end = current.prepareStatement(
                    "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE pid = ? AND backend_start = ?")) {
                end.setInt(1, gone.pid());
                end.setObject(2, gone.startedAt());
                end.executeQuery().close();
            }
        }
        try (PreparedStatement self = current.prepareStatement(
                        "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()");
                ResultSet row = self.executeQuery()) {
            former = row.next() ? new Backend(row.getInt(1), row.getObject(2, OffsetDateTime.class)) : null;
        }
        List<Long> again = new ArrayList<>();
        held.forEach((lock, times) -> {
            for (int i = 0; i < times; i++) {
                again.add(lock);
            }
        });
        if (again.isEmpty()) {
            return;
        }
        try (PreparedStatement lock = current.prepareStatement(LOCK)) {
            new ColumnArrays<>(current, lock, 1, again).numbers(number -> number);
            lock.setLong(2, 0);
            try (ResultSet rows = lock.executeQuery()) {
                while (rows.next()) {
                    held.remove(rows.getLong(1));
                    LOG.warn("The database connection was lost, and another gate has claimed the request id of"
                            + " a call that is running here; both calls are recorded");
                }
            }
        }
    }

    @Override
    public void close() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException alreadyLost) {
                // It is closed then.
            }
        }
    }
}
