package dev.toolgate.server.upstream;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.store.upstream.AccountSubject;
import dev.toolgate.store.upstream.StoredAccount;
import dev.toolgate.store.upstream.StoredServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/**
 * The connections to one server with user accounts: one for each account in use, never shared. Every call checks in the
 * database that its account is still connected.
 */
final class AccountConnections implements AutoCloseable {
    private static final int MAX_OPEN = 500;
    private static final long MAX_IDLE_NANOS = Duration.ofMinutes(10).toNanos();
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(45);
    private static final long POLL_NANOS = Duration.ofMillis(300).toNanos();
    private static final String QUESTION = "account";

    /** Opens the connection of an account. */
    @FunctionalInterface
    interface Opener {
        LiveServer open(StoredAccount account) throws McpFailure;
    }

    private record Open(UUID account, LiveServer server, long usedNanos) {}

    private final StoredServer stored;
    private final UserAccounts accounts;
    private final Opener opener;
    /** By subject, the least recently used first. */
    private final Map<String, Open> open = new LinkedHashMap<>();

    private boolean closed; // guarded by open

    AccountConnections(StoredServer stored, UserAccounts accounts, Opener opener) {
        this.stored = stored;
        this.accounts = accounts;
        this.opener = opener;
    }

    /**
     * The connection for a call.
     *
     * @throws ToolFailure if the caller has no account; the message contains the page to connect one
     */
    LiveServer of(ToolContext context) throws ToolFailure, InterruptedException {
        Caller caller = context.call().caller();
        Optional<StoredAccount> account = accounts.find(caller, stored);
        if (account.isEmpty() && isAccepted(context)) {
            account = awaitAccount(caller);
        }
        if (account.isEmpty()) {
            UserAccounts.subjects(caller).forEach(subject -> forget(subject.text()));
        }
        StoredAccount found = account.orElseThrow(() -> needed(caller));
        try {
            return of(found);
        } catch (McpFailure unusable) {
            throw new ToolFailure(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "The account at MCP server '" + stored.name() + "' cannot be used now: " + unusable.getMessage());
        }
    }

    /** The connection of a person's own account; empty if there is none. */
    Optional<LiveServer> of(AccountSubject subject) throws McpFailure {
        Optional<StoredAccount> account = accounts.find(stored, List.of(subject));
        return account.isEmpty() ? Optional.empty() : Optional.of(of(account.get()));
    }

    /** Closes the connection of an account that is no longer connected. */
    void forget(String subject) {
        Open gone;
        synchronized (open) {
            gone = open.remove(subject);
        }
        if (gone != null) {
            UpstreamRegistry.end(gone.server());
        }
    }

    /** Whether the account of a call is still connected. */
    boolean isConnected(Caller caller) {
        return accounts.find(caller, stored).isPresent();
    }

    /** The failure for a caller without an account, with the page to connect one. */
    ToolFailure needed(Caller caller) {
        String missing = "No account at MCP server '" + stored.name() + "' is connected for this caller";
        return accounts.page(caller, stored.name())
                .map(page -> new ToolFailure(
                        ErrorCode.ACCOUNT_NEEDED,
                        missing + "; open " + page + " in a browser, connect one and send the call again",
                        Map.of("connectUrl", page.toString())))
                .orElseGet(() -> new ToolFailure(
                        ErrorCode.ACCOUNT_NEEDED,
                        missing + ", and the public address of the gate is unknown; ask an operator to set"
                                + " http.public_url"));
    }

    private LiveServer of(StoredAccount account) throws McpFailure {
        List<LiveServer> unused = new ArrayList<>();
        try {
            synchronized (open) {
                if (closed) {
                    throw UpstreamRegistry.removed();
                }
                Open last = open.remove(account.subject());
                if (last != null && !last.account().equals(account.id())) {
                    unused.add(last.server());
                    last = null;
                }
                LiveServer server = last == null ? opener.open(account) : last.server();
                open.put(account.subject(), new Open(account.id(), server, System.nanoTime()));
                removeUnused(unused);
                return server;
            }
        } finally {
            unused.forEach(UpstreamRegistry::end);
        }
    }

    private void removeUnused(List<LiveServer> unused) {
        long now = System.nanoTime();
        var eldest = open.values().iterator();
        while (eldest.hasNext()) {
            Open each = eldest.next();
            if (open.size() <= MAX_OPEN && now - each.usedNanos() < MAX_IDLE_NANOS) {
                return;
            }
            eldest.remove();
            unused.add(each.server());
        }
    }

    // A client that can open URLs sends its user to the gate's page for connecting an account.
    private boolean isAccepted(ToolContext context) throws InterruptedException {
        Optional<URI> page = accounts.page(context.call().caller(), stored.name());
        if (page.isEmpty()) {
            return false;
        }
        ObjectNode params = Json.MAPPER
                .createObjectNode()
                .put("mode", "url")
                .put("url", page.get().toString())
                .put("message", "Connect your account at '" + stored.name() + "' to continue.");
        ObjectNode answer = context.ask(Map.of(QUESTION, new NeededInput(McpMethods.ELICIT, params)))
                .get(QUESTION);
        return answer != null && answer.path("action").asString("").equals("accept");
    }

    // Acceptance means that the user opens the page, not that the account is connected yet.
    private Optional<StoredAccount> awaitAccount(Caller caller) throws InterruptedException {
        long deadline = System.nanoTime() + CONNECT_TIMEOUT.toNanos();
        while (true) {
            Optional<StoredAccount> account = accounts.find(caller, stored);
            if (account.isPresent() || System.nanoTime() > deadline) {
                return account;
            }
            LockSupport.parkNanos(POLL_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public void close() {
        List<Runnable> ending;
        synchronized (open) {
            closed = true;
            ending = open.values().stream()
                    .<Runnable>map(each -> each.server()::close)
                    .toList();
            open.clear();
        }
        var _ = ParallelClose.run(ending, ParallelClose.TIMEOUT);
    }
}
