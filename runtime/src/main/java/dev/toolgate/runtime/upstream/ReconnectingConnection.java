package dev.toolgate.runtime.upstream;

import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.ClientSettings;
import dev.toolgate.mcp.client.McpClient;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one server: opened on first use, given up when the server no longer answers, opened again with
 * back-off, and closed while a program is idle. A request that the server may have executed is never sent twice.
 */
final class ReconnectingConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectingConnection.class);

    /** How long to wait for the answer to a request that does not set its own timeout. */
    static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(1);

    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration PING_TIMEOUT = Duration.ofSeconds(5);
    private static final long RELIST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_CALLS = 256;

    /** What the connection is for. No lock of the connection is held during these calls, except that of connecting. */
    interface Owner {
        /** Reads the tools over a connection; the first request over a new one. */
        void listTools(ServerConnection open) throws McpFailure;

        /** Subscribes to changes of lists, over a new connection. */
        void subscribe(ServerConnection open) throws McpFailure;

        /** There is a new connection; must not block. */
        void sessionOpened();

        /** Whether somebody waits for notifications, so that the connection is needed without calls. Must not block. */
        boolean hasSubscriptions();

        /** Whether the last list of tools has been read and handled. */
        boolean hasListedTools();

        /** The state of the connection may have changed. */
        void stateChanged();

        void promptsChanged();

        void resourcesChanged();

        void resourceUpdated(String uri);
    }

    /**
     * Sends one request and returns its result.
     *
     * @param <X> why it was not sent
     */
    @FunctionalInterface
    interface Request<T, X extends Exception> {
        T send(ServerConnection open) throws McpFailure, X;
    }

    /** Whether a request delays the stop of an idle program. */
    private enum CountsAsUse {
        YES,
        NO
    }

    /** What becomes of the calls in progress over a connection that is given up. */
    private enum CallsInProgress {
        FAIL,
        CONTINUE
    }

    private final UpstreamSettings settings;
    private final ServerConnector connector;
    private final BackOff backOff;
    private final Owner owner;

    /** Held while connecting; other threads wait for the result. */
    private final ReentrantLock connecting = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable ServerConnection connection; // guarded by lock
    /** Connections that are used for no new call, and closed after their last one. Guarded by lock. */
    private final Set<ServerConnection> retired = new HashSet<>();

    private int failures; // consecutive; guarded by lock
    private int calls; // in progress; guarded by lock
    /** Whether the maintenance waits for the end of all calls. Guarded by lock. */
    private boolean awaitsLastCall;

    private long lastUsedNanos; // guarded by lock
    private long lastAnswerNanos; // guarded by lock
    private long lastListedNanos; // guarded by lock
    /** Whether the tools need to be listed again. Guarded by lock. */
    private boolean listChanged;

    private int failedListings; // consecutive; guarded by lock
    /** How long to wait after a listing before the next. Guarded by lock. */
    private long relistPauseNanos = RELIST_PAUSE_NANOS;

    private boolean closed; // guarded by lock
    private volatile UpstreamState state = new UpstreamState.NotStarted();
    private volatile @Nullable Era era;
    private final Thread maintenance;

    /** Not connected yet. */
    ReconnectingConnection(UpstreamSettings settings, ServerConnector connector, BackOff backOff, Owner owner) {
        this.settings = settings;
        this.connector = connector;
        this.backOff = backOff;
        this.owner = owner;
        this.maintenance =
                Thread.ofVirtual().name("toolgate-mcp-" + settings.name()).unstarted(this::maintain);
    }

    /** Starts the maintenance; called once. */
    void start() {
        maintenance.start();
    }

    /** Decides again whether the connection is idle; called when a subscription has ended. */
    void reconsiderIdle() {
        lock.lock();
        try {
            lastUsedNanos = System.nanoTime();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    UpstreamState state() {
        return state;
    }

    /** Sends a request, after connecting if needed; any number of threads may do so concurrently. */
    <T, X extends Exception> T use(Request<T, X> request) throws McpFailure, X {
        return send(request, CountsAsUse.YES);
    }

    /** Like {@link #use}, but a program that gets only such requests is stopped as idle. */
    <T, X extends Exception> T useUncounted(Request<T, X> request) throws McpFailure, X {
        return send(request, CountsAsUse.NO);
    }

    private <T, X extends Exception> T send(Request<T, X> request, CountsAsUse counts) throws McpFailure, X {
        for (int attempt = 1; ; attempt++) {
            ServerConnection used = take();
            try {
                T result = request.send(used);
                recordAnswer(used);
                return result;
            } catch (McpFailure failed) {
                handleFailure(used, failed);
                // Certainly not executed, and the connection is gone: retried once over a new one.
                boolean lost = failed.kind() == McpFailureKind.NOT_SENT || failed.kind() == McpFailureKind.SESSION_LOST;
                if (attempt > 1
                        || !lost
                        || !used.isOver()
                        || Thread.currentThread().isInterrupted()) {
                    throw failed;
                }
            } finally {
                release(used, counts);
            }
        }
    }

    private ServerConnection take() throws McpFailure {
        while (true) {
            ServerConnection current = connected();
            lock.lock();
            try {
                if (current.equals(connection)) {
                    if (calls >= MAX_CALLS) {
                        throw new McpFailure(
                                McpFailureKind.NOT_SENT, "The server already has " + MAX_CALLS + " calls in progress.");
                    }
                    calls++;
                    current.beginCall();
                    return current;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void release(ServerConnection used, CountsAsUse counts) {
        boolean unused;
        lock.lock();
        try {
            calls--;
            used.endCall();
            unused = !used.hasCalls() && retired.remove(used);
            if (counts == CountsAsUse.YES) {
                lastUsedNanos = System.nanoTime();
            }
            if (calls == 0 && awaitsLastCall) {
                awaitsLastCall = false;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (unused) {
            closeInBackground(used);
        }
    }

    private static void closeInBackground(ServerConnection gone) {
        Thread.ofVirtual().name("toolgate-mcp-close").start(gone::close);
    }

    private @Nullable ServerConnection current() throws McpFailure {
        lock.lock();
        try {
            if (closed) {
                throw new McpFailure(McpFailureKind.NOT_SENT, "The server has been removed.");
            }
            return connection;
        } finally {
            lock.unlock();
        }
    }

    private ServerConnection connected() throws McpFailure {
        ServerConnection current = current();
        if (current != null) {
            return current;
        }
        refuseUntilRetry();
        try {
            connecting.lockInterruptibly();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(McpFailureKind.CANCELLED, "The thread of the request was interrupted.", stopped);
        }
        try {
            current = current();
            if (current != null) {
                return current;
            }
            refuseUntilRetry(); // another thread may have failed to connect in the meantime
            return connect();
        } finally {
            connecting.unlock();
        }
    }

    private void refuseUntilRetry() throws McpFailure {
        if (state instanceof UpstreamState.Unavailable unavailable
                && Instant.now().isBefore(unavailable.retryAt())) {
            throw new McpFailure(McpFailureKind.UNREACHABLE, unavailable.why());
        }
    }

    private ServerConnection connect() throws McpFailure {
        ServerConnection opened = new ServerConnection(new Events());
        try {
            opened.use(McpClient.connect(connector.open(), clientSettings(opened)));
            list(opened);
            owner.subscribe(opened);
            adopt(opened);
            return opened;
        } catch (McpFailure failed) {
            abandon(opened);
            if (failed.kind() != McpFailureKind.CANCELLED) {
                notConnected(String.valueOf(failed.getMessage()));
            }
            throw failed;
        } catch (RuntimeException | Error unexpected) {
            abandon(opened);
            // Its message may contain anything; it is thrown to a caller, or to the maintenance, which logs it.
            notConnected(
                    "An unexpected error occurred: " + unexpected.getClass().getSimpleName() + ".");
            throw unexpected;
        }
    }

    private void abandon(ServerConnection opened) {
        opened.end();
        closeInBackground(opened);
        era = null; // it may have changed with a new version of the server
    }

    private ClientSettings clientSettings(ServerConnection opened) {
        ClientSettings common = ClientSettings.of(new Implementation("toolgate", "1"))
                .withListener(opened)
                .withInput(CallerInput.CAPABILITIES, CallerInput.REFUSE_ALL)
                .withLogLevel(LogLevel.INFO)
                // The server may have been restarted as another version: nothing is sent before its tools are listed.
                .withRefused(ClientSettings.RefusedRequests.FAIL)
                .withTimeouts(CallTimeout.of(ANSWER_TIMEOUT), PROBE_TIMEOUT);
        Era known = era;
        return known == null ? common : common.withKnownEra(known);
    }

    private void adopt(ServerConnection opened) throws McpFailure {
        lock.lock();
        try {
            if (closed || opened.isOver()) {
                throw new McpFailure(
                        closed ? McpFailureKind.NOT_SENT : McpFailureKind.UNREACHABLE,
                        closed ? "The server has been removed." : "The server has ended after it was started.");
            }
            connection = opened;
            lastUsedNanos = System.nanoTime();
            lastAnswerNanos = lastUsedNanos;
            era = opened.server().era();
            state = new UpstreamState.Connected(opened.server(), Instant.now());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        owner.stateChanged();
        owner.sessionOpened();
    }

    /** Connects if needed and lists the tools again. */
    void listTools() throws McpFailure {
        var _ = use(open -> {
            list(open);
            return open;
        });
    }

    /** Has the maintenance list the tools again. */
    private void listLater() {
        lock.lock();
        try {
            listChanged = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void list(ServerConnection open) throws McpFailure {
        lock.lock();
        try {
            listChanged = false; // before the request, so that a change during it is not lost
            lastListedNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
        try {
            owner.listTools(open);
        } catch (McpFailure | RuntimeException | Error failed) {
            listAgain(open);
            throw failed;
        }
        lock.lock();
        try {
            failedListings = 0;
            relistPauseNanos = RELIST_PAUSE_NANOS;
        } finally {
            lock.unlock();
        }
    }

    /** Has the maintenance list the tools again after this failed, which leaves outdated ones; with back-off. */
    private void listAgain(ServerConnection open) {
        lock.lock();
        try {
            if (open.equals(connection)) { // a new connection lists anyway
                listChanged = true;
                lastListedNanos = System.nanoTime(); // it may have failed only after a long time
                failedListings++;
                relistPauseNanos =
                        RELIST_PAUSE_NANOS + backOff.after(failedListings + 1).toNanos();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void recordAnswer(ServerConnection used) {
        lock.lock();
        try {
            if (!used.isOver()) {
                failures = 0;
            }
            lastAnswerNanos = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    private void handleFailure(ServerConnection used, McpFailure failed) {
        switch (failed.kind()) {
            case SERVER_ERROR -> {
                recordAnswer(used);
                if (isHeaderMismatch(failed)) {
                    listLater();
                }
            }
            case UNREACHABLE, SESSION_LOST -> retire(used, String.valueOf(failed.getMessage()));
            case NOT_SENT -> {
                if (hasEnded(failed)) {
                    lost(used, String.valueOf(failed.getMessage()));
                } else if (!Thread.currentThread().isInterrupted()) {
                    pingInBackground(used);
                }
            }
            case TIMEOUT, CONNECTION_LOST -> pingInBackground(used);
            case INVALID_ANSWER,
                    TOO_LARGE,
                    CANCELLED,
                    INPUT_REFUSED,
                    UNAUTHORIZED,
                    CREDENTIALS_UNAVAILABLE,
                    ADDRESS_REFUSED,
                    HTTP_STATUS -> {} // says nothing about the other calls
        }
    }

    /** Whether a tool needs other headers than its last definition says, so that it must have changed. */
    private static boolean isHeaderMismatch(McpFailure failed) {
        RpcError error = failed.error();
        return error != null && error.code() == RpcErrorCode.HEADER_MISMATCH.code();
    }

    /**
     * Whether a request was not sent because its connection had ended before, which all its calls know by now. This may
     * be known here a little earlier than the event of the end.
     */
    private static boolean hasEnded(McpFailure failed) {
        return failed.kind() == McpFailureKind.NOT_SENT && failed.getCause() instanceof McpFailure;
    }

    private void pingInBackground(ServerConnection used) {
        if (used.beginPing()) {
            Thread.ofVirtual().name("toolgate-mcp-ping").start(() -> {
                try {
                    ping(used);
                } finally {
                    used.endPing();
                }
            });
        }
    }

    // A slow tool does not mean a dead server: the connection is given up only if a ping fails as well. Calls in
    // progress are given up only if the server is silent, since it may refuse a ping, for example because of a rate
    // limit, and still answer them. Some servers handle one request at a time and read no other, so silence is ignored
    // while a call is in progress, unless the server has not answered anything for too long.
    private void ping(ServerConnection used) {
        if (used.isOver()) {
            return;
        }
        try {
            used.client().ping(CallOptions.DEFAULT.withTimeout(CallTimeout.of(PING_TIMEOUT)));
        } catch (McpFailure dead) {
            switch (dead.kind()) {
                case SERVER_ERROR, CREDENTIALS_UNAVAILABLE, CANCELLED -> {}
                case SESSION_LOST -> retire(used, String.valueOf(dead.getMessage()));
                case INVALID_ANSWER, TOO_LARGE -> {
                    // A program is ended when it is started again, so its calls in progress would not survive that.
                    if (!isProgram() || !isBusy(used)) {
                        retire(used, noLongerAnswers(dead));
                    }
                }
                case INPUT_REFUSED, CONNECTION_LOST, UNREACHABLE, UNAUTHORIZED, ADDRESS_REFUSED, HTTP_STATUS ->
                    retire(used, noLongerAnswers(dead));
                case TIMEOUT, NOT_SENT -> {
                    if (!isBusy(used)) {
                        lost(used, noLongerAnswers(dead));
                    }
                }
            }
        }
    }

    private static String noLongerAnswers(McpFailure dead) {
        return "The server no longer answers: " + dead.getMessage();
    }

    private boolean isBusy(ServerConnection used) {
        lock.lock();
        try {
            return used.hasCalls()
                    && System.nanoTime() - lastAnswerNanos < settings.timeout().toNanos();
        } finally {
            lock.unlock();
        }
    }

    private void lost(ServerConnection gone, String why) {
        giveUp(gone, why, CallsInProgress.FAIL);
    }

    /** Like {@link #lost}, but calls in progress, which the server may still answer, are waited for. */
    private void retire(ServerConnection gone, String why) {
        giveUp(gone, why, CallsInProgress.CONTINUE);
    }

    private void giveUp(ServerConnection gone, String why, CallsInProgress inProgress) {
        boolean wasCurrent;
        boolean unneeded;
        lock.lock(); // once, so that no call begins over a connection that is closed at once
        try {
            if (!gone.end()) {
                return;
            }
            wasCurrent = gone.equals(connection);
            if (wasCurrent) {
                connection = null;
                retryLater(why, failures + 1);
            }
            unneeded = closed || inProgress == CallsInProgress.FAIL || !gone.hasCalls();
            if (!unneeded) {
                retired.add(gone);
            }
        } finally {
            lock.unlock();
        }
        if (wasCurrent) {
            reportUnavailable(why);
        }
        if (unneeded) {
            closeInBackground(gone);
        }
    }

    /** Handles a failed attempt to connect. */
    private void notConnected(String why) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            retryLater(why, Math.max(failures, 1) + 1); // so that the wait is never zero
        } finally {
            lock.unlock();
        }
        reportUnavailable(why);
    }

    private void retryLater(String why, int consecutiveFailures) {
        failures = consecutiveFailures;
        Instant now = Instant.now();
        state = new UpstreamState.Unavailable(why, now, now.plus(backOff.after(failures)));
        changed.signalAll();
    }

    private void reportUnavailable(String why) {
        LOG.warn("MCP server '{}' is unavailable: {}", settings.name(), why);
        owner.stateChanged();
    }

    /** The next task of the maintenance thread. */
    private enum MaintenanceTask {
        CONNECT,
        LIST,
        STOP,
        END
    }

    private void maintain() {
        try {
            for (MaintenanceTask next = awaitTask(); next != MaintenanceTask.END; next = awaitTask()) {
                try {
                    switch (next) {
                        case CONNECT -> connected();
                        case LIST -> listNow();
                        case STOP -> stopIdle();
                        case END -> {}
                    }
                } catch (McpFailure failed) {
                    LOG.debug("MCP server '{}': {}", settings.name(), failed.getMessage());
                } catch (RuntimeException | Error unexpected) {
                    LOG.error("The maintenance of MCP server '{}' failed", settings.name(), unexpected);
                }
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private MaintenanceTask awaitTask() throws InterruptedException {
        lock.lock();
        try {
            while (!closed) {
                long wait = Long.MAX_VALUE;
                if (connection != null && listChanged) {
                    wait = lastListedNanos + relistPauseNanos - System.nanoTime();
                    if (wait <= 0) {
                        return MaintenanceTask.LIST;
                    }
                }
                // Also while the tools need to be listed: the list of a server may keep failing.
                if (connection != null && isProgram() && !owner.hasSubscriptions()) {
                    if (calls > 0) {
                        awaitsLastCall = true;
                    } else {
                        long untilIdle = lastUsedNanos + settings.idleStop().toNanos() - System.nanoTime();
                        if (untilIdle <= 0) {
                            return MaintenanceTask.STOP;
                        }
                        wait = Math.min(wait, untilIdle);
                    }
                } else if (state instanceof UpstreamState.Unavailable gone && retriesByItself()) {
                    wait = Duration.between(Instant.now(), gone.retryAt()).toNanos();
                    if (wait <= 0) {
                        return MaintenanceTask.CONNECT;
                    }
                }
                changed.awaitNanos(wait);
            }
            return MaintenanceTask.END;
        } finally {
            lock.unlock();
        }
    }

    // Does not count as use, so that a program that keeps changing its list is still stopped when idle.
    private void listNow() throws McpFailure {
        ServerConnection current = current();
        if (current != null) {
            try {
                list(current);
            } catch (McpFailure failed) {
                handleFailure(current, failed);
                throw failed;
            }
        }
    }

    // A program whose tools are known is restarted by the next call, not earlier, unless notifications are expected.
    private boolean retriesByItself() {
        return !isProgram() || !owner.hasListedTools() || owner.hasSubscriptions();
    }

    private boolean isProgram() {
        return switch (settings.endpoint()) {
            case UpstreamEndpoint.Program _ -> true;
            case UpstreamEndpoint.Remote _ -> false;
        };
    }

    private void stopIdle() {
        ServerConnection idle;
        lock.lock();
        try {
            idle = connection;
            if (idle == null || calls > 0 || owner.hasSubscriptions()) {
                return;
            }
            connection = null;
            idle.end();
            state = new UpstreamState.NotStarted();
        } finally {
            lock.unlock();
        }
        idle.close();
        LOG.debug("MCP server '{}' was stopped because it was idle", settings.name());
        owner.stateChanged();
    }

    /** Disconnects cleanly; requests in progress fail. */
    @Override
    public void close() {
        ServerConnection open;
        lock.lock();
        try {
            closed = true;
            open = connection;
            connection = null;
            state = new UpstreamState.NotStarted();
            retired.forEach(ReconnectingConnection::closeInBackground);
            retired.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.end();
            open.close();
        }
        connector.close();
        maintenance.interrupt();
    }

    /** Handles the events of an open connection. */
    private final class Events implements ServerConnection.Events {
        @Override
        public void lost(ServerConnection connection, String why) {
            ReconnectingConnection.this.lost(connection, why);
        }

        @Override
        public void sessionLost(ServerConnection connection) {
            retire(connection, "The server no longer knows the session.");
        }

        @Override
        public void toolsChanged() {
            listLater();
        }

        @Override
        public void promptsChanged() {
            owner.promptsChanged();
        }

        @Override
        public void resourcesChanged() {
            owner.resourcesChanged();
        }

        @Override
        public void resourceUpdated(String uri) {
            owner.resourceUpdated(uri);
        }
    }
}
