package dev.toolgate.server.upstream;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/**
 * The connections to one server with user accounts: one for each account in use, never shared. Every call checks in the
 * database that its account is still connected.
 */
final class AccountConnections implements AutoCloseable {
    private static final int MAX_OPEN = 500;
    private static final Duration MAX_IDLE = Duration.ofMinutes(10);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(45);
    private static final long POLL_NANOS = Duration.ofMillis(300).toNanos();
    private static final String QUESTION = "account";

    /** Opens the connection of an account. */
    @FunctionalInterface
    interface Opener {
        LiveServer open(StoredAccount account) throws McpFailure;
    }

    private final StoredServer stored;
    private final UserAccounts accounts;
    private final Opener opener;
    private final OpenConnections<LiveServer> open =
            new OpenConnections<>(MAX_OPEN, MAX_IDLE, System::nanoTime, UpstreamRegistry::end);

    AccountConnections(StoredServer stored, UserAccounts accounts, Opener opener) {
        this.stored = stored;
        this.accounts = accounts;
        this.opener = opener;
    }

    /**
     * The connection for a call; {@link #release} must be called when the call has ended.
     *
     * @throws ToolFailure if the caller has no account; the message contains the page to connect one
     */
    LiveServer of(ToolContext context) throws ToolFailure, InterruptedException {
        Caller caller = context.call().caller();
        Optional<StoredAccount> account = accounts.find(caller, stored);
        if (account.isEmpty() && isAccepted(context)) {
            account = awaitAccount(caller);
        }
        StoredAccount found = account.orElseThrow(() -> needed(accounts.toConnect(caller, stored)));
        try {
            return open.take(context, found.subject(), found.id(), () -> opener.open(found));
        } catch (McpFailure unusable) {
            throw new ToolFailure(
                    ErrorCode.SERVICE_UNAVAILABLE,
                    "The account at MCP server '" + stored.name() + "' cannot be used now: " + unusable.getMessage());
        }
    }

    /** The connection of a person's own account; empty if there is none. */
    Optional<LiveServer> of(AccountSubject subject) throws McpFailure {
        StoredAccount account = accounts.find(stored, List.of(subject)).orElse(null);
        return account == null
                ? Optional.empty()
                : Optional.of(open.get(account.subject(), account.id(), () -> opener.open(account)));
    }

    /** Says that a call has ended, so that its connection may be closed when it is unused for too long. */
    void release(ToolContext context) {
        open.release(context);
    }

    /** Closes the connection of an account that is no longer connected. */
    void forget(String subject) {
        open.forget(subject);
    }

    /**
     * The failure for a call whose credentials the server or its issuer refuses, with the page to connect its account
     * again: only the person can tell whether it has lost its access there.
     */
    ToolFailure refused(ToolContext context, Failure refusal) {
        AccountSubject owner = owner(context);
        if (accounts.find(stored, List.of(owner)).isEmpty()) {
            return needed(owner);
        }
        String message = refusal.message();
        return accounts.page(stored.name(), owner)
                .map(page -> new ToolFailure(
                        ErrorCode.CREDENTIALS_REFUSED,
                        message + (message.endsWith(".") ? " " : ". ")
                                + "If the account has lost its access there, open " + page
                                + " in a browser and connect it again",
                        Map.of("connectUrl", page.toString())))
                .orElseGet(() -> new ToolFailure(refusal, null));
    }

    // Not that of another account that the caller has as well: connecting that one again would change nothing.
    private AccountSubject owner(ToolContext context) {
        Caller caller = context.call().caller();
        Optional<String> used = open.subject(context);
        return UserAccounts.subjects(caller).stream()
                .filter(subject -> used.equals(Optional.of(subject.text())))
                .findFirst()
                .orElseGet(() -> accounts.toConnect(caller, stored));
    }

    /** The failure for a caller without an account, with the page to connect one. */
    private ToolFailure needed(AccountSubject owner) {
        String missing = "No account at MCP server '" + stored.name() + "' is connected for this caller";
        return accounts.page(stored.name(), owner)
                .map(page -> new ToolFailure(
                        ErrorCode.ACCOUNT_NEEDED,
                        missing + "; open " + page + " in a browser, connect one and send the call again",
                        Map.of("connectUrl", page.toString())))
                .orElseGet(() -> new ToolFailure(
                        ErrorCode.ACCOUNT_NEEDED,
                        missing + ", and the public address of the gate is unknown; ask an operator to set"
                                + " http.public_url"));
    }

    // A client that can open URLs sends its user to the gate's page for connecting an account.
    private boolean isAccepted(ToolContext context) throws InterruptedException {
        AccountSubject owner = accounts.toConnect(context.call().caller(), stored);
        Optional<URI> page = accounts.page(stored.name(), owner);
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
        List<Runnable> ending =
                open.close().stream().<Runnable>map(each -> each::close).toList();
        var _ = ParallelClose.run(ending, ParallelClose.TIMEOUT);
    }
}
