package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.CurrentTrace;
import dev.toolgate.core.call.ToolLog;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.mcp.client.CallOptions;
import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.MetaKeys;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A call on its way to a server: passes cancellation, progress and questions on, and turns failures into those of tools.
 *
 * @param tool as the gate calls it
 */
record UpstreamCall(Upstream upstream, String tool, CallTimeout timeout) {
    private static final Duration HEAD_START = Duration.ofMillis(200);

    /** The limit for the pipeline, which comes into play only if the client's own does not. */
    static Duration pipelineLimit(CallTimeout timeout) {
        return timeout.max().plusSeconds(5);
    }

    /** Sends something to the server. */
    @FunctionalInterface
    interface Request {
        ObjectNode send(CallOptions options) throws McpFailure;
    }

    ObjectNode send(ToolContext context, Request request) throws ToolFailure, InterruptedException {
        CallCancellation cancelled = new CallCancellation();
        Runnable pass = () -> cancelled.cancel("The caller cancelled the call.");
        Cancellation cancellation = context.call().cancellation();
        cancellation.onCancel(pass);
        try {
            return request.send(options(context, cancelled));
        } catch (McpFailure failed) {
            // An interrupt is the pipeline's, which knows why it came.
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw UpstreamFailure.of(upstream, tool, failed);
        } finally {
            cancellation.forget(pass);
        }
    }

    private CallOptions options(ToolContext context, CallCancellation cancelled) {
        CallOptions options = CallOptions.DEFAULT.withTimeout(within(context)).withCancellation(cancelled);
        ObjectNode meta = JsonNodeFactory.instance.objectNode();
        // The gate's own span, never what the caller sent: nobody who approves or reads the record would see that.
        CurrentTrace.traceparent().ifPresent(span -> meta.put(MetaKeys.TRACE_PARENT, span));
        CallListener listener = context.call().listener();
        if (listener.equals(CallListener.NONE)) {
            return meta.isEmpty() ? options : options.withMeta(meta);
        }
        // Which messages a caller gets is decided where the caller says which it wants.
        meta.put(MetaKeys.LOG_LEVEL, LogLevel.DEBUG.wireName());
        return options.withProgress(new ProgressRelay(context))
                .withLog(params -> log(context, params))
                .withMeta(meta)
                .withInput(new CallerInput(context), new ClientCapabilities(listener.answerable()));
    }

    private static void log(ToolContext context, ObjectNode params) {
        JsonNode logger = params.path("logger");
        context.log(new ToolLog(
                params.path("level").asString(""),
                logger.isString() ? logger.stringValue() : null,
                params.path("data")));
    }

    // A little less than the pipeline allows, so that the server is told, and found out about, before the interrupt.
    private CallTimeout within(ToolContext context) {
        Duration bound = context.bounds().timeout();
        if (bound == null || bound.compareTo(timeout.max()) > 0) {
            return timeout;
        }
        Duration tenth = bound.dividedBy(10);
        Duration max = bound.minus(tenth.compareTo(HEAD_START) < 0 ? tenth : HEAD_START);
        return new CallTimeout(max.compareTo(timeout.idle()) < 0 ? max : timeout.idle(), max);
    }
}
