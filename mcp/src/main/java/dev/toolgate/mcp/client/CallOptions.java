package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one call has that others have not; null means what the client's settings say.
 *
 * @param timeout how long to wait
 * @param progress hears of progress; without it none is asked for
 * @param cancellation lets another thread cancel the call
 * @param meta put into {@code _meta} of the request, for example {@code traceparent}
 * @param input answers what the server asks for in this call
 * @param capabilities declared for this call; only servers of the modern era learn of them
 * @param log hears of log messages that come with this call
 */
public record CallOptions(
        @Nullable CallTimeout timeout,
        @Nullable ProgressListener progress,
        @Nullable CallCancellation cancellation,
        @Nullable ObjectNode meta,
        @Nullable InputHandler input,
        @Nullable ClientCapabilities capabilities,
        @Nullable LogListener log) {
    /** Nothing special. */
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

    /** The same with an input handler, and the capabilities that stand for it. */
    public CallOptions withInput(InputHandler handler, ClientCapabilities declared) {
        return new CallOptions(timeout, progress, cancellation, meta, handler, declared, log);
    }

    public CallOptions withLog(LogListener listener) {
        return new CallOptions(timeout, progress, cancellation, meta, input, capabilities, listener);
    }
}
