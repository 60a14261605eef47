package dev.toolgate.mcp.relay;

import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.client.transport.NotificationRetry;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.protocol.McpHeaders;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.ServerCapabilities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The session of a client of the legacy era. A pair of pipes has one session; if the server loses it, it is restarted
 * with the client's own {@code initialize} and set up as the client had done, and the client is told what it may have
 * missed.
 */
final class RelayedSession {
    private static final Logger LOG = LoggerFactory.getLogger(RelayedSession.class);
    private static final CallTimeout TIMEOUT = CallTimeout.of(Duration.ofSeconds(30));
    private static final int MAX_SUBSCRIPTIONS = 1_000;

    private final McpTransport server;
    private final Consumer<RpcMessage> client;
    private final SessionSetup setup = new SessionSetup(MAX_SUBSCRIPTIONS);
    private final AtomicLong ids = new AtomicLong();
    /** The number of the last session that a thread tries, or has tried, to restart. */
    private final AtomicInteger restarting = new AtomicInteger();

    private RpcMessage.@Nullable Request initialize;
    private volatile Map<String, String> headers = Map.of();
    private volatile int number;
    private volatile boolean mustRenew;
    private volatile boolean closed;

    RelayedSession(McpTransport server, Consumer<RpcMessage> client) {
        this.server = server;
        this.client = client;
    }

    /** Begins the session with the client's request. */
    synchronized RpcMessage.Response begin(RpcMessage.Request request) throws McpFailure {
        RpcMessage.Response answer = exchange(request, Map.of());
        if (answer instanceof RpcMessage.Result result) {
            initialize = request;
            headers = headers(result);
            setup.clear(number + 1);
            number++;
            mustRenew = false;
        }
        return answer;
    }

    private static Map<String, String> headers(RpcMessage.Result initialized) {
        return Map.of(
                McpHeaders.PROTOCOL_VERSION,
                McpHeaders.encode(initialized.result().path("protocolVersion").asString("")));
    }

    private RpcMessage.Response exchange(RpcMessage.Request request, Map<String, String> with) throws McpFailure {
        return server.exchange(
                new ClientCall(request.id(), request.method(), RpcWriter.bytes(request), with, TIMEOUT, _ -> {}));
    }

    private RpcMessage.Request request(String method, @Nullable ObjectNode params) {
        return new RpcMessage.Request(RpcId.of("relay-" + ids.incrementAndGet()), method, params);
    }

    /** The number of the current session; {@link #renew} takes the one that a refused request belonged to. */
    int number() {
        return number;
    }

    /** Whether the session was lost and could not be restarted yet. */
    boolean mustRenew() {
        return mustRenew;
    }

    /** The headers of the session's requests. */
    Map<String, String> headers() {
        return headers;
    }

    /**
     * Remembers what a request has set up in the session that it belonged to, and repeats it if there is another one
     * now.
     */
    void learn(RpcMessage.Request request, RpcMessage.Response answer, int session) {
        SessionSetup.Step step = setup.learn(request, answer, session);
        int current = number;
        if (step != null && session != current) {
            Thread.ofVirtual().name("mcp-relay-session").start(() -> repeat(List.of(step), current));
        }
    }

    /**
     * Restarts the session, unless another request has already done so. If it fails, the next request tries again, and
     * so does a background thread: nothing else would if the client only listens, since the transport may have stopped
     * listening to the lost session.
     */
    void renew(int lost) throws McpFailure {
        try {
            renewNow(lost);
        } catch (McpFailure failed) {
            restart(lost, 1);
            throw failed;
        }
    }

    private synchronized void renewNow(int lost) throws McpFailure {
        RpcMessage.Request first = initialize;
        if (first == null || lost != number) {
            return;
        }
        mustRenew = true;
        RpcMessage.Result result = accepted(exchange(request(first.method(), first.params()), Map.of()));
        Map<String, String> renewed = headers(result);
        server.send(new RpcMessage.Notification(McpMethods.INITIALIZED, null), renewed);
        headers = renewed;
        number++;
        mustRenew = false;
        server.listen(renewed);
        int current = number;
        // Not before the request that waits for the session: a client may have many subscriptions.
        Thread.ofVirtual().name("mcp-relay-session").start(() -> {
            notifyOfChanges(ServerCapabilities.read(result.result().get("capabilities")));
            repeat(setup.steps(), current);
        });
    }

    private static RpcMessage.Result accepted(RpcMessage.Response answer) throws McpFailure {
        return switch (answer) {
            case RpcMessage.Result result -> result;
            case RpcMessage.Failure failure ->
                throw new McpFailure(
                        McpFailureKind.SESSION_LOST,
                        "The server lost the session and refused a new one: "
                                + failure.error().message());
        };
    }

    /** Renews the session though no request waits for it, because the server's stream found it lost. */
    void restart() {
        restart(number, 0);
    }

    /**
     * Tries to renew a session until there is another one, unless a thread does so already.
     *
     * @param failed how many attempts have failed so far
     */
    private void restart(int lost, int failed) {
        if (restarting.getAndAccumulate(lost, Math::max) >= lost) {
            return;
        }
        Thread.ofVirtual().name("mcp-relay-session").start(() -> {
            for (int failures = failed; isCurrent(lost); failures++) {
                if (failures > 0) {
                    pause(failures);
                }
                try {
                    renewNow(lost);
                } catch (McpFailure why) {
                    LOG.debug("A lost session could not be restarted: {}", why.getMessage());
                }
            }
        });
    }

    private static void pause(int failures) {
        LockSupport.parkNanos(NotificationRetry.growing(Duration.ZERO, failures).toNanos());
    }

    /** Repeats steps in a new session, and those that fail again after a pause, as long as there is no other session. */
    private void repeat(List<SessionSetup.Step> steps, int session) {
        List<SessionSetup.Step> left = failed(steps, session);
        if (!left.isEmpty()) {
            LOG.warn("{} requests could not be repeated in a new session and are tried again", left.size());
        }
        for (int failures = 1; !left.isEmpty() && isCurrent(session); failures++) {
            pause(failures);
            left = failed(left, session);
        }
    }

    private boolean isCurrent(int session) {
        return session == number && !closed;
    }

    /** Repeats steps in a new session, and returns those that failed. */
    private List<SessionSetup.Step> failed(List<SessionSetup.Step> steps, int session) {
        List<SessionSetup.Step> failed = new ArrayList<>();
        for (SessionSetup.Step step : steps) {
            if (isCurrent(session) && setup.isWanted(step)) {
                try {
                    repeat(step);
                } catch (McpFailure why) {
                    LOG.debug("{} could not be repeated in a new session: {}", step.method(), why.getMessage());
                    failed.add(step);
                }
            }
        }
        return failed;
    }

    private void repeat(SessionSetup.Step step) throws McpFailure {
        if (exchange(request(step.method(), step.params()), headers) instanceof RpcMessage.Failure refused) {
            // It accepted the same request before. One that has just started may not know all its resources yet.
            throw McpFailure.answered(refused.error());
        }
        if (step.method().equals(McpMethods.RESOURCES_SUBSCRIBE)) {
            ObjectNode uri = JsonNodeFactory.instance.objectNode();
            uri.set("uri", step.params().get("uri"));
            client.accept(new RpcMessage.Notification(McpMethods.RESOURCE_UPDATED, uri));
        }
    }

    /** Nothing is repeated any more: the client has gone. */
    void close() {
        closed = true;
    }

    private void notifyOfChanges(@Nullable ServerCapabilities offered) {
        if (offered == null) {
            return;
        }
        if (offered.announcesToolChanges()) {
            client.accept(new RpcMessage.Notification(McpMethods.TOOLS_CHANGED, null));
        }
        if (offered.announcesResourceChanges()) {
            client.accept(new RpcMessage.Notification(McpMethods.RESOURCES_CHANGED, null));
        }
        if (offered.announcesPromptChanges()) {
            client.accept(new RpcMessage.Notification(McpMethods.PROMPTS_CHANGED, null));
        }
    }
}
