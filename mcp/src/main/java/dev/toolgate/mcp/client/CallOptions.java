package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of one call; null falls back to the client's settings.
 *
 * @param timeout how long to wait for the answer
 * @param progress receives progress; if null, none is requested
 * @param cancellation lets another thread cancel the call
 * @param meta added to {@code _meta} of the request, for example {@code traceparent}
 * @param input answers the server's input requests during this call
 * @param capabilities declared for this call; sent only to servers of the modern era
 * @param log receives the log messages sent during this call
 */
public record CallOptions(
        @Nullable CallTimeout timeout,
        @Nullable ProgressListener progress,
        @Nullable CallCancellation cancellation,
        @Nullable ObjectNode meta,
        @Nullable InputHandler input,
        @Nullable ClientCapabilities capabilities,
        @Nullable LogListener log) {
    /** The client's settings apply. */
    public static final CallOptions DEFAULT = new CallOptions(null, null, null, null, null, null, null);

    public CallOptions withTimeout(CallTimeout limit) {
        return new CallOptions(limit, progress, cancellation, meta, input, capabilities, log);
    }

    public CallOptions withProgress(ProgressListener listener) {
        return new CallOptions(timeout, listener, cancellation, meta, input, capabilities, log);
    }

    public CallOptions withCancellation(CallCancellation handle) {
        return new CallOptions(timeout, progress, handle, meta, input, capabilities, log);
    }

    public CallOptions withMeta(ObjectNode fields) {
        return new CallOptions(timeout, progress, cancellation, fields, input, capabilities, log);
    }

    /** A copy with an input handler and the capabilities that declare it. */
    public CallOptions withInput(InputHandler handler, ClientCapabilities declared) {
        return new CallOptions(timeout, progress, cancellation, meta, handler, declared, log);
    }

    public CallOptions withLog(LogListener listener) {
        return new CallOptions(timeout, progress, cancellation, meta, input, capabilities, listener);
    }
}
