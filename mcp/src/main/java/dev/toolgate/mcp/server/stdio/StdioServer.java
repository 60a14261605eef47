package dev.toolgate.mcp.server.stdio;

import dev.toolgate.mcp.jsonrpc.LineReader;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.jsonrpc.RpcReader;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.server.McpEngine;
import dev.toolgate.mcp.server.ModernRequests;
import dev.toolgate.mcp.server.Peer;
import dev.toolgate.mcp.server.Subscription;
import dev.toolgate.mcp.server.offer.CancelSignal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves one client over a pair of pipes, in the era it chooses: {@code initialize} begins a session that lasts until
 * the pipes are closed, requests of the modern era are self-contained.
 */
public final class StdioServer {
    private static final Logger LOG = LoggerFactory.getLogger(StdioServer.class);
    private static final int MAX_REQUESTS = 256;
    private static final Duration LAST_WAIT = Duration.ofSeconds(5);
    private static final Duration FOREVER = Duration.ofDays(1);

    private final McpEngine engine;
    private final LineReader lines;
    private final RpcReader reader;
    private final PipeWriter out;
    private final Object caller;
    private final String scope = "stdio-" + UUID.randomUUID();
    private final Semaphore permits = new Semaphore(MAX_REQUESTS);
    private final Phaser running = new Phaser(1);
    private final ConcurrentMap<RpcId, Subscription> subscriptions = new ConcurrentHashMap<>();
    private volatile @Nullable ProcessSession session;
    private volatile boolean ended;

    public StdioServer(McpEngine engine, RpcLimits limits, InputStream in, OutputStream out, Object caller) {
        this.engine = engine;
        this.lines = new LineReader(in, limits.maxBytes());
        this.reader = new RpcReader(limits);
        this.out = new PipeWriter(out);
        this.caller = caller;
    }

    /** Serves the client until it closes its pipe; requests still running then are cancelled and awaited briefly. */
    public void run() throws IOException {
        try {
            for (LineReader.Line line = lines.next(); line != null; line = lines.next()) {
                switch (line) {
                    case LineReader.Whole whole -> take(whole.bytes());
                    case LineReader.TooLong tooLong ->
                        refuse(
                                null,
                                RpcErrorCode.INVALID_REQUEST.exception(
                                        "The message has " + tooLong.length() + " bytes, more than are accepted."));
                }
            }
        } finally {
            ended = true;
            engine.endSession(scope);
            subscriptions.values().forEach(Subscription::close);
            awaitRunning();
        }
    }

    private void awaitRunning() {
        try {
            running.awaitAdvanceInterruptibly(running.arrive(), LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.warn("Some requests were cancelled and did not end within {} s", LAST_WAIT.toSeconds());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(byte[] line) throws IOException {
        RpcMessage message;
        try {
            message = reader.read(line);
        } catch (RpcException malformed) {
            refuse(malformed.id(), malformed);
            return;
        }
        switch (message) {
            case RpcMessage.Request request -> start(request);
            case RpcMessage.Notification notification -> notified(notification);
            case RpcMessage.Response response -> {
                if (!engine.answered(scope, response)) {
                    LOG.warn("Dropped a response without a pending request");
                }
            }
        }
    }

    private void notified(RpcMessage.Notification notification) {
        ObjectNode params = notification.params();
        JsonNode id = params == null ? null : params.get("requestId");
        RpcId cancelled = id == null ? null : RpcId.read(id);
        if (notification.method().equals(McpMethods.CANCELLED) && cancelled != null) {
            Subscription subscription = subscriptions.remove(cancelled);
            if (subscription != null) {
                subscription.close();
                return;
            }
        }
        engine.notified(scope, notification);
    }

    private void start(RpcMessage.Request request) throws IOException {
        if (request.method().equals(McpMethods.INITIALIZE) && !isModern(request)) {
            initialize(request);
            return;
        }
        if (!permits.tryAcquire()) {
            refuse(
                    request.id(),
                    RpcErrorCode.INVALID_REQUEST.exception(
                            "More than " + MAX_REQUESTS + " requests at once; wait for some of them."));
            return;
        }
        running.register();
        Thread.ofVirtual().name("mcp-stdio").start(() -> {
            try {
                answer(request);
            } catch (IOException gone) {
                LOG.debug("The client takes no more answers: {}", gone.getMessage());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                permits.release();
                running.arriveAndDeregister();
            }
        });
    }

    private void initialize(RpcMessage.Request request) throws IOException {
        if (session != null) {
            refuse(request.id(), RpcErrorCode.INVALID_REQUEST.exception("The session has begun already."));
            return;
        }
        try {
            McpEngine.Initialized begun = engine.initialize(request, "stdio");
            ProcessSession started = new ProcessSession(scope, begun.session());
            session = started;
            out.send(new RpcMessage.Result(request.id(), begun.result()));
            Subscription changes = engine.listen(started, caller);
            if (changes != null) {
                listen(changes);
            }
        } catch (RpcException refused) {
            refuse(request.id(), refused);
        }
    }

    private void listen(Subscription changes) {
        running.register();
        Thread.ofVirtual().name("mcp-stdio-changes").start(() -> {
            try (changes) {
                pump(changes);
            } catch (IOException gone) {
                LOG.debug("The client takes no more notifications: {}", gone.getMessage());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                running.arriveAndDeregister();
            }
        });
    }

    private void pump(Subscription changes) throws IOException, InterruptedException {
        while (true) {
            switch (changes.next(FOREVER)) {
                case Subscription.Send message -> message.to(out::send);
                case Subscription.Idle _ -> {}
                case Subscription.End _ -> {
                    return;
                }
            }
        }
    }

    private static boolean isModern(RpcMessage.Request request) {
        ObjectNode params = request.params();
        return params != null && params.path(MetaKeys.META).has(MetaKeys.PROTOCOL_VERSION);
    }

    private void answer(RpcMessage.Request request) throws IOException, InterruptedException {
        Peer peer;
        try {
            peer = peer(request);
            if (isModern(request) && request.method().equals(McpMethods.LISTEN)) {
                listen(request, peer);
                return;
            }
        } catch (RpcException refused) {
            refuse(request.id(), refused);
            return;
        }
        PipeReply reply = new PipeReply(out);
        reply.finish(engine.answer(request, peer, reply, new CancelSignal()));
    }

    private Peer peer(RpcMessage.Request request) {
        ProcessSession begun = session;
        if (isModern(request) || (begun == null && request.method().equals(McpMethods.DISCOVER))) {
            return ModernRequests.peer(request, caller, scope, _ -> {});
        }
        if (begun == null) {
            throw RpcErrorCode.INVALID_REQUEST.exception("The session has not begun: send initialize first.");
        }
        return Peer.of(begun, caller);
    }

    private void listen(RpcMessage.Request request, Peer peer) throws IOException, InterruptedException {
        Subscription changes = engine.listen(request, peer);
        if (changes == null) {
            throw RpcErrorCode.INTERNAL_ERROR.exception("Too many open subscriptions; try again later.");
        }
        if (subscriptions.putIfAbsent(request.id(), changes) != null) {
            changes.close();
            throw RpcErrorCode.INVALID_REQUEST.exception("A request with this id is still running.");
        }
        if (ended) {
            changes.close(); // the client has closed its pipe in the meantime
        }
        try (changes) {
            pump(changes);
        } finally {
            subscriptions.remove(request.id(), changes);
        }
    }

    private void refuse(@Nullable RpcId id, RpcException refused) throws IOException {
        out.send(new RpcMessage.Failure(id, refused.error()));
    }
}
