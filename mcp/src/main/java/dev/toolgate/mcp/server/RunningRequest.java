package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.ProgressUpdate;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.offer.CancelSignal;
import dev.toolgate.mcp.server.offer.Delivery;
import dev.toolgate.mcp.server.offer.RequestContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A running request, whose progress, log messages and questions go to the client over its stream. */
final class RunningRequest implements RequestContext {
    private static final Logger LOG = LoggerFactory.getLogger(RunningRequest.class);

    private final RpcMessage.Request request;
    private final RequestParams params;
    private final Peer peer;
    private final ReplyStream stream;
    private final CancelSignal signal;
    private final ClientQuestions questions;
    private final @Nullable RpcId progressToken;
    private @Nullable BigDecimal lastProgress;
    private volatile boolean over;

    RunningRequest(
            RpcMessage.Request request, Peer peer, ReplyStream stream, CancelSignal signal, ClientQuestions questions) {
        this.request = request;
        this.params = new RequestParams(request.params());
        this.peer = peer;
        this.stream = stream;
        this.signal = signal;
        this.questions = questions;
        JsonNode token = params.meta().get(MetaKeys.PROGRESS_TOKEN);
        this.progressToken = token == null ? null : RpcId.read(token);
    }

    RequestParams params() {
        return params;
    }

    Peer peer() {
        return peer;
    }

    Era era() {
        return peer.revision().era();
    }

    /** Stops sending: the response is next. */
    void finish() {
        over = true;
    }

    @Override
    public RpcId id() {
        return request.id();
    }

    @Override
    public Revision revision() {
        return peer.revision();
    }

    @Override
    public @Nullable Implementation client() {
        return peer.client();
    }

    @Override
    public ClientCapabilities capabilities() {
        return peer.capabilities();
    }

    @Override
    public Object caller() {
        return peer.caller();
    }

    @Override
    public @Nullable String sessionId() {
        PeerSession session = peer.session();
        return session == null ? null : session.id();
    }

    @Override
    public ObjectNode meta() {
        return params.meta();
    }

    @Override
    public @Nullable RpcId progressToken() {
        return progressToken;
    }

    @Override
    public boolean acceptsTask() {
        return switch (era()) {
            case MODERN -> capabilities().acceptsTasks();
            case LEGACY ->
                revision().isAtLeast(Revision.R2025_11_25)
                        && params.tree().path("task").isObject();
        };
    }

    @Override
    public boolean canAsk(InputRequest.Kind kind) {
        return kind.isDeclaredBy(capabilities())
                && switch (era()) {
                    case MODERN -> true;
                    case LEGACY -> stream.isAvailable();
                };
    }

    @Override
    public boolean canStream() {
        return stream.isAvailable();
    }

    @Override
    public CancelSignal cancelSignal() {
        return signal;
    }

    @Override
    public void onDelivery(Consumer<Delivery> listener) {
        stream.onDelivery(listener);
    }

    @Override
    public void report(ProgressUpdate update) {
        if (progressToken == null) {
            return;
        }
        synchronized (this) {
            if (lastProgress != null && update.progress().compareTo(lastProgress) <= 0) {
                return;
            }
            lastProgress = update.progress();
        }
        offer(update.notification(progressToken));
    }

    @Override
    public void log(LogLevel level, @Nullable String logger, JsonNode data) {
        LogLevel least = peer.logLevel();
        if (least == null || level.compareTo(least) < 0) {
            return;
        }
        ObjectNode message = JsonNodeFactory.instance.objectNode().put("level", level.wireName());
        if (logger != null) {
            message.put("logger", logger);
        }
        message.set("data", data);
        offer(new RpcMessage.Notification(McpMethods.LOG_MESSAGE, message));
    }

    // Later progress replaces it, and a log may have gaps; the tool must not wait for either.
    private void offer(RpcMessage.Notification message) {
        send(message, stream::offer);
    }

    @Override
    public void send(RpcMessage.Notification message) {
        send(message, stream::send);
    }

    private void send(RpcMessage.Notification message, Subscription.MessageWriter writer) {
        if (over || signal.isCancelled() || !stream.isAvailable()) {
            return;
        }
        try {
            writer.write(message);
        } catch (IOException gone) {
            LOG.debug("A message before the response did not reach the client: {}", gone.getMessage());
        }
    }

    @Override
    public RpcMessage.@Nullable Response ask(InputRequest input, Duration timeout) throws InterruptedException {
        String scope = peer.scope();
        if (era() == Era.MODERN || scope == null) {
            throw new IllegalStateException("A modern client is asked by an outcome, not in the middle of a request.");
        }
        if (!canAsk(input.kind()) || over) {
            return null;
        }
        ClientQuestions.Question question = questions.open(scope);
        try {
            signal.onCancel(() -> question.answer().complete(null));
            stream.send(new RpcMessage.Request(question.id(), input.kind().method(), legacyParams(input)));
            return await(question.answer(), timeout);
        } catch (TimeoutException late) {
            ObjectNode cancelled = JsonNodeFactory.instance.objectNode();
            cancelled.set("requestId", question.id().json());
            cancelled.put("reason", "No answer within " + timeout.toSeconds() + " s.");
            send(new RpcMessage.Notification(McpMethods.CANCELLED, cancelled));
            return null;
        } catch (IOException gone) {
            LOG.debug("A question did not reach the client: {}", gone.getMessage());
            return null;
        } finally {
            questions.close(scope, question);
        }
    }

    private static RpcMessage.@Nullable Response await(
            CompletableFuture<RpcMessage.@Nullable Response> answer, Duration timeout)
            throws InterruptedException, TimeoutException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        }
    }

    /** 2025-11-25 requires an id for every URL; other revisions have none. */
    private static @Nullable ObjectNode legacyParams(InputRequest input) {
        ObjectNode params = input.params();
        return params != null && input.kind() == InputRequest.Kind.ELICIT_URL && !params.has("elicitationId")
                ? params.deepCopy().put("elicitationId", UUID.randomUUID().toString())
                : params;
    }
}
