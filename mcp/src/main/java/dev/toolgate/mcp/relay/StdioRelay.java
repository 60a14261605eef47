package dev.toolgate.mcp.relay;

import dev.toolgate.mcp.client.ProtocolHeaders;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.jsonrpc.LineReader;
import dev.toolgate.mcp.jsonrpc.RpcError;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.jsonrpc.RpcWriter;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.MetaKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Relays the messages of one client on a pair of pipes to a server over HTTP and back, in the era that the client
 * chooses. Messages are unchanged, including their ids. What HTTP needs in addition (session, headers, one stream per
 * request) is added here.
 */
public final class StdioRelay {
    private static final Logger LOG = LoggerFactory.getLogger(StdioRelay.class);
    private static final int MAX_REQUESTS = 256;
    private static final Duration LAST_WAIT = Duration.ofSeconds(2);

    private final McpTransport server;
    private final LineReader lines;
    private final RpcReader reader;
    private final ClientPipe client;
    private final RelayedSession session;
    private final MirroredArguments mirrored = new MirroredArguments();
    private final Semaphore permits = new Semaphore(MAX_REQUESTS);
    private final Phaser threads = new Phaser(1);
    private final ConcurrentMap<RpcId, ClientCall> running = new ConcurrentHashMap<>();

    /**
     * @param server closed when the relay ends
     */
    public StdioRelay(McpTransport server, RpcLimits limits, InputStream in, OutputStream out) {
        this.server = server;
        this.lines = new LineReader(in, limits.maxBytes());
        this.reader = new RpcReader(limits);
        this.client = new ClientPipe(out);
        this.session = new RelayedSession(server, client::send);
    }

    /** Serves the client until it closes its pipe; requests still running then are cancelled after a short wait. */
    public void run() throws IOException {
        server.listener(new McpTransport.Listener() {
            @Override
            public void received(RpcMessage message) {
                client.send(message);
            }

            @Override
            public void ended(McpFailure why) {} // every request fails on its own

            @Override
            public void sessionLost() {
                session.restart();
            }
        });
        try {
            for (LineReader.Line line = lines.next(); line != null; line = lines.next()) {
                switch (line) {
                    case LineReader.Whole whole -> take(whole.bytes());
                    case LineReader.TooLong tooLong ->
                        client.refuse(
                                null,
                                RpcErrorCode.INVALID_REQUEST.error(
                                        "The message has " + tooLong.length() + " bytes, more than are accepted."));
                }
            }
        } finally {
            cancelAll(call -> call.method().equals(McpMethods.LISTEN));
            awaitRunning();
            cancelAll(_ -> true);
            session.close();
            server.close();
        }
    }

    private void cancelAll(Predicate<ClientCall> which) {
        running.values().stream().filter(which).forEach(call -> call.end(cancelled("The client closed its pipe.")));
    }

    private void awaitRunning() {
        try {
            threads.awaitAdvanceInterruptibly(threads.arrive(), LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.debug("Some requests did not end within {} s and are cancelled", LAST_WAIT.toSeconds());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(byte[] line) {
        RpcMessage message;
        try {
            message = reader.read(line);
        } catch (RpcException malformed) {
            client.refuse(malformed.id(), malformed.error());
            return;
        }
        switch (message) {
            case RpcMessage.Request request -> take(request);
            case RpcMessage.Notification notification -> take(notification);
            case RpcMessage.Response response -> passOn(response);
        }
    }

    private void take(RpcMessage.Request request) {
        if (request.method().equals(McpMethods.INITIALIZE) && version(request) == null) {
            begin(request);
            return;
        }
        if (!permits.tryAcquire()) {
            client.refuse(
                    request.id(),
                    RpcErrorCode.INVALID_REQUEST.error(
                            "More than " + MAX_REQUESTS + " requests at once; wait for some of them."));
            return;
        }
        ClientCall call = call(request);
        if (running.putIfAbsent(request.id(), call) != null) {
            permits.release();
            client.refuse(
                    request.id(),
                    RpcErrorCode.INVALID_REQUEST.error(
                            "A request with the id " + request.id() + " is still running; use every id once."));
            return;
        }
        threads.register();
        Thread.ofVirtual().name("mcp-relay").start(() -> {
            try {
                relay(request, call);
            } finally {
                running.remove(request.id());
                permits.release();
                threads.arriveAndDeregister();
            }
        });
    }

    // On the reading thread, so that no later message of the client overtakes it.
    private void begin(RpcMessage.Request request) {
        try {
            client.send(session.begin(request));
        } catch (McpFailure failed) {
            client.refuse(request.id(), error(failed));
        }
    }

    /** The modern revision of a request; null if it belongs to a session. */
    private static @Nullable String version(RpcMessage.Request request) {
        ObjectNode params = request.params();
        JsonNode version = params == null ? null : params.path(MetaKeys.META).get(MetaKeys.PROTOCOL_VERSION);
        return version == null ? null : version.asString("");
    }

    private ClientCall call(RpcMessage.Request request) {
        String version = version(request);
        Map<String, String> headers = version == null
                ? session.headers()
                : ProtocolHeaders.of(
                        Era.MODERN,
                        version,
                        request.method(),
                        request.params(),
                        mirrored.of(request.method(), request.params()));
        return new ClientCall(
                request.id(), request.method(), RpcWriter.bytes(request), headers, CallTimeout.NONE, client::send);
    }

    private void relay(RpcMessage.Request request, ClientCall call) {
        try {
            RpcMessage.Response answer = exchange(request, call);
            mirrored.learn(request, answer);
            client.send(
                    answer instanceof RpcMessage.Failure failure && failure.id() == null
                            ? new RpcMessage.Failure(request.id(), failure.error())
                            : answer);
        } catch (McpFailure failed) {
            // A request that its client has cancelled is not answered.
            if (failed.kind() != McpFailureKind.CANCELLED) {
                client.refuse(request.id(), error(failed));
            }
        }
    }

    private RpcMessage.Response exchange(RpcMessage.Request request, ClientCall call) throws McpFailure {
        int number = session.number();
        if (!session.mustRenew()) {
            try {
                return learned(request, server.exchange(call), number);
            } catch (McpFailure failed) {
                // The server has refused the request, so a retry does not run it twice.
                if (failed.kind() != McpFailureKind.SESSION_LOST) {
                    throw failed;
                }
            }
        }
        session.renew(number);
        int renewed = session.number();
        ClientCall again = call(request);
        running.replace(request.id(), call, again);
        call.onEnd(() -> cancel(again, call.ended())); // it may have been cancelled in the meantime
        return learned(request, server.exchange(again), renewed);
    }

    private RpcMessage.Response learned(RpcMessage.Request request, RpcMessage.Response answer, int number) {
        session.learn(request, answer, number);
        return answer;
    }

    private static void cancel(ClientCall call, @Nullable McpFailure why) {
        if (why != null) {
            call.end(why);
        }
    }

    private static RpcError error(McpFailure failed) {
        RpcError answered = failed.error();
        return answered == null ? RpcErrorCode.INTERNAL_ERROR.error(String.valueOf(failed.getMessage())) : answered;
    }

    private void take(RpcMessage.Notification notification) {
        ObjectNode params = notification.params();
        JsonNode id = params == null ? null : params.get("requestId");
        RpcId cancelled = notification.method().equals(McpMethods.CANCELLED) && id != null ? RpcId.read(id) : null;
        ClientCall call = cancelled == null ? null : running.get(cancelled);
        if (cancelled == null || isOfSession(call)) {
            passOn(notification);
        }
        if (call != null) {
            // In the modern era a request is cancelled by closing its stream.
            call.end(cancelled("The client cancelled the request."));
        }
        if (notification.method().equals(McpMethods.INITIALIZED)) {
            server.listen(session.headers());
        }
    }

    private boolean isOfSession(@Nullable ClientCall call) {
        return call != null && call.headers().equals(session.headers());
    }

    private static McpFailure cancelled(String why) {
        return new McpFailure(McpFailureKind.CANCELLED, why);
    }

    private void passOn(RpcMessage message) {
        try {
            server.send(message, session.headers());
        } catch (McpFailure failed) {
            LOG.warn("A message of the client could not be relayed: {}", failed.getMessage());
        }
    }
}
