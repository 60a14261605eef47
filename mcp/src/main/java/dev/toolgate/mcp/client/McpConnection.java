package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.ClientSettings.RefusedRequests;
import dev.toolgate.mcp.client.RequestEncoder.ProgressRequest;
import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.ClientCall;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The exchange of messages with one server: the negotiated revision, the calls in flight, and the dispatch of messages
 * that the server sends unprompted.
 */
final class McpConnection implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(McpConnection.class);

    /** The negotiated revision, and the encoder for it. */
    private record Agreed(ServerDescription server, RequestEncoder encoder) {}

    private final McpTransport transport;
    private final ClientSettings settings;
    private final AtomicLong ids = new AtomicLong();
    private final NotificationQueue notifications;
    private final ServerRequests serverRequests;
    private final Map<RpcId, ActiveCall> active = new ConcurrentHashMap<>();
    private final ReentrantLock reconnecting = new ReentrantLock();
    private volatile @Nullable Agreed agreed;
    /** Whether a new session was begun and could not be set up, so that nothing may be sent in it. */
    private volatile boolean mustRestart;

    McpConnection(McpTransport transport, ClientSettings settings) {
        this.transport = transport;
        this.settings = settings;
        this.notifications =
                new NotificationQueue(settings.listener(), settings.limits().maxQueuedNotifications());
        this.serverRequests = new ServerRequests(settings.limits().maxServerRequests(), this::send);
        transport.listener(new TransportListener());
    }

    /** Negotiates with the server; called once, before anything else. */
    void open() throws McpFailure {
        agreed = agree(negotiation().run());
    }

    private Negotiation negotiation() {
        return new Negotiation(transport, settings, ids, this::receiveUnsolicited);
    }

    private Agreed agree(ServerDescription server) {
        if (server.era() == Era.LEGACY) {
            transport.listen(ProtocolHeaders.of(Era.LEGACY, server.version(), "", null, List.of()));
        }
        return new Agreed(
                server,
                new RequestEncoder(
                        server.era() == Era.MODERN ? server.version() : null,
                        settings.client(),
                        settings.capabilities()));
    }

    ServerDescription server() {
        return agreed().server();
    }

    private Agreed agreed() {
        Agreed current = agreed;
        if (current == null) {
            throw new IllegalStateException("The revision has not been negotiated yet.");
        }
        return current;
    }

    boolean hasStreamPerRequest() {
        return transport.hasStreamPerRequest();
    }

    CallTimeout timeout(CallOptions options) {
        CallTimeout own = options.timeout();
        return own == null ? settings.timeout() : own;
    }

    /**
     * One round trip; a request that the server refused because it lost the session is retried once, if the settings
     * say so.
     *
     * @param more additional parameters, which replace the caller's of the same name
     * @param mirrored the arguments that are also sent as headers
     */
    ActiveCall exchange(
            String method,
            @Nullable ObjectNode params,
            @Nullable ObjectNode more,
            CallOptions options,
            List<HeaderParameters.Parameter> mirrored)
            throws McpFailure {
        Agreed used = mustRestart ? restartedIf(() -> mustRestart) : agreed();
        try {
            return attempt(used, method, params, more, options, mirrored);
        } catch (McpFailure failed) {
            if (failed.kind() == McpFailureKind.SESSION_LOST && settings.refused() == RefusedRequests.RETRY) {
                return attempt(restartedIf(() -> used.equals(agreed)), method, params, more, options, mirrored);
            }
            throw failed;
        }
    }

    /** Begins a new session, unless another call has done so in the meantime. */
    private Agreed restartedIf(BooleanSupplier needed) throws McpFailure {
        reconnecting.lock();
        try {
            if (needed.getAsBoolean()) {
                beginSession();
                // On its own thread: the call should not wait for the listener, which may make calls itself.
                Thread.ofVirtual().name("mcp-session").start(settings.listener()::sessionRestarted);
            }
            return agreed();
        } catch (McpFailure failed) {
            throw notRestarted(failed);
        } finally {
            reconnecting.unlock();
        }
    }

    /** Begins a new session in place of a lost one. */
    private void beginSession() throws McpFailure {
        mustRestart = true;
        agreed = agree(negotiation().initialize());
        mustRestart = false;
    }

    // The request that met the lost session was refused, whatever became of the new session.
    private static McpFailure notRestarted(McpFailure failed) {
        return !failed.kind().mayHaveRun() || failed.kind() == McpFailureKind.CANCELLED
                ? failed
                : new McpFailure(
                        McpFailureKind.SESSION_LOST,
                        "The server lost the session, and a new one could not be begun: " + failed.getMessage(),
                        failed);
    }

    /** Begins a new session without a call, unless a call does so already. */
    private void restart(Agreed lost) {
        if (!reconnecting.tryLock()) {
            return;
        }
        McpFailure failure = null;
        try {
            if (!lost.equals(agreed)) {
                return;
            }
            beginSession();
        } catch (McpFailure failed) {
            failure = notRestarted(failed);
        } finally {
            reconnecting.unlock();
        }
        if (failure == null) {
            settings.listener().sessionRestarted();
        } else {
            settings.listener().disconnected(failure); // no call would report it
        }
    }

    private ActiveCall attempt(
            Agreed with,
            String method,
            @Nullable ObjectNode params,
            @Nullable ObjectNode more,
            CallOptions options,
            List<HeaderParameters.Parameter> mirrored)
            throws McpFailure {
        ServerDescription server = with.server();
        CallTimeout timeout = timeout(options);
        long number = ids.incrementAndGet();
        boolean wantsProgress = options.progress() != null || timeout.max().compareTo(timeout.idle()) > 0;
        byte[] body = with.encoder()
                .encode(
                        number,
                        method,
                        params,
                        more,
                        options,
                        wantsProgress ? ProgressRequest.YES : ProgressRequest.NO);
        Map<String, String> headers = transport.hasStreamPerRequest()
                ? ProtocolHeaders.of(server.era(), server.version(), method, params, mirrored)
                : ProtocolHeaders.none();
        ActiveCall call = new ActiveCall(RpcId.of(number), method, body, headers, timeout, options);
        CallCancellation cancellation = options.cancellation();
        active.put(call.request.id(), call);
        try {
            if (cancellation != null) {
                cancellation.onCancel(call);
            }
            return call.answered(transport.exchange(call.request));
        } catch (McpFailure failed) {
            boolean shouldNotify = failed.kind() == McpFailureKind.CANCELLED || failed.kind() == McpFailureKind.TIMEOUT;
            if (shouldNotify
                    && call.request.wasSent()
                    && (server.era() == Era.LEGACY || !transport.hasStreamPerRequest())) {
                notifyCancelled(server, call.request.id(), String.valueOf(failed.getMessage()));
            }
            throw failed;
        } finally {
            active.remove(call.request.id());
            if (cancellation != null) {
                cancellation.forget(call);
            }
        }
    }

    private void notifyCancelled(ServerDescription server, RpcId id, String reason) {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.set("requestId", id.json());
        params.put("reason", reason);
        // On its own thread: the caller's may be interrupted, and should not wait any longer.
        Thread.startVirtualThread(() -> {
            try {
                transport.send(
                        new RpcMessage.Notification(McpMethods.CANCELLED, params),
                        ProtocolHeaders.of(server.era(), server.version(), McpMethods.CANCELLED, null, List.of()));
            } catch (McpFailure notSent) {
                log.debug("The server could not be notified of a cancelled request: {}", notSent.getMessage());
            }
        });
    }

    /** Sends a message that expects no answer. */
    void send(RpcMessage message) throws McpFailure {
        Agreed current = agreed;
        String method = message instanceof RpcMessage.Notification notification ? notification.method() : "";
        transport.send(
                message,
                current == null
                        ? ProtocolHeaders.none()
                        : ProtocolHeaders.of(
                                current.server().era(), current.server().version(), method, null, List.of()));
    }

    /** A message that belongs to no call of this client. */
    private void receiveUnsolicited(RpcMessage message) {
        switch (message) {
            case RpcMessage.Notification notification -> notified(notification);
            case RpcMessage.Request request -> asked(request);
            case RpcMessage.Response _ -> log.debug("Dropped an answer without a pending request");
        }
    }

    private void notified(RpcMessage.Notification notification) {
        ObjectNode params = notification.params();
        switch (notification.method()) {
            case McpMethods.PROGRESS -> {
                RpcId token = params == null ? null : RpcId.read(params.path("progressToken"));
                ActiveCall call = token == null ? null : active.get(token);
                if (call != null && params != null) {
                    call.request.progressed();
                    call.progressed(params);
                }
            }
            case McpMethods.CANCELLED -> {
                RpcId id = params == null ? null : RpcId.read(params.path("requestId"));
                if (id != null) {
                    serverRequests.cancelled(id);
                }
            }
            case McpMethods.LISTENING -> log.debug("The server accepted a subscription");
            default -> notifications.add(notification);
        }
    }

    private void asked(RpcMessage.Request request) {
        if (isModern()) {
            log.debug("Dropped a request of the server: its revision does not allow requests");
            return;
        }
        // Over a pipe a request does not name the call it belongs to; with one call it is unambiguous.
        List<ActiveCall> waiting = transport.hasStreamPerRequest() ? List.of() : List.copyOf(active.values());
        InputHandler handler = waiting.size() == 1 ? waiting.getFirst().input() : settings.input();
        waiting.forEach(call -> call.request.hold());
        serverRequests.received(request, handler, () -> waiting.forEach(call -> call.request.release()));
    }

    private boolean isModern() {
        Agreed current = agreed;
        return current != null && current.server().era() == Era.MODERN;
    }

    @Override
    public void close() {
        serverRequests.stop();
        transport.close();
        notifications.close();
    }

    private final class TransportListener implements McpTransport.Listener {
        @Override
        public void received(RpcMessage message) {
            receiveUnsolicited(message);
        }

        @Override
        public void ended(McpFailure why) {
            settings.listener().disconnected(why);
        }

        @Override
        public void sessionLost() {
            Agreed lost = agreed;
            if (lost == null) {
                return;
            }
            switch (settings.refused()) {
                case RETRY -> Thread.ofVirtual().name("mcp-session").start(() -> restart(lost));
                case FAIL -> settings.listener().sessionLost();
            }
        }
    }

    /** A request that waits for its answer. */
    final class ActiveCall implements ClientCall.Interim, CallCancellation.Reaction {
        private final ClientCall request;
        private final CallOptions options;
        private @Nullable ObjectNode result;

        ActiveCall(
                RpcId id,
                String method,
                byte[] body,
                Map<String, String> headers,
                CallTimeout timeout,
                CallOptions options) {
            this.request = new ClientCall(id, method, body, headers, timeout, this);
            this.options = options;
        }

        InputHandler input() {
            InputHandler own = options.input();
            return own == null ? settings.input() : own;
        }

        ActiveCall answered(RpcMessage.Response response) throws McpFailure {
            result = switch (response) {
                case RpcMessage.Result answer -> answer.result();
                case RpcMessage.Failure failure -> throw McpFailure.answered(failure.error());
            };
            return this;
        }

        /** The size of the answer in bytes. */
        int answerBytes() {
            return request.answerBytes();
        }

        ObjectNode result() {
            ObjectNode answer = result;
            if (answer == null) {
                throw new IllegalStateException("The call has not been answered.");
            }
            return answer;
        }

        void progressed(ObjectNode params) {
            ProgressListener listener = options.progress();
            if (listener != null) {
                try {
                    listener.progressed(params);
                } catch (RuntimeException failed) {
                    log.warn("The listener for progress failed", failed);
                }
            }
        }

        @Override
        public void received(RpcMessage message) {
            if (message instanceof RpcMessage.Request asked) {
                if (!isModern()) {
                    request.hold();
                    serverRequests.received(asked, input(), request::release);
                }
            } else if (!logged(message)) {
                receiveUnsolicited(message);
            }
        }

        /** Passes a log message of this call on; false if it is none or there is no listener. */
        private boolean logged(RpcMessage message) {
            LogListener listener = options.log();
            if (listener == null
                    || !(message instanceof RpcMessage.Notification(String method, ObjectNode params))
                    || !method.equals(McpMethods.LOG_MESSAGE)
                    || params == null) {
                return false;
            }
            try {
                listener.logged(params);
            } catch (RuntimeException failed) {
                log.warn("The listener for log messages failed", failed);
            }
            return true;
        }

        @Override
        public void cancelled(String reason) {
            request.end(new McpFailure(McpFailureKind.CANCELLED, reason));
        }
    }
}
