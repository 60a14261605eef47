package dev.toolgate.server.door.mcp;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.InputRequest;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.ProgressUpdate;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.offer.CancelSignal;
import dev.toolgate.mcp.server.offer.Delivery;
import dev.toolgate.mcp.server.offer.RequestContext;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The context of a call that outlives its first request: everything is sent to the client's latest request. */
final class CurrentContext implements RequestContext {
    private final CancelSignal cancelSignal = new CancelSignal();
    private volatile RequestContext latest;

    CurrentContext(RequestContext first) {
        this.latest = first;
        passCancellation(first);
    }

    /** Switches to the request with which the client has sent the call again. */
    void continueWith(RequestContext next) {
        latest = next;
        passCancellation(next);
    }

    private void passCancellation(RequestContext request) {
        request.cancelSignal()
                .onCancel(() -> cancelSignal.cancel(
                        String.valueOf(request.cancelSignal().reason())));
    }

    @Override
    public RpcId id() {
        return latest.id();
    }

    @Override
    public Revision revision() {
        return latest.revision();
    }

    @Override
    public @Nullable Implementation client() {
        return latest.client();
    }

    @Override
    public ClientCapabilities capabilities() {
        return latest.capabilities();
    }

    @Override
    public Object caller() {
        return latest.caller();
    }

    @Override
    public @Nullable String sessionId() {
        return latest.sessionId();
    }

    @Override
    public ObjectNode meta() {
        return latest.meta();
    }

    @Override
    public @Nullable RpcId progressToken() {
        return latest.progressToken();
    }

    @Override
    public boolean acceptsTask() {
        return latest.acceptsTask();
    }

    @Override
    public boolean canAsk(InputRequest.Kind kind) {
        return latest.canAsk(kind);
    }

    @Override
    public boolean canStream() {
        return latest.canStream();
    }

    @Override
    public CancelSignal cancelSignal() {
        return cancelSignal;
    }

    @Override
    public void onDelivery(Consumer<Delivery> listener) {
        latest.onDelivery(listener);
    }

    @Override
    public void report(ProgressUpdate update) {
        latest.report(update);
    }

    @Override
    public void log(LogLevel level, @Nullable String logger, JsonNode data) {
        latest.log(level, logger, data);
    }

    @Override
    public void send(RpcMessage.Notification notification) {
        latest.send(notification);
    }

    @Override
    public RpcMessage.@Nullable Response ask(InputRequest request, Duration timeout) throws InterruptedException {
        return latest.ask(request, timeout);
    }
}
